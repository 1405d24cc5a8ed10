"""How the evidence grew, day by day, told by the rows themselves."""

from datetime import date, datetime, timedelta

from compact_guard.evaluator import warehouse
from tests.builders import MORNING, OLD_FINGERPRINT, Session, busy_weeks, rows_of
from tests.models import built

THIRD_DAY = datetime(2026, 11, 7, 9)


def by_day(*sessions: Session, **options) -> list[tuple]:
    query = "select * exclude (interface) from evidence_by_day order by interface, evidence_date"
    with built(rows_of(sessions), **options) as connection:
        return [tuple(row.values()) for row in warehouse.rows(connection, query)]


def test_counts_grow_and_quiet_days_are_told_too():
    first = Session("s1").delivered("aa").delivered("bb")
    second = Session("s2", at=MORNING + timedelta(days=2)).delivered("cc")
    second.pre("dd").finish().start(None, "none")

    assert by_day(first, second, as_of=THIRD_DAY) == [
        (date(2026, 11, 5), 0, 6, 2, 0, 1),
        (date(2026, 11, 6), 0, 6, 2, 0, 1),
        (date(2026, 11, 7), 1, 11, 4, 1, 2),
    ]


def test_a_manual_compaction_is_evidence_of_failure_only():
    session = Session("s1").delivered("aa", trigger="manual")
    session.pre("bb", trigger="manual").finish().start(None, "none")

    assert by_day(session, as_of=datetime(2026, 11, 5, 9)) == [(date(2026, 11, 5), 1, 5, 0, 1, 0)]


def test_only_the_present_period_counts():
    old = Session("old", at=MORNING - timedelta(days=9), fingerprint=OLD_FINGERPRINT)

    days = by_day(old.delivered("aa"), Session("s1").delivered("bb"), as_of=THIRD_DAY)

    assert [day[0] for day in days] == [date(2026, 11, 5), date(2026, 11, 6), date(2026, 11, 7)]


def test_the_last_day_says_what_the_verdict_rests_on():
    with built(rows_of(busy_weeks())) as connection:
        [evidence] = warehouse.rows(connection, "select * from interface_evidence")
        *_, last = warehouse.rows(
            connection, "select * from evidence_by_day order by evidence_date"
        )

    assert last["natural_events_so_far"] == evidence["natural_events"]
    assert last["counted_so_far"] == evidence["eligible_counted"]
    assert last["sessions_so_far"] == evidence["sessions"]

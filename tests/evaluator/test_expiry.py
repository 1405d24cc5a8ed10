"""Old detail leaves the warehouse, the present period loses nothing, no failure is laundered."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from compact_guard import cli
from compact_guard.commands import evaluate
from compact_guard.evaluator import warehouse
from tests.builders import OLD_FINGERPRINT, Session, busy_weeks, rows_of, write_log
from tests.evaluator.nights import NIGHT, days, night, told

LONG_AGO = datetime(2026, 3, 1)


def old(name: str, at: datetime = LONG_AGO) -> Session:
    """A session of an earlier guard."""
    return Session(name, at=at, fingerprint=OLD_FINGERPRINT)


@pytest.fixture
def file(tmp_path) -> Path:
    """Where the warehouse will be."""
    return tmp_path / "warehouse.duckdb"


def sessions_in(file: Path) -> int:
    with warehouse.connect(file) as connection:
        counted = connection.execute("select count(distinct session_hash) from raw_audit_lines")
        return counted.fetchall()[0][0]


@pytest.mark.usefixtures("later")
def test_what_ended_before_the_present_period_expires_and_its_failures_stay_told(tmp_path, file):
    lost = old("lost").pre("aa").finish().start(None, "none")
    rows = rows_of([lost, old("fine").delivered("bb"), *busy_weeks(6, 12)])
    log = write_log(tmp_path / "audit", rows)
    before = night(file, log)

    after = night(file, log, keep=days(90))

    assert sessions_in(file) == 6
    assert after.interfaces == before.interfaces
    assert after.notes == (
        "Expired from the warehouse, of claude-code/anthropic under the earlier fingerprint "
        f"{OLD_FINGERPRINT}: 2 sessions with 2 natural compactions, 1 of them missed or "
        "duplicated.",
    )
    assert told(night(file, log, keep=days(90))) == told(after)
    assert night(file, log).notes == after.notes


def test_the_present_period_keeps_its_rows_however_old(tmp_path, file):
    log = write_log(tmp_path / "audit", rows_of([Session("s1", at=LONG_AGO).delivered("aa")]))

    outcome = night(file, log, keep=days(30))

    assert (outcome.notes, outcome.rows.accepted) == ((), 3)


def test_what_is_younger_is_kept(tmp_path, file):
    log = write_log(
        tmp_path / "audit",
        rows_of([old("s1", at=datetime(2026, 10, 1)).delivered("aa"), *busy_weeks(2, 2)]),
    )

    assert night(file, log, keep=days(90)).notes == ()
    assert night(file, log, keep=days(30)).notes != ()


def test_a_session_that_went_on_into_the_present_period_is_kept_whole(tmp_path, file):
    early, late = old("s1").delivered("aa"), Session("s1").delivered("bb")
    for number, row in enumerate(late.rows):
        row["event_id"] = f"{number:024x}"
    log = write_log(tmp_path / "audit", rows_of([early, late]))

    assert night(file, log, keep=days(30)).rows.accepted == 6


def test_a_checkpoint_that_may_still_be_delivered_is_kept(tmp_path, file):
    log = write_log(
        tmp_path / "audit", rows_of([old("s1").pre("aa").finish().receipt(), *busy_weeks(2, 2)])
    )

    assert night(file, log, keep=days(30)).notes == ()


def test_rows_read_again_from_their_log_expire_again_and_count_once(tmp_path, file):
    log = write_log(tmp_path / "audit", rows_of([old("s1").delivered("aa"), *busy_weeks(2, 2)]))
    first = night(file, log, keep=days(90))
    for path in log.iterdir():
        path.rename(path.with_name(f"again-{path.name}"))

    assert told(night(file, log, keep=days(90))) == told(first)
    assert night(file, log, keep=days(90)).notes == first.notes


def test_rows_read_again_without_an_expiry_are_evidence_again_and_no_note_says_otherwise(
    tmp_path, file
):
    log = write_log(tmp_path / "audit", rows_of([old("s1").delivered("aa"), *busy_weeks(2, 2)]))
    night(file, log, keep=days(90))
    for path in log.iterdir():
        path.rename(path.with_name(f"again-{path.name}"))

    again = night(file, log)

    assert again.notes == ()
    assert told(again) == told(night(file.with_name("fresh.duckdb"), log))


def test_rejected_lines_go_with_the_rows_beside_them(tmp_path, file):
    log = write_log(tmp_path / "audit", rows_of([old("s1").delivered("aa"), *busy_weeks(2, 2)]))
    with (log / "2026-03-01.jsonl").open("a", encoding="utf-8") as torn:
        torn.write("torn {\n")

    assert night(file, log).rows.quarantined == 1
    assert night(file, log, keep=days(90)).rows.quarantined == 0


def test_another_logs_rows_are_left_alone(tmp_path, file):
    rows = rows_of([old("s1").delivered("aa"), *busy_weeks(2, 2)])
    mine, theirs = write_log(tmp_path / "mine", rows), write_log(tmp_path / "theirs", rows)
    before = night(file, theirs)
    night(file, mine, keep=days(90))

    after = night(file, theirs)

    assert (told(after), after.notes) == (told(before), ())


@pytest.mark.parametrize("options", [{"is_rehearsal": True}, {"guard_fingerprint": "b" * 12}])
def test_only_the_present_verdict_expires_anything(tmp_path, file, options):
    log = write_log(tmp_path / "audit", rows_of([old("s1").delivered("aa"), *busy_weeks(2, 2)]))

    assert night(file, log, keep=days(90), **options).rows.accepted == 9


def test_a_look_back_expires_nothing(tmp_path, file):
    log = write_log(tmp_path / "audit", rows_of([old("s1").delivered("aa"), *busy_weeks(2, 2)]))

    night(file, log, as_of=datetime(2026, 11, 6), keep=days(1))

    assert night(file, log).rows.accepted == 9


@pytest.mark.parametrize(
    ("text", "expected"), [("90d", days(90)), ("36h", days(1.5)), ("2w", timedelta(weeks=2))]
)
def test_a_duration_is_read(text, expected):
    assert evaluate.duration(text) == expected


@pytest.mark.parametrize("text", ["", "d", "90", "-1d", "1.5d", "90 days", "999999d", "٣d"])
def test_what_is_no_duration_is_refused_with_an_example(text, capsys):
    with pytest.raises(SystemExit) as refused:
        cli.main(["evaluate", f"--keep={text}"])

    assert refused.value.code == 2
    assert "write it like 90d" in capsys.readouterr().err


def test_the_evaluation_knows_when_it_was(tmp_path, file):
    log = write_log(tmp_path / "audit", rows_of([old("s1").delivered("aa"), *busy_weeks(2, 2)]))
    night(file, log, keep=days(90))

    with warehouse.connect(file) as connection:
        [row] = warehouse.rows(connection, "select * from expired_sessions")
    assert (row["expired_at"], row["count_lines"], row["count_failures"]) == (NIGHT, 3, 0)

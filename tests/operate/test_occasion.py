"""The nights that are due, and that each is judged once however often somebody asks."""

import asyncio
import itertools
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prefect.server.schemas.schedules import CronSchedule

from compact_guard.evaluator import history, policy, scope, warehouse
from compact_guard.evaluator.request import Request
from compact_guard.operate import occasion, standing
from compact_guard.operate.naming import naive_utc
from compact_guard.operate.occasion import NIGHTS_MAX, Occasion
from compact_guard.operate.standing import Standing
from tests.builders import Session
from tests.evaluator.nights import NIGHT
from tests.operate.stories import failing


def nightly(audit: Path, as_of: datetime = NIGHT, **fields) -> Occasion:
    request = Request((audit,), policy.load(), as_of)
    reports = audit.parent / "reports"
    return Occasion(request, reports, audit.parent / "w.duckdb", catch_up=True, **fields)


def last_judged(audit: Path, as_of: datetime) -> None:
    standing.write(standing.file_of([audit]), Standing(as_of, as_of, "OBSERVE", "", (), {}))


def verdicts_in(file: Path, audit: Path) -> list[datetime]:
    with warehouse.connect(file) as connection:
        return [row["as_of"] for row in history.read(connection, scope.key([audit]))]


def test_the_first_night_is_due_alone(tmp_path):
    assert occasion.due(nightly(tmp_path / "audit")) == [NIGHT]


@given(days=st.integers(0, 100), hours=st.integers(-23, 23))
def test_every_day_since_the_last_evaluation_is_due_once(tmp_path_factory, days, hours):
    audit = tmp_path_factory.mktemp("log") / "audit"
    last_judged(audit, NIGHT - timedelta(days=days, hours=hours))

    due = occasion.due(nightly(audit), UTC)

    assert due[-1] == NIGHT
    assert {later - earlier for earlier, later in itertools.pairwise(due)} <= {timedelta(days=1)}
    assert len(due) == len({time.date() for time in due}) <= NIGHTS_MAX
    first_day = min(NIGHT.date(), (NIGHT - timedelta(days=days, hours=hours)).date())
    assert len(due) == max(1, min((NIGHT.date() - first_day).days, NIGHTS_MAX))


CHANGES = {  # the days around which clocks change
    "Europe/Paris": (date(2026, 10, 25), date(2027, 3, 28)),
    "Europe/Athens": (date(2026, 10, 25), date(2027, 3, 28)),
    "America/New_York": (date(2026, 11, 1), date(2027, 3, 14)),
}


@pytest.mark.parametrize(
    ("zone", "change"), [(zone, day) for zone in CHANGES for day in CHANGES[zone]]
)
def test_when_clocks_change_each_night_still_comes_once_and_none_looks_missed(
    zone, change, tmp_path
):
    audit, here = tmp_path / "audit", ZoneInfo(zone)
    begin = datetime.combine(change - timedelta(days=3), datetime.min.time(), here)

    for cron in ("15 2 * * *", "30 1 * * *", "15 0 * * *"):
        schedule = CronSchedule(cron=cron, timezone=zone)
        # Prefect hands out dates of a library that it is about to leave.
        nights = [
            datetime.fromtimestamp(one.timestamp(), here)
            for one in asyncio.run(schedule.get_dates(7, start=begin))
        ]

        assert [night.date() for night in nights] == [
            begin.date() + timedelta(days=number) for number in range(7)
        ]
        for before, night in itertools.pairwise(naive_utc(one) for one in nights):
            last_judged(audit, before + timedelta(seconds=9))
            assert occasion.due(nightly(audit, night), here) == [night]


def test_on_demand_only_the_present_is_due(tmp_path):
    last_judged(tmp_path / "audit", NIGHT - timedelta(days=5))

    on_demand = Occasion(Request((tmp_path / "audit",), policy.load(), NIGHT), tmp_path)

    assert occasion.due(on_demand) == [NIGHT]


@pytest.mark.slow
def test_after_two_missed_nights_the_third_run_judges_three_days_and_each_once(log):
    log.grow(Session("s").delivered("a"), failing("bad", at=NIGHT - timedelta(days=2, hours=5)))
    list(occasion.judge(nightly(log.audit, NIGHT - timedelta(days=3))))

    caught_up = list(occasion.judge(nightly(log.audit)))
    again = list(occasion.judge(nightly(log.audit, NIGHT + timedelta(minutes=1))))

    nights = [NIGHT - timedelta(days=days) for days in (3, 2, 1, 0)]
    assert [judged.evaluation.request.as_of for judged in caught_up] == nights[1:]
    assert [[news.event for news in judged.news] for judged in caught_up] == [
        ["compact-guard.injection.missed"],
        [],
        [],
    ]
    assert [judged.news for judged in again] == [()]
    assert verdicts_in(log.folder / "w.duckdb", log.audit) == nights
    reports = sorted(file.name for file in (log.folder / "reports").glob("*.md"))
    assert reports == [f"{night:%Y-%m-%d}-verdict.md" for night in nights]


@pytest.mark.slow
def test_a_look_at_one_interface_tells_nobody(log):
    log.grow(failing("s"))

    [judged] = occasion.judge(nightly(log.audit, is_told=False))

    assert judged.news == ()
    assert standing.read(standing.file_of([log.audit])) is None

"""Every verdict is remembered once, night by night, whatever happens to the warehouse."""

from datetime import timedelta
from pathlib import Path

import pytest

from compact_guard.evaluator import scope
from tests.builders import Session, busy_weeks, rows_of, write_log
from tests.evaluator.damage import garble_middle, leave_a_log
from tests.evaluator.nights import NIGHT, night

WEEKS = busy_weeks(6, 12)


@pytest.fixture
def log(tmp_path) -> Path:
    """Some weeks of work."""
    return write_log(tmp_path / "audit", rows_of(WEEKS))


@pytest.fixture
def file(tmp_path) -> Path:
    """Where the warehouse will be."""
    return tmp_path / "warehouse.duckdb"


def remembered(outcome) -> list[tuple[str, int]]:
    return [(f"{row['as_of']:%d %H:%M}", row["eligible_counted"]) for row in outcome.history]


def test_the_evidence_of_every_night_is_remembered(file, log):
    night(file, log)
    write_log(log, rows_of([Session("late", at=NIGHT).delivered("zz")]))

    outcome = night(file, log, as_of=NIGHT + timedelta(days=1))

    assert remembered(outcome) == [("30 03:00", 12), ("01 03:00", 13)]
    newest = outcome.history[-1]
    assert (newest["verdict"], newest["interface"]) == ("OBSERVE", "claude-code/anthropic")
    assert newest["audit"] == scope.key([log])
    assert any("to go" in reason for reason in newest["reasons"])


def test_the_same_night_twice_is_one_verdict(file, log):
    night(file, log)
    night(file, log)

    assert remembered(night(file, log, as_of=NIGHT + timedelta(minutes=5))) == [("30 03:00", 12)]


def test_other_evidence_on_the_same_night_is_another_verdict(file, log):
    night(file, log)
    write_log(log, rows_of([Session("late").delivered("zz")]))

    assert remembered(night(file, log)) == [("30 03:00", 12), ("30 03:00", 13)]


def test_a_missed_night_is_made_up_for_by_the_next(file, log):
    night(file, log, as_of=NIGHT - timedelta(days=20))
    kept = night(file, log)
    fresh = night(file.with_name("fresh.duckdb"), log)

    assert (kept.interfaces, kept.rows) == (fresh.interfaces, fresh.rows)


def test_each_log_has_a_history_of_its_own(file, log, tmp_path):
    other = write_log(tmp_path / "other", rows_of([Session("s1").delivered("aa")]))
    night(file, log)

    assert remembered(night(file, other)) == [("30 03:00", 1)]
    assert remembered(night(file, log)) == [("30 03:00", 12)]


def test_a_rehearsal_is_kept_apart(file, log):
    night(file, log, is_rehearsal=True)

    assert remembered(night(file, log)) == [("30 03:00", 12)]


def test_a_rebuild_rescues_the_history_where_it_can_be_read(file, log):
    night(file, log)
    garble_middle(leave_a_log(file))

    outcome = night(file, log, as_of=NIGHT + timedelta(days=1))

    assert remembered(outcome) == [("30 03:00", 12), ("01 03:00", 12)]
    assert "1 verdicts of its history were rescued" in outcome.notes[0]

"""What is built anew, the warehouse or only its models, tells night after night what it told."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from compact_guard.evaluator import evaluation, warehouse
from tests.builders import MORNING, OLD_FINGERPRINT, Session, busy_weeks, rows_of, write_log
from tests.evaluator.damage import garble_head, garble_middle, leave_a_log
from tests.evaluator.nights import days, night, told

LONG_AGO = datetime(2026, 3, 1)
Rebuild = Callable[[Path], object]


def damaged(file: Path) -> None:
    """Moved aside by the next evaluation; its history can be read."""
    garble_middle(leave_a_log(file))


def of_other_models(file: Path) -> None:
    """As another release built them."""
    with warehouse.connect(file) as connection:
        connection.execute("update raw_models_built set models_hash = 'another release'")


WITH_HISTORY = pytest.mark.parametrize("rebuild", [damaged, of_other_models])
HOWEVER = pytest.mark.parametrize("rebuild", [damaged, garble_head, of_other_models])


@pytest.fixture(autouse=True)
def looked_at_late(later) -> None:
    """Files that did not change are known by their status."""


@pytest.fixture
def log(tmp_path) -> Path:
    """A failure and a success of long ago, and six sessions of the present period."""
    lost = Session("lost", at=LONG_AGO, fingerprint=OLD_FINGERPRINT)
    lost.pre("aa").finish().start(None, "none")
    fine = Session("fine", at=LONG_AGO, fingerprint=OLD_FINGERPRINT).delivered("bb")
    return write_log(tmp_path / "audit", rows_of([lost, fine, *busy_weeks(6, 12)]))


def later_work(log: Path, name: str, day: int) -> None:
    """A new session, and one that goes on."""
    new = Session(name, at=MORNING + days(day)).delivered(name)
    old = Session("work 0", at=MORNING + days(day)).delivered(f"{name} too")
    renumbered = [row | {"event_id": f"{name}{row['event_id']}"[:24]} for row in old.rows]
    write_log(log, [*new.rows, *renumbered])


def expired(outcome: evaluation.Evaluation) -> list[str]:
    """What the notes say of expired sessions."""
    return [note for note in outcome.notes if note.startswith("Expired from the warehouse")]


@HOWEVER
def test_what_expired_expires_again_and_further_nights_are_those_of_an_untroubled_warehouse(
    tmp_path, log, rebuild: Rebuild
):
    troubled, calm = tmp_path / "troubled.duckdb", tmp_path / "calm.duckdb"
    for name, day in (("ee", 20), ("ff", 21)):
        outcomes = [night(file, log, keep=days(90)) for file in (troubled, calm)]
        assert told(outcomes[0]) == told(outcomes[1])
        assert expired(outcomes[0]) == expired(outcomes[1]) != []
        later_work(log, name, day)
        rebuild(troubled)


@WITH_HISTORY
def test_a_failure_whose_log_is_gone_too_stays_told(tmp_path, log, rebuild: Rebuild):
    file = tmp_path / "w.duckdb"
    before = night(file, log, keep=days(90))
    (log / "2026-03-01.jsonl").unlink()

    rebuild(file)
    after = night(file, log, keep=days(90))
    later_work(log, "ee", 20)

    assert told(after) == told(before)
    assert expired(after) == expired(before)
    assert "1 of them missed or duplicated" in expired(before)[0]
    further = night(file, log, keep=days(90))
    assert told(further) == told(night(tmp_path / "fresh.duckdb", log))
    assert expired(further) == expired(before)


@WITH_HISTORY
def test_without_an_expiry_a_rebuilt_warehouse_is_as_one_made_anew(tmp_path, log, rebuild: Rebuild):
    file = tmp_path / "w.duckdb"
    night(file, log, keep=days(90))
    rebuild(file)
    for path in log.iterdir():
        path.rename(path.with_name(f"again-{path.name}"))

    again = night(file, log)
    later_work(log, "ee", 20)

    assert (expired(again), told(again)[2][0]["missed"]) == ([], 1)
    assert told(night(file, log)) == told(night(tmp_path / "fresh.duckdb", log))


@WITH_HISTORY
def test_rows_left_out_stay_out_through_a_rebuild_and_come_back_whole(
    tmp_path, log, rebuild: Rebuild
):
    """Theirs is another folder, in which a session of ours went on, with a row of ours twice."""
    file, theirs = tmp_path / "w.duckdb", tmp_path / "theirs"
    write_log(theirs, rows_of(busy_weeks(1, 1))[:2])
    later_work(theirs, "ee", 20)
    night(file, log, theirs)
    night(file, log)

    rebuild(file)

    for number, folders in enumerate([(log,), (log, theirs), (theirs,)]):
        fresh = night(tmp_path / f"{number}.duckdb", *folders)
        assert told(night(file, *folders)) == told(fresh)
        later_work(folders[-1], f"{number}{number}", 21 + number)

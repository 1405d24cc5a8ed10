"""A warehouse that is kept says every night what one made that night would say."""

import json
import random
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from compact_guard.evaluator import verdict_json
from tests.evaluator.answers import written
from tests.evaluator.nights import night, told
from tests.simulator import shipping, world
from tests.simulator.guard import Row
from tests.simulator.world import MORNING, NIGHT, Session

SESSIONS = 40
NIGHTS = [MORNING + timedelta(days=days) for days in (9, 15, 16)] + [NIGHT]


def arrived_by(sessions: list[Session], as_of: datetime, late: dict[str, timedelta]) -> list[Row]:
    """The rows that are there by then; some take days to arrive."""
    rows = [row for session in sessions for row in shipping.leave_all(session).rows]
    return [row for row in rows if row.at + late.get(row.event_id, timedelta(0)) <= as_of]


def ship(folder: Path, sessions: list[Session], as_of: datetime, rows: list[Row]) -> None:
    """Logs only grow; transcripts are as long as they were at that time."""
    log = folder / "audit" / "log.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    known = log.read_text() if log.exists() else ""
    fresh = [line for line in (json.dumps(row.fields) for row in rows) if line not in known]
    log.write_text(known + "".join(f"{line}\n" for line in fresh))
    for session in sessions:
        if session.writer is not None:
            marks = session.writer.transcript.marks
            ends = [mark.line[1] for mark in marks if mark.at <= as_of]
            if ends:
                content = bytes(session.writer.transcript.content[: max(ends)])
                written(folder / "transcripts" / session.writer.path, content)


@pytest.mark.parametrize("seed", [71, 72])
def test_night_after_night_nothing_is_told_otherwise_than_from_nothing(tmp_path, seed):
    rng = random.Random(seed)
    sessions = world.a_world(seed, SESSIONS)
    rows = arrived_by(sessions, datetime.max, {})
    late = {row.event_id: timedelta(days=rng.randrange(1, 9)) for row in rng.sample(rows, 40)}
    for number, as_of in enumerate(NIGHTS):
        ship(tmp_path, sessions, as_of, arrived_by(sessions, as_of, late))
        files = {"transcripts": (tmp_path / "transcripts",), "as_of": as_of}
        kept = night(tmp_path / "kept.duckdb", tmp_path / "audit", **files)
        fresh = night(tmp_path / f"{number}.duckdb", tmp_path / "audit", **files)

        assert told(kept) == told(fresh)
        assert verdict_json.as_json(kept) == verdict_json.as_json(fresh)

"""A second registration of the guard doubles the rows of every hook, and changes no outcome.

Only where the agent ran no PreCompact hook at all do two receipts look like two compactions.
"""

import hashlib
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.simulator import world
from tests.simulator.guard import Row
from tests.simulator.judging import compactions, loaded
from tests.simulator.shipping import Left, leave_all

STEPPED_BACK = {
    "outcome": "skipped",
    "reason": "claimed_elsewhere",
    "checkpoint_hash": None,
    "transcript_bytes": None,
    "last_boundary_bytes": None,
}
ANSWERS = {"injected": "already_used", "already_used": "already_used", "refused": "refused"}


def with_its_double(row: Row) -> Iterator[Row]:
    """The row, and what the same hook of a second registration writes right behind it."""
    yield row
    changes = double_of(row)
    if changes is not None and not row.subagent:
        event_id = hashlib.sha256(row.event_id.encode()).hexdigest()[:24]
        at = row.at + timedelta(microseconds=1)
        yield Row(event_id, at, row.fields | {"event_id": event_id} | changes)


def double_of(row: Row) -> dict[str, object] | None:
    match row.event:
        case "pre_compact" if row.outcome != "skipped":
            return STEPPED_BACK
        case "session_start" if row.outcome == "none":
            return STEPPED_BACK
        case "session_start" if row.outcome in ANSWERS:
            return {"outcome": ANSWERS[row.outcome]}
        case "post_compact":
            return {}
    return None  # the world's other rows name no checkpoint and are of no second run


def registered_twice(left: Left) -> Left:
    return left._replace(rows=[each for row in left.rows for each in with_its_double(row)])


def announced(lefts: list[Left]) -> list[dict[str, Any]]:
    """What became of each compaction that a PreCompact hook told of."""
    with loaded(lefts) as connection:
        return [row for row in compactions(connection) if row["outcome"] != "uncovered"]


@pytest.mark.parametrize("has_transcripts", [True, False], ids=["with", "without"])
@pytest.mark.parametrize("seed", range(40, 43))
def test_two_registrations_are_judged_like_one(seed, has_transcripts):
    once = [leave_all(session) for session in world.a_world(seed)]
    if not has_transcripts:
        once = [left._replace(file=None) for left in once]
    twice = [registered_twice(left) for left in once]

    assert announced(twice) == announced(once)
    assert sum(len(left.rows) for left in twice) > 1.5 * sum(len(left.rows) for left in once)

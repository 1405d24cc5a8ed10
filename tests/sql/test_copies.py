"""A copy of a row is the row again; another row under its id is not."""

import json
from typing import Any

import duckdb
import pytest

from compact_guard.evaluator import audit_lines, building, ingest, policy, warehouse
from tests.builders import Session
from tests.models import NIGHT

ROW = Session("s1").delivered("aa").rows[0] | {"counts": {"tasks": 3, "bytes": 1}}

# Another valid value for every field but the id: whichever differs, it is no copy.
OTHERS: dict[str, Any] = {
    "recorded_at": "2026-11-05T03:00:00.000001Z",
    "host": "b2" * 8,
    "guard_version": "0.1.1",
    "guard_fingerprint": "c" * 12,
    "interface": "codex/cli",
    "agent": "codex",
    "agent_version": "9.9.9",
    "model": "some-model",
    "event": "session_start",
    "source": "compact",
    "trigger": "manual",
    "delivery": "next_turn",
    "session_hash": "1" * 64,
    "transcript_hash": None,
    "turn_hash": "2" * 64,
    "transcript_bytes": 7,
    "last_boundary_bytes": 3,
    "checkpoint_hash": "3" * 64,
    "outcome": "skipped",
    "reason": "deadline",
    "origin": "synthetic",
    "subagent": True,
    "duration_ms": 21,
    "counts": {"tasks": 3, "bytes": 2},
}


def fates(*texts: str) -> list[tuple[str, str | None]]:
    """What becomes of these lines."""
    with duckdb.connect() as connection:
        warehouse.create(connection)
        lines = [
            ingest.parse_line(text.encode(), "log.jsonl", number)
            for number, text in enumerate(texts, start=1)
        ]
        audit_lines.insert(connection, lines)
        warehouse.set_parameters(connection, NIGHT, policy.load())
        building.build(connection)
        return connection.execute(
            "select fate, quarantine_reason from stg_audit_lines order by all"
        ).fetchall()


def test_every_field_of_the_contract_has_another_value_here():
    assert {*OTHERS, "schema", "event_id"} == {*ingest.field_names()}


def test_a_copy_is_one_whatever_its_order_spelling_and_strangers():
    turned = dict(reversed(ROW.items())) | {"stranger": 1, "duration_ms": int(ROW["duration_ms"])}
    turned["counts"] = {"bytes": 1, "tasks": 3}

    assert fates(json.dumps(ROW), json.dumps(turned, separators=(",", ":"))) == [
        ("accepted", None),
        ("duplicate", None),
    ]


@pytest.mark.parametrize("field", OTHERS)
def test_a_row_that_differs_in_any_field_reuses_the_id(field):
    base = ROW | {"outcome": "failed"}  # of every event
    other = base | {field: OTHERS[field]}

    found = fates(json.dumps(base), json.dumps(other))

    assert sorted(fate for fate, _ in found) == ["accepted", "quarantined"]
    assert ("quarantined", "event_id_reused") in found

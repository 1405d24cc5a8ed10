"""Night after night only some threads are judged anew, and nothing ever differs from all anew."""

import itertools
import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import duckdb
import pytest

from compact_guard.evaluator import audit_lines, audit_log, building, ingest, policy, warehouse
from tests.simulator import shipping, world
from tests.simulator.world import NIGHT

SEEDS = (1, 10)
GRACES = ("30m", "30m", "30m", "9h")


def lines_of(seed: int, rng: random.Random) -> list[ingest.Line]:
    """The rows of a world in the order in which they arrive, some of them twice or altered."""
    rows = [
        row.fields | {"recorded_at": row.at}
        for session in world.a_world(seed)
        for row in shipping.leave_some(session, rng, with_transcripts=False).rows
    ]
    rows.sort(key=lambda row: row["recorded_at"] + timedelta(hours=rng.choice((0, 0, 0, 30))))
    twice = [rows[rng.randrange(len(rows))] for _ in range(4)]
    other = rng.choice(rows)
    altered = rng.choice(rows) | {
        "session_hash": other["session_hash"],
        "transcript_hash": other["transcript_hash"],
    }
    for row in (*twice, altered):
        rows.insert(rng.randrange(len(rows)), row)
    return [
        ingest.Line(f"log {number % 3}", number, 0, str(number), None, row)
        for number, row in enumerate(rows, start=1)
    ]


def portions(lines: list[ingest.Line], rng: random.Random) -> list[list[ingest.Line]]:
    """What is new in each night: much in the first one, nothing in some."""
    places = sorted(rng.choices(range(len(lines) // 2, len(lines)), k=6))
    bounds = [0, *places, places[-1], len(lines)]
    return [lines[begin:end] for begin, end in itertools.pairwise(bounds)]


def build(
    connection: duckdb.DuckDBPyConnection, as_of: datetime, grace: str, is_rehearsal: bool
) -> dict[str, list[Any]]:
    """Every model that outlives the building, in order; threads have numbers of their own."""
    rules = replace(policy.load(), grace_seconds=60.0 * (30 if grace == "30m" else 540))
    warehouse.set_parameters(connection, as_of, rules, is_rehearsal=is_rehearsal)
    building.build(connection)
    return {
        model.name: sorted(
            repr({name: value for name, value in row.items() if name != "thread"})
            for row in warehouse.rows(connection, f"select * from {model.name}")
        )
        for model in warehouse.models()
        if model.layer not in warehouse.STORED and model.built != building.IN_PASSING
    }


def fresh(lines: list[ingest.Line], *parameters: Any) -> dict[str, list[Any]]:
    """The same from nothing."""
    with duckdb.connect() as connection:
        warehouse.create(connection)
        audit_lines.insert(connection, lines)
        return build(connection, *parameters)


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_a_night_brings_the_models_are_those_built_from_nothing(seed, monkeypatch):
    rng = random.Random(seed)
    replaced: list[str] = []
    replace_kept = building._replace
    monkeypatch.setattr(
        building,
        "_replace",
        lambda connection, name: replaced.append(name) or replace_kept(connection, name),
    )
    there: list[ingest.Line] = []
    with duckdb.connect() as connection:
        warehouse.create(connection)
        for night, new in enumerate(portions(lines_of(seed, rng), rng)):
            audit_lines.insert(connection, new)
            there += new
            if night == 4:
                audit_log._forget(connection, "file = ?", "log 1")
                there = [line for line in there if line.file != "log 1"]
            parameters = (
                NIGHT - timedelta(hours=rng.choice((0, 0, 1, 5, 40))),
                rng.choice(GRACES),
                rng.random() < 0.1,
            )

            assert build(connection, *parameters) == fresh(there, *parameters)
    assert replaced, "no night was built from touched threads alone"

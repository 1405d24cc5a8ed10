"""The warehouse built from what was shipped, and what it says."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb

from compact_guard.evaluator import audit_lines, building, ingest, policy, warehouse
from compact_guard.transcripts import witness
from compact_guard.transcripts.facts import Fact
from tests.models import check_keys
from tests.simulator import shipping
from tests.simulator.course import Finding
from tests.simulator.shipping import Left
from tests.simulator.world import NIGHT

_IDENTITIES = """
    select * from evidence_identities
    where compactions_without_outcome <> 0 or compactions_twice <> 0 or pre_compacts_lost <> 0
    or injections_unplaced <> 0 or counted_not_eligible <> 0
"""


@contextmanager
def shipped(
    folder: Path, lefts: list[Left], *, seed: int = 0, as_of: datetime = NIGHT
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Every model, built from the files that `lefts` amount to; keys and identities hold."""
    rng = random.Random(seed)
    rows = [row for left in lefts for row in left.rows]
    log = shipping.write_log(folder / "audit", rows, rng)
    shipping.write_transcripts(folder / "transcripts", lefts, rng)
    connection = duckdb.connect()
    warehouse.create(connection)
    audit_lines.insert(connection, _lines(log))
    witness.load(connection, [folder / "transcripts"])
    build(connection, as_of)
    yield connection
    connection.close()


@contextmanager
def loaded(lefts: list[Left], as_of: datetime = NIGHT) -> Iterator[duckdb.DuckDBPyConnection]:
    """As `shipped`, without files between: for many sessions, where reading is not in question."""
    connection = duckdb.connect()
    warehouse.create(connection)
    rows = [row for left in lefts for row in left.rows]
    lines = [
        ingest.Line("log", number, 0, row.event_id, None, row.fields | {"recorded_at": row.at})
        for number, row in enumerate(rows, start=1)
    ]
    audit_lines.insert(connection, lines)
    witness._insert(connection, [_read(left) for left in lefts if left.file])
    build(connection, as_of)
    yield connection
    connection.close()


def _read(left: Left) -> witness.TranscriptFile:
    """What a reader finds in the file."""
    session, shown = left.session, left.file
    assert shown is not None
    records = session.writer.transcript.records_hook_text
    facts = [
        Fact(mark.offset, mark.kind, mark.at, mark.key, records_hook_text=records)
        for mark in session.writer.transcript.marks
        if shown.shows(mark)
    ]
    # A last line without its end may still be growing: it is no damage.
    facts += [Fact(line[0], "unreadable") for line in shown.garbled if line[1] <= shown.complete]
    file = witness.File(
        file=session.name,
        agent=session.agent_name,
        transcript_hash=session.transcript_hash,
        session_hash=session.session_hash,
        interface=session.interface if session.agent_name == "codex" else None,
        agent_version=session.version,
        complete_bytes=shown.complete,
        file_bytes=shown.size,
        is_subagent=False,
        is_slice=False,
        records_hook_text=records,
    )
    return witness.TranscriptFile(file, sorted(facts))


def _lines(log: Path) -> Iterator[ingest.Line]:
    for file in sorted(log.iterdir()):
        for number, line in enumerate(file.read_bytes().split(b"\n"), start=1):
            if line.strip():
                yield ingest.parse_line(line.rstrip(b"\r"), file.name, number)


def build(connection: duckdb.DuckDBPyConnection, as_of: datetime = NIGHT) -> None:
    warehouse.set_parameters(connection, as_of, policy.load())
    building.build(connection)
    check_keys(connection)
    assert connection.execute(_IDENTITIES).fetchall() == []


def compactions(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    return warehouse.rows(connection, "select * from compactions order by compaction_id")


def found(connection: duckdb.DuckDBPyConnection) -> Counter[Finding]:
    """What the SQL says, in the oracle's terms."""
    return Counter(
        Finding(
            name=(row["boundary_key"] if row["outcome"] == "uncovered" else None)
            or row["compaction_id"],
            outcome=row["outcome"],
            evidence=row["evidence"],
            is_unresolved=row["is_unresolved"],
            interface=row["interface"],
            fingerprint=row["guard_fingerprint"],
        )
        for row in compactions(connection)
    )

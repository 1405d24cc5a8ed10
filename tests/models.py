"""Build the models of sql/ for a test, and hold every header against what it promises."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import duckdb

from compact_guard.evaluator import audit_lines, building, ingest, policy, warehouse
from tests.builders import Session, digest, rows_of

NIGHT = datetime(2026, 11, 30, 3, 0)


@contextmanager
def built(
    rows: Iterable[dict[str, Any]],
    *,
    as_of: datetime = NIGHT,
    settings: policy.Policy | None = None,
    is_rehearsal: bool = False,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse in memory with every model built from `rows`; each key is checked."""
    connection = duckdb.connect()
    warehouse.create(connection)
    lines = [
        ingest.parse_line(ingest.json.dumps(row).encode(), "log.jsonl", number)
        for number, row in enumerate(rows, start=1)
    ]
    assert [line.reject_reason for line in lines if line.reject_reason] == []
    audit_lines.insert(connection, lines)
    warehouse.set_parameters(
        connection, as_of, settings or policy.load(), is_rehearsal=is_rehearsal
    )
    building.build(connection)
    check_keys(connection)
    yield connection
    connection.close()


def check_keys(connection: duckdb.DuckDBPyConnection) -> None:
    """Every model's key is unique and not null, as its header says."""
    for model in warehouse.models():
        key = ", ".join(model.key)
        is_null = " or ".join(f"{column} is null" for column in model.key)
        offenders = connection.execute(
            f"select {key} from {model.name} group by {key} having count(*) > 1 or {is_null}"
        ).fetchall()
        assert offenders == [], f"{model.name}: {key} is not a key"


def outcomes(*sessions: Session, **options: Any) -> dict[str, str]:
    """What became of each compaction: label (or "?" without a checkpoint) -> outcome."""
    return {label: row["outcome"] for label, row in compactions(*sessions, **options).items()}


def details(*sessions: Session, **options: Any) -> dict[str, str]:
    """Label -> detail, which tells the cases of one outcome apart."""
    return {label: row["detail"] for label, row in compactions(*sessions, **options).items()}


def compactions(*sessions: Session, **options: Any) -> dict[str, dict[str, Any]]:
    """The compactions mart by label; several without a checkpoint are "?", "?2", …"""
    labels = {digest(label): label for label in _LABELS}
    with built(rows_of(sessions), **options) as connection:
        found = warehouse.rows(
            connection, "select * from compactions order by recorded_at, compaction_id"
        )
    named: dict[str, dict[str, Any]] = {}
    for row in found:
        label = labels.get(row["checkpoint_hash"], "?")
        named[label if label not in named else f"{label}{len(named) + 1}"] = row
    return named


_LABELS = [letter * 2 for letter in "abcdefghijklmnopqrstuvwxyz"] + [
    f"checkpoint {number}" for number in range(200)
]

"""The warehouse: one DuckDB file, filled from logs, with a table for every model in sql/.

Every question is one file of sql/; this module only finds them, orders them by the `reads:`
of their headers and runs them.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard import assets, ingest
from compact_guard.policy import Policy

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

LAYERS = ("raw", "staging", "intermediate", "marts")

# DuckDB 1.5 can still open what 2.0 writes with this; by default 2.0 writes files that it cannot.
_STORAGE_VERSION = "v1.5.0"

_HEADER = re.compile(r"^-- (question|grain|key|reads): +(.+)$", re.MULTILINE)


class Model(NamedTuple):
    """One file of sql/: the table it makes and the promises of its header."""

    name: str
    layer: str
    question: str
    grain: str
    key: tuple[str, ...]
    reads: tuple[str, ...]
    sql: str


def read_model(path: Path) -> Model:
    """Parse one SQL file's header; raises ValueError naming the file when a promise is missing."""
    sql = path.read_text(encoding="utf-8")
    header = dict(_HEADER.findall(sql))
    missing = {"question", "grain", "key", "reads"} - header.keys()
    if missing:
        raise ValueError(f"{path}: header lacks {', '.join(sorted(missing))}")
    reads = () if header["reads"] == "nothing" else tuple(header["reads"].split(", "))
    return Model(
        name=path.stem,
        layer=path.parent.name,
        question=header["question"],
        grain=header["grain"],
        key=tuple(header["key"].split(", ")),
        reads=reads,
        sql=sql,
    )


def models() -> list[Model]:
    """Every model of sql/, each after those it reads."""
    found = {
        path.stem: read_model(path)
        for layer in LAYERS
        for path in sorted(assets.folder("sql", layer).glob("*.sql"))
    }
    order = TopologicalSorter({name: model.reads for name, model in found.items()}).static_order()
    return [found[name] for name in order]


@contextmanager
def connect(file: Path) -> "Iterator[DuckDBPyConnection]":
    """The warehouse at `file`, made when it is not there; never fetches an extension."""
    import duckdb

    connection = duckdb.connect(
        str(file),
        config={
            "storage_compatibility_version": _STORAGE_VERSION,
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        },
    )
    try:
        yield connection
    finally:
        connection.close()


def create(connection: "DuckDBPyConnection") -> None:
    """Make the raw tables that are not there yet."""
    for model in models():
        if model.layer == "raw":
            connection.execute(model.sql)


def set_parameters(
    connection: "DuckDBPyConnection",
    as_of: datetime,
    policy: Policy,
    *,
    is_rehearsal: bool = False,
    guard_fingerprint: str | None = None,
) -> None:
    """Say as of when (naive UTC) and under which policy the models are built."""
    connection.execute("delete from raw_run_parameters")
    connection.execute(
        "insert into raw_run_parameters values (?, ?, ?, ?, ?)",
        [
            as_of,
            policy.grace_seconds,
            list(policy.natural_triggers),
            is_rehearsal,
            guard_fingerprint,
        ],
    )


def insert_audit_lines(connection: "DuckDBPyConnection", lines: Iterable[ingest.Line]) -> int:
    """Append parsed lines to raw_audit_lines; returns how many."""
    import pandas as pd

    names = [row[0] for row in connection.execute("describe raw_audit_lines").fetchall()]
    frame = pd.DataFrame([_flat(line) for line in lines], columns=names, dtype=object)
    if not frame.empty:
        connection.register("audit_lines_batch", frame)
        connection.execute("insert into raw_audit_lines by name select * from audit_lines_batch")
        connection.unregister("audit_lines_batch")
    return len(frame)


def build(connection: "DuckDBPyConnection") -> None:
    """Build every model above the raw layer anew, in the order of their headers."""
    for model in models():
        if model.layer != "raw":
            connection.execute(f"create or replace table {model.name} as\n{model.sql}")


def rows(connection: "DuckDBPyConnection", query: str, *values: object) -> list[dict[str, Any]]:
    """The rows of a query as dictionaries."""
    cursor = connection.execute(query, list(values))
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _flat(line: ingest.Line) -> dict[str, Any]:
    import json

    flat: dict[str, Any] = line._asdict()
    row = flat.pop("row")
    if row is not None:
        flat |= row
        flat["content_hash"] = ingest.content_hash(row)
        flat["counts"] = json.dumps(row["counts"], sort_keys=True)
        del flat["schema"]
    return flat

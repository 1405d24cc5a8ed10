"""Put the lines of audit logs into raw_audit_lines.

DuckDB reads JSON of known types seven times faster than it takes rows from Python.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import orjson

from compact_guard.evaluator import ingest
from compact_guard.evaluator.plain_rows import PlainLine

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def insert(connection: "DuckDBPyConnection", lines: Iterable[ingest.Line | PlainLine]) -> int:
    """Append lines to raw_audit_lines; returns how many."""
    plain: list[PlainLine] = []
    others: list[ingest.Line] = []
    for line in lines:
        if isinstance(line, PlainLine):
            plain.append(line)
        else:
            others.append(line)
    if plain:
        _insert_plain(connection, plain)
    if others:
        _insert_others(connection, others)
    return len(plain) + len(others)


def _insert_plain(connection: "DuckDBPyConnection", lines: Sequence[PlainLine]) -> None:
    import pandas as pd

    of_row = _columns(connection, without=(*PlainLine._fields, *ingest.Line._fields))
    connection.register(
        "plain_lines", pd.DataFrame(lines, columns=list(PlainLine._fields), dtype=object)
    )
    connection.execute(
        "insert into raw_audit_lines by name "
        "select * exclude (text, row, subagent), coalesce(subagent, false) as subagent "
        f"from (select *, {', '.join(f'row.{name}' for name in of_row)} "
        f"from (select *, from_json(text, '{json.dumps(of_row)}') as row from plain_lines))"
    )
    connection.unregister("plain_lines")


def _insert_others(connection: "DuckDBPyConnection", lines: Sequence[ingest.Line]) -> None:
    of_line = _columns(connection, only=ingest.Line._fields)
    of_row = _columns(connection, without=ingest.Line._fields)
    struct = ", ".join(f'"{name}" {kind}' for name, kind in of_row.items())
    with tempfile.NamedTemporaryFile(suffix=".jsonl", delete=False) as handed_over:
        try:
            handed_over.writelines(_as_json(line) for line in lines)
            handed_over.close()
            connection.execute(
                f"insert into raw_audit_lines by name select {', '.join(of_line)}, "
                f"{', '.join(f'row.{name}' for name in of_row)} "
                "from read_json(?, columns = ?, format = 'newline_delimited')",
                [handed_over.name, of_line | {"row": f"struct({struct})"}],
            )
        finally:
            os.unlink(handed_over.name)  # noqa: PTH108 - a name, not a path


def _columns(
    connection: "DuckDBPyConnection", only: Iterable[str] = (), without: Iterable[str] = ()
) -> dict[str, str]:
    """The table's columns and their types."""
    described = connection.execute("describe raw_audit_lines").fetchall()
    chosen, refused = set(only), set(without)
    return {
        name: kind
        for name, kind, *_ in described
        if (not chosen or name in chosen) and name not in refused
    }


def _as_json(line: ingest.Line) -> bytes:
    row = None if line.row is None else orjson.Fragment(ingest.canonical(line.row))
    return orjson.dumps(line._asdict() | {"row": row}, option=orjson.OPT_APPEND_NEWLINE)

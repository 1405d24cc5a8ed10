"""Audit logs that grow, rotate and break, and what a warehouse makes of them."""

import gzip
import itertools
import json
from pathlib import Path
from typing import Any, Self

import duckdb

from compact_guard.evaluator import audit_log, warehouse
from tests.builders import Session
from tests.zstandard import zstd

_NUMBERS = itertools.count()

LINES = """
select file, line_number, line_hash, reject_reason, event_id, recorded_at, counts
from raw_audit_lines
where file not in (select file from raw_files_left_out where kind = 'audit')
order by all
"""


def row() -> str:
    """One valid line, like no other."""
    return json.dumps(Session(f"session {next(_NUMBERS)}").pre("aa").rows[0])


class Log:
    """One audit log file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)

    def append(self, *lines: str, end: str = "\n") -> Self:
        """Whole lines, but for the last where `end` is empty."""
        with self.path.open("a", encoding="utf-8", newline="") as log:
            log.write("\n".join(lines) + end)
        return self

    def overwrite(self, *lines: str) -> Self:
        """Other content in the same file."""
        self.path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return self

    def replace(self, *lines: str) -> Self:
        """Another file in its place."""
        Log(self.path.with_suffix(".new")).overwrite(*lines).path.rename(self.path)
        return self

    def truncate(self, size: int) -> Self:
        """Its first bytes only."""
        content = self.path.read_bytes()
        with self.path.open("r+b") as log:
            log.truncate(min(size, len(content)))
        return self

    def rotate(self, name: str) -> Self:
        """Renamed; compressed where the name says so."""
        aside = self.path.with_name(name)
        if name.endswith(".gz"):
            aside.write_bytes(gzip.compress(self.path.read_bytes()))
            self.path.unlink()
        else:
            self.path.rename(aside)
        return self


def zstandard(content: bytes) -> bytes:
    """Compressed as Codex compresses old files."""
    return zstd.compress(content)


def memory() -> duckdb.DuckDBPyConnection:
    """An empty warehouse."""
    connection = duckdb.connect()
    warehouse.create(connection)
    return connection


def lines(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """Every line that counts, with what became of it when it was read."""
    return connection.execute(LINES).fetchall()


def fresh(*paths: Path) -> list[tuple[Any, ...]]:
    """The lines as a warehouse without a past reads them."""
    with memory() as connection:
        audit_log.load(connection, list(paths))
        return lines(connection)

"""The warehouse: one DuckDB file, filled from logs, with a table for every model in sql/.

Every question is one file of sql/; this module only finds them, orders them by the `reads:`
of their headers and runs them.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard import assets
from compact_guard.errors import UsageError
from compact_guard.evaluator import writer_lock
from compact_guard.evaluator.policy import Policy

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Raw tables are filled from logs, kept ones hold what no log can give back; models fill the rest.
LAYERS = ("raw", "kept", "staging", "intermediate", "marts")
STORED = ("raw", "kept")

# DuckDB 1.5 can still open what 2.0 writes with this; by default 2.0 writes files that it cannot.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "storage_compatibility_version": "v1.5.0",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "2000MB",  # 10 million rows then peak at 2.6 GiB
}

# DuckDB's words for a file that another process has open, on POSIX and on Windows.
_LOCKED = ("Could not set lock on file", "used by another process")
_OWNER = re.compile(r"PID \d+")

_HEADER = re.compile(r"^-- (question|grain|key|reads|built): +(.+)$", re.MULTILINE)


class Model(NamedTuple):
    """One file of sql/: the table it makes and the promises of its header."""

    name: str
    layer: str
    question: str
    grain: str
    key: tuple[str, ...]
    reads: tuple[str, ...]
    built: str
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
        built=header.get("built", "as table"),
        sql=sql,
    )


def models(root: str = "sql") -> list[Model]:
    """Every model below `root` (sql, or sql/window), each after those it reads."""
    found = {
        path.stem: read_model(path)
        for layer in LAYERS
        for path in sorted((assets.folder(*root.split("/")) / layer).glob("*.sql"))
    }
    order = TopologicalSorter({name: model.reads for name, model in found.items()}).static_order()
    return [found[name] for name in order]


@contextmanager
def connect(
    file: Path,
    *,
    wait_seconds: float = 60.0,
    tell: writer_lock.Tell = len,
) -> "Iterator[DuckDBPyConnection]":
    """The warehouse at `file`, made when it is not there; never fetches an extension.

    Raises BusyError when another process, a reader too, keeps it open for `wait_seconds`,
    UsageError when its folder is none.
    """
    if not file.parent.is_dir():
        raise UsageError(f"{file.parent} is no folder: name a file for the warehouse in one")
    # DuckDB makes its files, the log beside the file too, as the umask says.
    umask = os.umask(0o077)
    try:
        connection = _opened(file, wait_seconds, tell)
        try:
            yield connection
        finally:
            connection.close()
    finally:
        os.umask(umask)


def _opened(file: Path, wait_seconds: float, tell: writer_lock.Tell) -> "DuckDBPyConnection":
    import duckdb

    opened: list[DuckDBPyConnection] = []
    refusal = ""

    def attempt() -> bool:
        nonlocal refusal
        try:
            opened.append(duckdb.connect(str(file), config=_CONFIG))
        except duckdb.IOException as error:
            refusal = str(error)
            if not any(words in refusal for words in _LOCKED):
                raise
        return bool(opened)

    def complaint() -> str:
        owner = _OWNER.search(refusal)
        return f"{file} is open in {owner[0] if owner else 'another process'}"

    writer_lock.wait_for(attempt, wait_seconds, tell, complaint)
    return opened[0]


@contextmanager
def transaction(connection: "DuckDBPyConnection") -> Iterator[None]:
    """All of it or, whatever happens, none."""
    connection.execute("begin transaction")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


def create(connection: "DuckDBPyConnection", root: str = "sql") -> None:
    """Make the raw and kept tables that are not there yet."""
    connection.execute(";\n".join(model.sql for model in models(root) if model.layer in STORED))


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


def rows(connection: "DuckDBPyConnection", query: str, *values: object) -> list[dict[str, Any]]:
    """The rows of a query as dictionaries."""
    cursor = connection.execute(query, list(values))
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

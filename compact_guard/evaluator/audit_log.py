"""Bring the warehouse up to date with the audit logs: only what is new is read.

Rows and the bookmark that they lead to are one transaction, so whatever kills the process, the
next run goes on from a line end, without a row lost or doubled.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from compact_guard.errors import UsageError
from compact_guard.evaluator import audit_lines, bookmarks, log_files, notes, scope, warehouse
from compact_guard.evaluator.log_files import Portion
from compact_guard.progress import Advance, silent

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

KIND = "audit"


def load(connection: "DuckDBPyConnection", paths: list[Path], advance: Advance = silent) -> int:
    """Read what is new under `paths`; returns how many lines were read.

    Afterwards exactly the lines of these paths are part of the evaluation, those included that
    were read from files now gone. Raises UsageError when there is no log, or one cannot be read.
    """
    found = log_files.find(paths)
    known = bookmarks.known(connection, KIND)
    count = 0
    for batch in _batches(found, known, advance):
        _take(connection, batch, known)
        count += sum(len(portion.lines) for portion in batch)
    with warehouse.transaction(connection):
        gone = scope.settle(connection, KIND, paths, set(found))
        if gone:
            _forget_moved(connection, gone, list(found))
        remembered = _count_lines(connection, gone) if gone else 0
        if not found and not remembered:
            raise UsageError(f"no audit log (*.jsonl) in {paths[0]}: {log_files.INSTALL_HINT}")
        if remembered:
            notes.add(
                connection,
                f"{remembered} lines of audit logs that are gone still count: "
                "the warehouse read them while they were there.",
            )
    return count


def _batches(
    found: dict[str, Path], known: dict[str, bookmarks.Bookmark], advance: Advance
) -> Iterator[list[Portion]]:
    """Portions of one file after the other; many small files share a transaction."""
    batch: list[Portion] = []
    held = 0
    for file, path in found.items():
        for portion in log_files.portions(file, path, known.get(file)):
            batch.append(portion)
            held += len(portion.lines)
            advance(sum(line.line_bytes for line in portion.lines))
            if held >= log_files.PORTION_LINES:
                yield batch
                batch, held = [], 0
    if batch:
        yield batch


def _take(
    connection: "DuckDBPyConnection",
    batch: list[Portion],
    known: dict[str, bookmarks.Bookmark],
) -> None:
    reached = {portion.bookmark.file: portion.bookmark for portion in batch}
    with warehouse.transaction(connection):
        for portion in batch:
            if portion.bookmark.file in known:
                # The whole file where it is read anew, else a last line that had no end yet.
                connection.execute(
                    "delete from raw_audit_lines where file = ? and line_number > ?",
                    [portion.bookmark.file, portion.after_line],
                )
        audit_lines.insert(connection, (line for portion in batch for line in portion.lines))
        bookmarks.save(connection, KIND, list(reached.values()))


def _forget_moved(connection: "DuckDBPyConnection", gone: list[str], found: list[str]) -> None:
    """A line of a file that is gone, and stands in one at hand, was moved there, not lost."""
    connection.execute(
        """
        delete from raw_audit_lines
        where list_contains($gone, file) and line_hash in (
            select line_hash from raw_audit_lines where list_contains($found, file)
        )
        """,
        {"gone": gone, "found": found},
    )
    connection.execute(
        """
        delete from raw_files
        where kind = 'audit' and is_gone and file not in (select file from raw_audit_lines)
        """
    )


def _count_lines(connection: "DuckDBPyConnection", files: list[str]) -> int:
    counted = connection.execute(
        "select count(*) from raw_audit_lines where list_contains(?, file)", [files]
    ).fetchone()
    return int(counted[0]) if counted else 0

"""Bring the warehouse up to date with the audit logs: only what is new is read.

Rows and the bookmark that they lead to are one transaction, so whatever kills the process, the
next run goes on from a line end, without a row lost or doubled.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from compact_guard.errors import UsageError
from compact_guard.evaluator import (
    audit_lines,
    bookmarks,
    log_files,
    notes,
    scope,
    threads,
    warehouse,
)
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
        count += _take(connection, batch, known)
    with warehouse.transaction(connection):
        before = scope.left_out(connection, KIND)
        gone = scope.settle(connection, KIND, paths, set(found))
        if gone:
            _forget_moved(connection, gone, list(found))
        if before != scope.left_out(connection, KIND):
            threads.touch_all(connection)
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
            held += portion.stretch.line_count
            advance(sum(map(len, portion.stretch.contents)))
            if held >= log_files.PORTION_LINES:
                yield batch
                batch, held = [], 0
    if batch:
        yield batch


def _take(
    connection: "DuckDBPyConnection",
    batch: list[Portion],
    known: dict[str, bookmarks.Bookmark],
) -> int:
    """Put a batch in its place; returns how many lines there were."""
    reached = {portion.bookmark.file: portion.bookmark for portion in batch}
    with warehouse.transaction(connection):
        for portion in batch:
            if portion.bookmark.file in known:
                # The whole file where it is read anew, else a last line that had no end yet.
                _forget(
                    connection,
                    "file = ? and line_number > ?",
                    portion.bookmark.file,
                    portion.stretch.after_line,
                )
        judged = [line for portion in batch for line in portion.judged]
        count = audit_lines.insert(connection, judged, [portion.stretch for portion in batch])
        bookmarks.save(connection, KIND, list(reached.values()))
    return count


def _forget_moved(connection: "DuckDBPyConnection", gone: list[str], found: list[str]) -> None:
    """A line of a file that is gone, and stands in one at hand, was moved there, not lost."""
    columns = ", ".join(
        name
        for name, *_ in connection.execute("describe raw_audit_lines").fetchall()
        if name not in ("file", "line_number", "line_hash", "spelling")
    )
    # An accepted line is known by its content, a rejected one by its hash.
    content = f"case when reject_reason is null then hash({columns})::varchar else line_hash end"
    _forget(
        connection,
        f"list_contains(?, file) and {content} in "
        f"(select {content} from raw_audit_lines where list_contains(?, file))",
        gone,
        found,
    )
    connection.execute(
        """
        delete from raw_files
        where kind = 'audit' and is_gone and file not in (select file from raw_audit_lines)
        """
    )


def _forget(connection: "DuckDBPyConnection", condition: str, *values: object) -> None:
    """Delete lines. What that means for copies of their events, every thread is asked anew."""
    [(count,)] = connection.execute(
        f"delete from raw_audit_lines where {condition}", list(values)
    ).fetchall()
    if count:
        threads.touch_all(connection)


def _count_lines(connection: "DuckDBPyConnection", files: list[str]) -> int:
    counted = connection.execute(
        "select count(*) from raw_audit_lines where list_contains(?, file)", [files]
    ).fetchone()
    return int(counted[0]) if counted else 0

"""How far a file was read, and how to know it again: by its status, its head and its tail.

A file whose status is the one seen is not opened. One that only grew is read on from the last
line end. Whatever else happened to it (rotated, truncated, replaced, rewritten), it is read anew.
"""

import hashlib
import os
import stat
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

WINDOW_BYTES = 4096  # of the head, and before the place that was reached

# A file changed within the clock tick of our look keeps the status that we saw. Two seconds are
# the coarsest tick of any file system.
SETTLED_NS = 2_000_000_000


class Bookmark(NamedTuple):
    """One row of raw_files; `read_bytes` ends behind a line end, times are nanoseconds."""

    file: str
    inode: str
    size_bytes: int
    modified_ns: int
    changed_ns: int
    seen_ns: int
    read_bytes: int = 0
    read_lines: int = 0
    head_hash: str = ""
    tail_hash: str = ""
    is_gone: bool = False


def look(file: str, status: os.stat_result) -> Bookmark:
    """The bookmark of a file of which nothing is read yet."""
    return Bookmark(
        file=file,
        inode=f"{status.st_dev}:{status.st_ino}",
        size_bytes=status.st_size,
        modified_ns=status.st_mtime_ns,
        changed_ns=status.st_ctime_ns,
        seen_ns=time.time_ns(),
    )


def is_unchanged(path: Path, known: Bookmark | None) -> bool:
    """Whether the file certainly holds what it held when it was read. Raises OSError."""
    if known is None or known.is_gone:
        return False
    status = path.stat()
    now = look(known.file, status)
    is_settled = max(known.modified_ns, known.changed_ns) + SETTLED_NS < known.seen_ns
    return is_settled and stat.S_ISREG(status.st_mode) and now[:5] == known[:5]


def only_grew(stream: IO[bytes], now: Bookmark, known: Bookmark | None) -> bool:
    """Whether what was read of a plain file still stands at its beginning, with more behind it."""
    if known is None or known.is_gone or not known.read_bytes:
        return False
    return (
        now.inode == known.inode
        and now.size_bytes > known.size_bytes
        and windows(stream, known.read_bytes) == (known.head_hash, known.tail_hash)
    )


def windows(stream: IO[bytes], read_bytes: int) -> tuple[str, str]:
    """The hashes of the first bytes and of the last ones before `read_bytes`."""
    size = min(WINDOW_BYTES, read_bytes)
    return _hash_at(stream, 0, size), _hash_at(stream, read_bytes - size, size)


def known(connection: "DuckDBPyConnection", kind: str) -> dict[str, Bookmark]:
    """Every bookmark of a kind, by file."""
    found = connection.execute(
        f"select {', '.join(Bookmark._fields)} from raw_files where kind = ?", [kind]
    ).fetchall()
    return {row[0]: Bookmark(*row) for row in found}


def save(connection: "DuckDBPyConnection", kind: str, bookmarks: list[Bookmark]) -> None:
    """Put these in the place of the files' earlier ones, in the transaction under way."""
    if not bookmarks:
        return
    columns = [list(column) for column in zip(*bookmarks, strict=True)]
    connection.execute(
        "delete from raw_files where kind = ? and list_contains(?, file)", [kind, columns[0]]
    )
    connection.execute(
        f"insert into raw_files (kind, {', '.join(Bookmark._fields)}) "
        f"select ?{', unnest(?)' * len(columns)}",
        [kind, *columns],
    )


def _hash_at(stream: IO[bytes], offset: int, size: int) -> str:
    stream.seek(offset)
    return hashlib.sha256(stream.read(size)).hexdigest()

"""What was read before and has not changed is not read again: one private SQLite file.

A transcript is known by path, size, times, inode and a hash of its first and last bytes, and by
the code that read it. A cache that is broken, busy or not writable is done without.
"""

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from compact_guard import assets
from compact_guard.hook import paths
from compact_guard.install import safe_file

_EDGE_BYTES = 4096
_BUSY_SECONDS = 2.0  # another study is writing: reading anew is no disaster
_ANSWERS_KEPT = 20

# Contents are large: small pages would scatter one over a hundred of them.
_TABLES = """
pragma page_size = 65536;
create table if not exists scans (path blob primary key, fingerprint text, content blob);
create table if not exists answers (key text primary key, content blob);
"""


def default_file() -> Path:
    """Where the cache lies unless somebody says otherwise."""
    return Path(paths.data_home()) / "window-cache" / "scans.sqlite3"


def fingerprint(path: Path) -> str:
    """Changes whenever the file may have; the same word for all that cannot be opened."""
    try:
        with path.open("rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            edges = file.read(_EDGE_BYTES)
            file.seek(max(0, status.st_size - _EDGE_BYTES))
            edges += file.read(_EDGE_BYTES)
    except OSError:
        return "no access"
    stamps = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)
    return hashlib.sha256(repr(stamps).encode() + edges).hexdigest()


def code_fingerprint() -> str:
    """Changes with whatever decides what is found in a transcript, or made of it."""
    package = Path(__file__).resolve().parents[1]
    files = [
        *sorted((package / "window").glob("*.py")),
        *sorted((package / "agents").glob("*/usage*.py")),
        *sorted((package / "agents").glob("*/durations.py")),
        *sorted((package / "agents").glob("*/transcript.py")),
        *sorted((package / "agents").glob("*/triggers.py")),
        *sorted((package / "transcripts").glob("*.py")),
        *sorted(assets.folder("sql", "window").glob("*/*.sql")),
    ]
    hasher = hashlib.sha256()
    for file in files:
        hasher.update(file.read_bytes())
    return hasher.hexdigest()


class ScanCache:
    """Contents by path and fingerprint, and answers by key; forgets rather than fails."""

    def __init__(self, connection: sqlite3.Connection | None) -> None:
        self._connection = connection

    def scan(self, path: Path, stamp: str, make: Callable[[], bytes]) -> bytes:
        """The content stored for the path if its fingerprint is still `stamp`, else a new one."""
        name = os.fsencode(os.path.abspath(path))  # noqa: PTH100 - links stay as they are
        known_as = f"{stamp} {os.fsencode(path)!r}"  # the content names the path as it was given
        query = "select content from scans where path = ? and fingerprint = ?"
        found = self._read(query, name, known_as)
        if found is None:
            found = make()
            self._write("insert or replace into scans values (?, ?, ?)", name, known_as, found)
        return found

    def forget_missing(self) -> None:
        """Drop what was read from files that are gone: agents delete theirs after some weeks."""
        if self._connection is None:
            return
        with contextlib.suppress(sqlite3.Error):
            known = self._connection.execute("select path from scans").fetchall()
            gone = [row for row in known if not os.path.lexists(row[0])]
            self._connection.executemany("delete from scans where path = ?", gone)

    def answer(self, key: str) -> bytes | None:
        """An answer stored under this key, or None."""
        return self._read("select content from answers where key = ?", key)

    def keep_answer(self, key: str, content: bytes) -> None:
        """Store an answer; the oldest ones go."""
        self._write("insert or replace into answers values (?, ?)", key, content)
        self._write(
            "delete from answers where rowid not in "
            f"(select rowid from answers order by rowid desc limit {_ANSWERS_KEPT})"
        )

    def _read(self, query: str, *values: object) -> bytes | None:
        if self._connection is None:
            return None
        with contextlib.suppress(sqlite3.Error):
            row = self._connection.execute(query, values).fetchone()
            return None if row is None else bytes(row[0])
        return None

    def _write(self, statement: str, *values: object) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute(statement, values)


@contextlib.contextmanager
def opened(file: Path | None) -> Iterator[ScanCache]:
    """The cache at `file`, or one that holds nothing; what was written is kept on a clean exit."""
    connection = _connected(file) if file else None
    try:
        yield ScanCache(connection)
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.commit()
    finally:
        if connection is not None:
            connection.close()


def _connected(file: Path) -> sqlite3.Connection | None:
    for attempt in range(2):
        try:
            return _connect(file)
        except sqlite3.DatabaseError as error:
            if attempt or isinstance(error, sqlite3.OperationalError):
                return None
            with contextlib.suppress(OSError):
                file.unlink()  # no database: begin anew
        except OSError:
            return None
    return None


def _connect(file: Path) -> sqlite3.Connection:
    safe_file.private_folder(file.parent.parent)
    safe_file.private_folder(file.parent)
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))  # SQLite's own files take its mode
    connection = sqlite3.connect(file, timeout=_BUSY_SECONDS)
    try:
        connection.executescript(_TABLES)
    except sqlite3.Error:
        connection.close()
        raise
    return connection

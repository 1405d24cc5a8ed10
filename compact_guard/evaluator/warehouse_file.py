"""The warehouse's file: private, one writer at a time, and never the reason that a night fails.

What cannot be opened is moved aside, never deleted, and built anew from the logs. What is not
ours is neither.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from compact_guard import progress
from compact_guard.errors import UsageError
from compact_guard.evaluator import history, layout, notes, warehouse, writer_lock
from compact_guard.install import safe_file

WAIT_SECONDS = 60.0

_MAGIC = b"DUCK"
_MAGIC_OFFSET = 8


class DamagedWarehouse(Exception):
    """The file broke under the work. Another is in its place, and the work can be done again."""


@contextmanager
def temporary() -> Iterator[Path]:
    """A warehouse for this evaluation alone."""
    with tempfile.TemporaryDirectory(prefix="compact-guard-") as folder:
        file = Path(folder) / "warehouse.duckdb"
        _make(file)
        yield file


@contextmanager
def kept(
    file: Path, wait_seconds: float = WAIT_SECONDS, tell: writer_lock.Tell = len
) -> Iterator[Path]:
    """The warehouse at `file`, ours alone until the end, made or mended where need be.

    Raises UsageError when something else is there, BusyError when others do not let go of it,
    DamagedWarehouse when it turned out to be damaged.
    """
    try:
        _make_folder(file.parent)
        is_known = writer_lock.marks(file)
        _demand_ours(file, is_known)
        with writer_lock.held(file, wait_seconds, tell):
            with _unmarked_again(file, is_known):
                _open(file, wait_seconds, tell)
            with _damage_mended(file):
                yield file
    except PermissionError as error:
        raise UsageError(f"{error.filename}: {error.strerror}; mend its permissions") from error


def _make_folder(folder: Path) -> None:
    try:
        safe_file.private_folder(folder)
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"{folder} is no folder: name a file for the warehouse in one") from error


@contextmanager
def _damage_mended(file: Path) -> Iterator[None]:
    """DuckDB may find a damaged block only where it needs it, in the middle of the work."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        if not _blames_the_machine(error) and _is_damaged(file):
            _rebuild(file, str(error))
            raise DamagedWarehouse(f"{file} was damaged; it is mended, run this again") from error
        raise


def _demand_ours(file: Path, is_known: bool) -> None:
    if file.is_dir():
        raise UsageError(f"{file} is a folder: name a file for the warehouse")
    if _is_database(file) or not file.exists() or not file.stat().st_size:
        return
    if not is_known:
        raise UsageError(f"{file} is no DuckDB database and was left alone: name another file")


def _is_database(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(_MAGIC_OFFSET + len(_MAGIC))[_MAGIC_OFFSET:] == _MAGIC
    except FileNotFoundError:
        return False


def _open(file: Path, wait_seconds: float, tell: writer_lock.Tell) -> None:
    """Bring what is there up to date, or build it anew."""
    import duckdb

    if file.exists() and not file.stat().st_size:
        file.unlink()  # DuckDB opens no empty file, and there is nothing in it to keep
    if not file.exists() and _log_of(file).exists():
        _move_aside(file)
    if file.exists() and not _is_database(file):
        _rebuild(file, "its first bytes are garbled")
        return
    try:
        _make(file, wait_seconds, tell)
    except duckdb.Error as error:
        if _blames_the_machine(error):
            raise
        _rebuild(file, str(error))


def _blames_the_machine(error: Exception) -> bool:
    """A full disk or memory is no damage, and moving the file aside would mend nothing."""
    import duckdb

    is_memory = isinstance(error, duckdb.OutOfMemoryException)
    return is_memory or any(words in str(error) for words in ("No space left", "Permission denied"))


@contextmanager
def _unmarked_again(file: Path, is_known: bool) -> Iterator[None]:
    """Leave no lock beside what turns out not to be ours."""
    try:
        yield
    except UsageError:
        if not is_known:
            writer_lock.lock_file(file).unlink(missing_ok=True)
        raise


def _make(file: Path, wait_seconds: float = WAIT_SECONDS, tell: writer_lock.Tell = len) -> None:
    with warehouse.connect(file, wait_seconds=wait_seconds, tell=tell) as connection:
        try:
            layout.bring_up_to_date(connection)
        except UsageError as error:
            raise UsageError(f"{file}: {error}") from None
        notes.begin(connection)


def _rebuild(file: Path, complaint: str) -> None:
    aside = _move_aside(file)
    rescued = _rescued(aside)
    _make(file)
    fate = (
        f"{len(rescued['verdicts'])} verdicts of its history were rescued"
        if rescued is not None
        else "its history could not be read and begins anew"
    )
    note = (
        f"The warehouse was damaged ({complaint.splitlines()[0].rstrip('.')}). It was moved to "
        f"{aside} and is built anew from the logs; {fate}."
    )
    progress.warn(note)
    with warehouse.connect(file) as connection:
        history.restore(connection, rescued or {})
        notes.add(connection, note, is_lasting=True)


def _move_aside(file: Path) -> Path:
    """Rename the file, and its log so that it still belongs to it; returns the new name."""
    stamp = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"
    aside = file.with_name(f"{file.name}.corrupt-{stamp}")
    if file.exists():
        file.rename(aside)
    if _log_of(file).exists():
        _log_of(file).rename(_log_of(aside))
    return aside


def _rescued(aside: Path) -> dict[str, list[history.Row]] | None:
    """The history of a damaged warehouse, if it can be read without the log beside it."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="compact-guard-", dir=aside.parent) as folder:
        try:
            # Under another name, for DuckDB finds the log of what a symbolic link points to.
            alone = Path(shutil.copyfile(aside, Path(folder) / "alone.duckdb"))
            with warehouse.connect(alone) as connection:
                layout.bring_up_to_date(connection)
                return history.rescue(connection)
        except (duckdb.Error, OSError, UsageError):
            return None


def _is_damaged(file: Path) -> bool:
    """Whether some table cannot be read from end to end."""
    import duckdb

    try:
        with warehouse.connect(file) as connection:
            tables = connection.execute("select table_name from duckdb_tables()").fetchall()
            for (table,) in tables:
                connection.execute(f"select bit_xor(hash({table})) from {table}").fetchall()
    except duckdb.Error:
        return True
    return False


def _log_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.wal")

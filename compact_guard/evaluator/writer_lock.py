"""One writer at a time: an operating system lock beside the warehouse.

The kernel frees the lock when its owner dies, however it dies; the file itself stays for ever,
because removing a lock file lets two owners in. Its first line also marks the warehouse beside it
as ours, its others say who holds it.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from compact_guard.errors import BusyError
from compact_guard.hook.limits import FILE_MODE

MARK = "compact-guard warehouse lock"

_POLL_SECONDS = 0.05
# Windows locks bytes, and nobody may read those: far behind anything that is written.
_LOCKED_BYTE = 1 << 30

Tell = Callable[[str], object]


def lock_file(warehouse: Path) -> Path:
    """Where the lock of a warehouse lies."""
    return warehouse.with_name(f"{warehouse.name}.lock")


def marks(warehouse: Path) -> bool:
    """Whether this warehouse was opened by us before, whatever has become of it since."""
    try:
        return _content(lock_file(warehouse)).startswith(MARK)
    except OSError:
        return False


@contextmanager
def held(warehouse: Path, wait_seconds: float, tell: Tell) -> Iterator[None]:
    """Hold the lock of `warehouse`; waits up to `wait_seconds`, then raises BusyError.

    `tell` is called once, with one line, where there is something to wait for.
    """
    file = lock_file(warehouse)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, FILE_MODE)
    try:
        wait_for(
            lambda: _try_lock(descriptor),
            wait_seconds,
            tell,
            lambda: f"{warehouse} is in use by {_owner(file)}",
        )
        _write(
            descriptor, f"{MARK}\nPID {os.getpid()}, since {datetime.now(UTC):%Y-%m-%d %H:%M:%SZ}"
        )
        yield
        _write(descriptor, MARK)
    finally:
        os.close(descriptor)


def wait_for(
    attempt: Callable[[], bool], wait_seconds: float, tell: Tell, complaint: Callable[[], str]
) -> None:
    """Repeat `attempt` until it succeeds; raises BusyError with `complaint` after the wait."""
    until = time.monotonic() + wait_seconds
    has_told = False
    while not attempt():
        if time.monotonic() >= until:
            raise BusyError(f"{complaint()}: gave up after {wait_seconds:g} s, try again later")
        if not has_told:
            tell(f"waiting: {complaint()}")
            has_told = True
        time.sleep(_POLL_SECONDS)


def _owner(file: Path) -> str:
    _, _, owner = _content(file).partition("\n")
    return owner.strip() or "another process"


def _content(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as lock:
        return lock.read(200)


def _write(descriptor: int, text: str) -> None:
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, f"{text}\n".encode())


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True

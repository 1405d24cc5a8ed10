"""Replace a user's file so that it is, whatever fails, the old one or the new one, whole."""

import contextlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from compact_guard.errors import UsageError
from compact_guard.hook.limits import FILE_MODE, FOLDER_MODE


@dataclass(frozen=True)
class Original:
    """A file as found: `path` is the file itself, links resolved; `content` None if missing."""

    path: Path
    content: bytes | None
    mode: int | None


def read(path: Path) -> Original:
    """The file at `path`, which we may replace; raises UsageError where we should not touch it."""
    try:
        real = path.resolve()
        if path.is_symlink() and not real.exists():
            raise UsageError(f"{path} is a link to {real}, which is missing: create it first")
        if not os.path.lexists(real):
            return Original(real, None, None)
        status = real.stat()
        _demand_ours(path, real, status)
        return Original(real, real.read_bytes(), stat.S_IMODE(status.st_mode))
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise UsageError(f"{path}: cannot be read ({error})") from None


def _demand_ours(path: Path, real: Path, status: os.stat_result) -> None:
    named = str(path) if path == real else f"{path} (really {real})"
    if not stat.S_ISREG(status.st_mode):
        raise UsageError(f"{named} is not a file: move it away first")
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise UsageError(f"{named} belongs to another user: run this as its owner")
    # The mode too: root may write everything, and a read-only file is somebody's wish.
    if not status.st_mode & stat.S_IWUSR or not os.access(real, os.W_OK):
        raise UsageError(f"{named} is read-only: allow writing to it (chmod u+w) first")
    if not os.access(real.parent, os.W_OK):
        raise UsageError(f"{real.parent} is read-only: allow writing to it (chmod u+w) first")


def replace(original: Original, content: bytes) -> None:
    """Put `content` in the original's place; raises OSError, and UsageError if it changed since."""
    demand_unchanged(original)
    _write_whole(original.path, content, original.mode)


def remove(original: Original) -> None:
    """Delete the original; raises OSError, and UsageError if it changed since it was read."""
    demand_unchanged(original)
    os.unlink(original.path)  # noqa: PTH108 - beside os.replace, for the fault sweep


def demand_unchanged(original: Original) -> None:
    """Raise UsageError if the file is no longer what was read: somebody else is at work."""
    try:
        content = original.path.read_bytes()
    except FileNotFoundError:
        content = None
    if content != original.content:
        raise UsageError(f"{original.path} changed meanwhile and was left alone: run this again")


def write_private(path: Path, content: bytes) -> None:
    """Write a file of ours whole, readable by its owner alone; raises OSError."""
    _write_whole(path, content, FILE_MODE)


def private_folder(path: Path) -> None:
    """Create a folder of ours, closed to others, unless it is there; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=FOLDER_MODE, exist_ok=True)


def _write_whole(path: Path, content: bytes, mode: int | None) -> None:
    """Write beside the file, sync, rename. `mode` None: what the user's umask gives."""
    temporary = path.with_name(f".{path.name}.compact-guard-{os.urandom(4).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(temporary, flags, 0o666 if mode is None else FILE_MODE)
    try:
        try:
            _write_all(descriptor, content)
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, path)  # noqa: PTH105 - the fault sweep fails it by this name
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(path.parent)


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _sync_folder(folder: Path) -> None:
    # The file is in place already; a file system that cannot sync folders changes nothing of it.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

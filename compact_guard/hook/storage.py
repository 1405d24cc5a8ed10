"""Private files: written whole or not at all, read only if nobody else can have changed them."""

import os
import stat
import time

from compact_guard.hook import identity
from compact_guard.hook.limits import FILE_MODE, FOLDER_MODE


class NotPrivate(OSError):
    """A file or folder that others can reach. `reason` is `permissions` or `owner`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def make_private_folder(path: str) -> None:
    """Create a folder that only we can enter, or close an own one that others can.

    Raises NotPrivate for a symbolic link or somebody else's folder, OSError.
    """
    try:
        os.makedirs(os.path.dirname(path), FOLDER_MODE, exist_ok=True)
        os.mkdir(path, FOLDER_MODE)
    except FileExistsError:
        status = os.lstat(path)
        check_owner(status)
        if not stat.S_ISDIR(status.st_mode):
            raise NotPrivate("permissions") from None
        if is_open_to_others(status):
            os.chmod(path, FOLDER_MODE)


def check_private_folder(path: str) -> None:
    """Raises NotPrivate unless it is our own folder and closed to others; OSError."""
    status = os.lstat(path)
    check_owner(status)
    if not stat.S_ISDIR(status.st_mode) or is_open_to_others(status):
        raise NotPrivate("permissions")


def check_owner(status: os.stat_result) -> None:
    """Raises NotPrivate unless it is ours."""
    if status.st_uid != os.geteuid():
        raise NotPrivate("owner")


def is_open_to_others(status: os.stat_result) -> bool:
    """True if group or others have any right."""
    return bool(status.st_mode & 0o077)


def write_private(path: str, content: bytes, *, is_durable: bool = True) -> None:
    """Write a file whole under its name or leave everything as it was. Raises OSError.

    `is_durable`: it survives a power cut; costs two disk flushes.
    """
    folder = os.path.dirname(path)
    draft = os.path.join(folder, f".{os.path.basename(path)[:16]}.{identity.new_nonce()}")
    try:
        _write_new(draft, content, is_durable)
        os.rename(draft, path)
    except BaseException:
        remove_quietly(draft)
        raise
    if is_durable:
        sync_folder(folder)


def read_private(path: str, bytes_max: int) -> bytes:
    """At most `bytes_max` bytes of a regular file that only we can reach.

    Raises NotPrivate, FileNotFoundError, OSError.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if os.path.islink(path):
            raise NotPrivate("permissions") from error
        raise
    try:
        status = os.fstat(file)
        check_owner(status)
        if not stat.S_ISREG(status.st_mode) or is_open_to_others(status):
            raise NotPrivate("permissions")
        return _read_all(file, bytes_max)
    finally:
        os.close(file)


def is_first(marker: str, seconds: float) -> bool:
    """Create the marker; false if another run did so less than `seconds` ago.

    Where none can be created nobody knows of another run, and each is the first.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        try:
            os.close(os.open(marker, flags, FILE_MODE))
        except FileExistsError:
            if 0 <= time.time() - os.lstat(marker).st_mtime < seconds:
                return False
            os.utime(marker)
    except OSError:
        return True
    return True


def sync_folder(path: str) -> None:
    """Make the folder's entries survive a power cut. Raises OSError."""
    folder = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_all(file: int, content: bytes) -> None:
    """Write every byte. Raises OSError."""
    view = memoryview(content)
    while view:
        view = view[os.write(file, view) :]


def _write_new(path: str, content: bytes, is_durable: bool) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    try:
        write_all(file, content)
        if is_durable:
            os.fsync(file)
    finally:
        os.close(file)


def _read_all(file: int, bytes_max: int) -> bytes:
    pieces: list[bytes] = []
    left = bytes_max
    while left > 0 and (piece := os.read(file, left)):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def remove_quietly(path: str) -> None:
    """Remove a file if it is there and can be removed."""
    try:
        os.unlink(path)
    except OSError:
        return

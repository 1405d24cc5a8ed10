"""Keep checkpoints within bounds of number, age and bytes. Never worth failing a hook for."""

import os

from compact_guard.hook import checkpoint, paths, storage
from compact_guard.hook.limits import (
    CHECKPOINT_AGE_SECONDS_MAX,
    CHECKPOINT_FOLDER_BYTES_MAX,
    CHECKPOINTS_PER_SESSION_MAX,
    SWEEP_SECONDS,
)

_SWEPT_FILE = ".swept"


def prune(newest: checkpoint.Saved, now: float) -> None:
    """Remove what is beyond the bounds, oldest first, and never `newest`. Raises nothing."""
    try:
        _prune_session(os.path.dirname(newest.path), newest)
        if _is_sweep_due(now):
            _sweep(newest, now)
    except OSError:
        return  # the next checkpoint tries again


def _prune_session(folder: str, newest: checkpoint.Saved) -> None:
    for old in checkpoint.all_saved(folder)[CHECKPOINTS_PER_SESSION_MAX:]:
        if old.path != newest.path:
            _remove(old.path)


def _is_sweep_due(now: float) -> bool:
    marker = os.path.join(paths.checkpoint_folder(), _SWEPT_FILE)
    try:
        if 0 <= now - os.stat(marker).st_mtime < SWEEP_SECONDS:
            return False
    except FileNotFoundError:
        os.close(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    os.utime(marker, (now, now))
    return True


def _sweep(newest: checkpoint.Saved, now: float) -> None:
    """Over all sessions: what is too old goes, then the oldest until the rest fits."""
    files = sorted(_all_files())
    total = sum(size for _, size, _ in files)
    for modified, size, path in files:
        is_expired = now - modified > CHECKPOINT_AGE_SECONDS_MAX
        if not is_expired and total <= CHECKPOINT_FOLDER_BYTES_MAX:
            break
        if not path.startswith(newest.path):
            _remove(path)
            total -= size
    for session in os.scandir(paths.checkpoint_folder()):
        if session.is_dir(follow_symlinks=False):
            _remove_if_empty(session.path)


def _all_files() -> list[tuple[float, int, str]]:
    found = []
    for session in os.scandir(paths.checkpoint_folder()):
        if session.is_dir(follow_symlinks=False):
            for entry in os.scandir(session.path):
                status = entry.stat(follow_symlinks=False)
                found.append((status.st_mtime, status.st_size, entry.path))
    return found


def _remove(path: str) -> None:
    """A checkpoint goes with its claim and its markers."""
    for name in checkpoint.files_of(path):
        storage.remove_quietly(name)


def _remove_if_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        return

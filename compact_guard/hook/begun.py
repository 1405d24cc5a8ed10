"""The mark that the run which saved a compaction leaves: what it was about, and how it went."""

import json
import os

from compact_guard.hook import checkpoint
from compact_guard.hook.limits import CONFIG_BYTES_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def mark_file(session_hash: str) -> str:
    """Where the mark of a session's newest compaction lies."""
    return os.path.join(checkpoint.session_folder(session_hash), "begun.json")


def has_failed(session_hash: str) -> bool:
    """True if the session's newest compaction could not be saved, for all its mark says."""
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        file = os.open(mark_file(session_hash), flags)
    except OSError:
        return False
    try:
        return read_mark(file).get("has_failed") is True
    finally:
        os.close(file)


def read_mark(file: int) -> "dict[str, Any]":
    """What the run before left; empty if there was none, or if it did not come to its end."""
    try:
        mark = json.loads(os.pread(file, CONFIG_BYTES_MAX, 0))
    except (OSError, ValueError, RecursionError):
        return {}
    return mark if isinstance(mark, dict) else {}


def write_mark(file: int, mark: "dict[str, Any]") -> None:
    """Leave it in place of the earlier one. Raises nothing."""
    try:
        os.ftruncate(file, 0)
        os.pwrite(file, json.dumps(mark).encode(), 0)
    except OSError:
        return  # a second run then saves, too: that is what the mark is there to spare

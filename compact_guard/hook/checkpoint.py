"""Checkpoints on disk: named by their hash, written whole, read back, kept within bounds."""

import json
import os
import time

from compact_guard.hook import identity, paths, storage
from compact_guard.hook.limits import (
    CHECKPOINT_BYTES_MAX,
    DELIVERY_AGE_SECONDS_MAX,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCHEMA = "compact-guard.checkpoint/1"
_SUFFIX = ".json"
_NUMBER_DIGITS = 6
_NUMBER_MAX = 999_999
_HASH_DIGITS = 64


class Refused(Exception):
    """A checkpoint that must not be delivered; `reason` is the audit log's word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Saved:
    """One checkpoint file: where it lies and what its name says."""

    def __init__(self, folder: str, name: str) -> None:
        self.path = os.path.join(folder, name)
        self.number = int(name[:_NUMBER_DIGITS])
        self.checkpoint_hash = name[_NUMBER_DIGITS + 1 : -len(_SUFFIX)]

    @property
    def claim_file(self) -> str:
        """Held, by a lock that dies with its process, while the checkpoint is being delivered."""
        return f"{self.path}.claim"

    @property
    def used_file(self) -> str:
        """Exists once the checkpoint was delivered."""
        return f"{self.path}.used"

    @property
    def receipt_file(self) -> str:
        """Exists once the agent reported that the compaction finished."""
        return f"{self.path}.receipt"

    @property
    def told_file(self) -> str:
        """Exists once a line to the person about its compaction was made."""
        return f"{self.path}.told"


def files_of(path: str) -> tuple[str, ...]:
    """A checkpoint and what lies beside it, as they go: without it the used marker may go, too."""
    return (path, f"{path}.claim", f"{path}.receipt", f"{path}.told", f"{path}.used")


def session_folder(session_hash: str) -> str:
    """Where the checkpoints of one session lie."""
    return os.path.join(paths.checkpoint_folder(), session_hash)


def open_session_folder(session_hash: str) -> str:
    """Create or close the session's folder. Raises storage.NotPrivate, OSError."""
    storage.make_private_folder(paths.checkpoint_folder())
    folder = session_folder(session_hash)
    storage.make_private_folder(folder)
    return folder


def serialise(content: "dict[str, Any]") -> str:
    """The checkpoint as its file holds it; readable, for people look into it."""
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def save(session_hash: str, serialised: str) -> Saved:
    """Write one checkpoint, read it back and verify it. Raises OSError."""
    folder = open_session_folder(session_hash)
    content = serialised.encode()
    checkpoint_hash = identity.hash_bytes(content)
    number = _next_number(folder)
    saved = Saved(folder, f"{number:0{_NUMBER_DIGITS}d}-{checkpoint_hash}{_SUFFIX}")
    try:
        storage.write_private(saved.path, content)
        if storage.read_private(saved.path, CHECKPOINT_BYTES_MAX) != content:
            raise OSError("the checkpoint reads back differently")
    except BaseException:
        storage.remove_quietly(saved.path)  # no checkpoint without a row that announces it
        raise
    return saved


def all_saved(folder: str) -> list[Saved]:
    """The checkpoints in a session's folder, newest first; empty without a folder."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    return [Saved(folder, name) for name in sorted(names, reverse=True) if _is_checkpoint(name)]


def load(
    saved: Saved, agent: str, session_hash: str, age_seconds_max: int | None = None
) -> "dict[str, Any]":
    """The verified content. Raises Refused; FileNotFoundError if it vanished; OSError.

    `age_seconds_max`: older ones are refused, by default those too old to be delivered.
    """
    try:
        storage.check_private_folder(paths.checkpoint_folder())
        storage.check_private_folder(os.path.dirname(saved.path))
        raw = storage.read_private(saved.path, CHECKPOINT_BYTES_MAX)
    except storage.NotPrivate as error:
        raise Refused(error.reason) from error
    if identity.hash_bytes(raw) != saved.checkpoint_hash:
        raise Refused("hash_mismatch")
    content = json.loads(raw)
    if content["schema"] != SCHEMA:
        raise Refused("unsupported_version")
    if content["agent"] != agent or content["session_hash"] != session_hash:
        raise Refused("wrong_session")
    if age_seconds_max is None:
        age_seconds_max = DELIVERY_AGE_SECONDS_MAX
    if time.time() - content["created_seconds"] > age_seconds_max:
        raise Refused("expired")
    return dict(content)


def _next_number(folder: str) -> int:
    # Also of used ones whose checkpoint is gone: a number must not come again.
    numbers = [int(name[:_NUMBER_DIGITS]) for name in os.listdir(folder) if _is_numbered(name)]
    return min(max(numbers, default=0) + 1, _NUMBER_MAX)


def _is_numbered(name: str) -> bool:
    return name[:_NUMBER_DIGITS].isdecimal() and name[_NUMBER_DIGITS : _NUMBER_DIGITS + 1] == "-"


def _is_checkpoint(name: str) -> bool:
    length = _NUMBER_DIGITS + 1 + _HASH_DIGITS + len(_SUFFIX)
    return len(name) == length and name.endswith(_SUFFIX) and _is_numbered(name)

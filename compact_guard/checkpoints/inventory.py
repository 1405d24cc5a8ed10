"""The checkpoints on this machine, as a person looks at them."""

import json
import os
import re
import sys
from dataclasses import dataclass
from typing import Any

from compact_guard.errors import UsageError
from compact_guard.hook import checkpoint, cues, injection, paths, storage
from compact_guard.hook.checkpoint import Saved
from compact_guard.hook.limits import CHECKPOINT_BYTES_MAX, DELIVERY_AGE_SECONDS_MAX
from compact_guard.hook.run import load_adapter

_DIGITS_MIN = 4  # of a hash that somebody types


@dataclass(frozen=True)
class Stored:
    """One checkpoint file; `content` None, and why, where it cannot be trusted."""

    session_hash: str
    saved: Saved
    seconds: float  # since the epoch, when it was written
    size: int  # bytes
    content: dict[str, Any] | None
    problem: str

    @property
    def is_used(self) -> bool:
        """Whether it was delivered."""
        return os.path.lexists(self.saved.used_file)

    def items(self) -> dict[str, int]:
        """How many items of each rank it holds."""
        ranks = [item["rank"] for item in self.content["items"]] if self.content else []
        return {rank: ranks.count(rank) for rank in cues.RANKS}

    def as_json(self) -> dict[str, object]:
        """The checkpoint as `--json` prints it: no word of its content."""
        known = self.content or {}
        return {
            "session_hash": self.session_hash,
            "checkpoint_hash": self.saved.checkpoint_hash,
            **{name: known.get(name) for name in ("created_at", "agent", "trigger")},
            "items": self.items() if self.content else None,
            "is_used": self.is_used,
            "bytes": self.size,
            "problem": self.problem or None,
        }


def all_stored() -> list[Stored]:
    """Every checkpoint, newest first."""
    found = [
        stored
        for session_hash in sessions()
        for saved in checkpoint.all_saved(checkpoint.session_folder(session_hash))
        if (stored := _stored(session_hash, saved)) is not None
    ]
    return sorted(found, key=lambda stored: (stored.seconds, stored.saved.number), reverse=True)


def pending(now: float) -> list[Stored]:
    """Of each session the newest, where it is whole, unused and not too old to be given back."""
    newest = [
        _stored(session_hash, saved)
        for session_hash in sessions()
        for saved in checkpoint.all_saved(checkpoint.session_folder(session_hash))[:1]
    ]
    return [
        stored
        for stored in newest
        if stored is not None
        and stored.content is not None
        and not stored.is_used
        and now - stored.seconds <= DELIVERY_AGE_SECONDS_MAX
    ]


def sessions() -> list[str]:
    """The session hashes that have a folder; never a symbolic link."""
    try:
        with os.scandir(paths.checkpoint_folder()) as entries:
            folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return sorted(name for name in folders if re.fullmatch(r"[0-9a-f]{64}", name))


def named(stored: list[Stored], hash_start: str | None) -> Stored:
    """The newest, or the newest whose own or whose session's hash begins so.

    Raises UsageError if there is none.
    """
    if hash_start is not None:
        demand_hash(hash_start)
    for each in stored:
        hashes = (each.saved.checkpoint_hash, each.session_hash)
        if hash_start is None or any(known.startswith(hash_start) for known in hashes):
            return each
    which = f" whose hash begins with {hash_start}" if hash_start else ""
    raise UsageError(f"no checkpoint{which}; see `compact-guard checkpoints list`")


def demand_hash(hash_start: str) -> None:
    """Raises UsageError for what cannot be the beginning of a hash."""
    if not re.fullmatch(rf"[0-9a-f]{{{_DIGITS_MIN},64}}", hash_start):
        raise UsageError(f"{hash_start!r}: give at least {_DIGITS_MIN} digits of a hash (0-9, a-f)")


def text_of(stored: Stored) -> str:
    """What a new context receives of it. Raises UsageError where it cannot be trusted."""
    if stored.content is None:
        raise UsageError(f"{stored.saved.path}: {stored.problem}; it will not be delivered")
    adapter = load_adapter(stored.content["agent"])
    return injection.build(
        stored.content, stored.saved.checkpoint_hash, adapter.INJECTION_UNITS_MAX, adapter.length
    )


def _stored(session_hash: str, saved: Saved) -> Stored | None:
    """None if it vanished."""
    content, problem = None, ""
    try:
        status = os.lstat(saved.path)
        content = _content(session_hash, saved)
        seconds = float(content["created_seconds"])
    except FileNotFoundError:
        return None
    except checkpoint.Refused as refusal:
        problem, seconds = refusal.reason, status.st_mtime
    except (OSError, ValueError, KeyError, TypeError) as error:
        problem, seconds = f"unreadable ({type(error).__name__})", status.st_mtime
    return Stored(session_hash, saved, seconds, status.st_size, content, problem)


def _content(session_hash: str, saved: Saved) -> dict[str, Any]:
    """Verified as before a delivery, whatever its age."""
    agent = json.loads(storage.read_private(saved.path, CHECKPOINT_BYTES_MAX))["agent"]
    return checkpoint.load(saved, agent, session_hash, sys.maxsize)

"""Which compactions of a rollout are those of the thread it was forked from. README.md."""

import re
from datetime import datetime
from typing import Any

from compact_guard.transcripts.facts import utc_time

# An id that begins with its time (UUIDv7): ids of this form are in order as texts.
_TIMED_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


class Origin:
    """Whether a file is a fork's, and what of it is older than the fork."""

    def __init__(self) -> None:
        self._thread: object = None
        self._began_at: datetime | None = None
        self._is_fork = False

    def take_session(self, at: object, session: dict[str, Any]) -> None:
        """A `session_meta`: the first is the file's own, a fork copies its parent's behind it."""
        if self._thread is None:
            self._thread, self._began_at = session.get("id"), utc_time(at)
        is_another = session.get("id") != self._thread
        self._is_fork = self._is_fork or is_another or bool(session.get("forked_from_id"))

    def is_copied(self, at: object, window_id: object) -> bool:
        """Whether a compaction was the parent's: a fork gives copied lines the time at which it
        began, or leaves them their own."""
        if not self._is_fork:
            return False
        made, began = _timed(window_id), _timed(self._thread)
        if made and began:
            return made < began
        moment = utc_time(at)
        return bool(moment and self._began_at and moment <= self._began_at)


def _timed(value: object) -> str | None:
    return value if isinstance(value, str) and _TIMED_ID.fullmatch(value) else None

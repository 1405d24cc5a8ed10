"""One compaction is saved once, however many registrations of ours the agent runs for it.

Of two checkpoints of one compaction only one is ever given back, so that the other would look
lost. The first run holds a lock in the session's folder while it works, and leaves a mark of
what it was about and how it went: a run beside it, or right behind it, has nothing to do unless
the first one failed. Neither the lock nor the mark may depend on the guard's version.
"""

import fcntl
import os
import time

from compact_guard.hook import begun, checkpoint, conversation
from compact_guard.hook.composing import NothingSaved
from compact_guard.hook.limits import (
    FILE_MODE,
    OTHER_RUN_SECONDS_MAX,
    SAME_COMPACTION_SECONDS_MAX,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any, NoReturn

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.transcript import Transcript

_LOOK_AGAIN_SECONDS = 0.01
_SWEEPS_MET_MAX = 3  # one an hour is due; a person may purge as well
_SAME = ("transcript_hash", "turn_hash", "trigger", "last_boundary_bytes")


class Beginning:
    """The right to save a session's checkpoint, as a context."""

    def __init__(self, row: "dict[str, Any]") -> None:
        self._row = row  # of this run: what becomes of it stands there
        self._transcript: Transcript | None = None
        self._follows_failure = False
        self._file: int | None = None

    def __enter__(self) -> "Beginning":
        """Waits for a run that has it. Raises NothingSaved if that takes too long."""
        try:
            self._file = _opened_mark(self._row["session_hash"])
            _hold(self._file)
            os.utime(self._file)  # a sweep would take a month old one for left over
        except _ElsewhereBegun:
            self._close()
            raise
        except OSError:
            self._close()  # saving will meet and report it
        return self

    def demand_first(self, transcript: "Transcript", adapter: "HookAdapter") -> None:
        """Raises NothingSaved if another run has just saved this very compaction."""
        earlier = begun.read_mark(self._file) if self._file is not None else {}
        if earlier and self._is_same(earlier, transcript, adapter):
            self._follows_failure = earlier.get("has_failed") is True
            if not self._follows_failure:
                self._step_back()
        self._transcript = transcript

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        is_empty = isinstance(error, NothingSaved) and error.outcome == "empty"
        has_failed = not (is_empty or self._row["checkpoint_hash"])
        if self._file is not None and not isinstance(error, _ElsewhereBegun):
            mark = {name: self._row[name] for name in (*_SAME, "checkpoint_hash")}
            read_until = self._transcript.complete_bytes if self._transcript else 0
            mark |= {"at": time.time(), "read_until": read_until}
            begun.write_mark(self._file, {**mark, "has_failed": has_failed})
        self._close()
        if has_failed and self._follows_failure:
            self._step_back()  # one row tells of it

    def _is_same(
        self, earlier: "dict[str, Any]", transcript: "Transcript", adapter: "HookAdapter"
    ) -> bool:
        """Nothing was said since, no boundary came between, and nobody was given it yet."""
        try:
            age, read_until = time.time() - earlier["at"], earlier["read_until"]
            is_alike = all(earlier[name] == self._row[name] for name in _SAME)
            is_recent = 0 <= age < SAME_COMPACTION_SECONDS_MAX
            if not is_alike or not is_recent or not 0 < read_until <= transcript.complete_bytes:
                return False
            if self._is_over(earlier["checkpoint_hash"]):
                return False
        except (KeyError, TypeError):
            return False
        return not conversation.read(transcript, adapter, read_until).messages

    def _is_over(self, checkpoint_hash: str | None) -> bool:
        for saved in checkpoint.all_saved(checkpoint.session_folder(self._row["session_hash"])):
            if saved.checkpoint_hash == checkpoint_hash:
                return os.path.lexists(saved.used_file) or os.path.lexists(saved.receipt_file)
        return False

    def _step_back(self) -> "NoReturn":
        """Our offsets would testify that the first run's compaction came to nothing."""
        self._row["transcript_bytes"] = self._row["last_boundary_bytes"] = None
        raise _ElsewhereBegun

    def _close(self) -> None:
        file, self._file = self._file, None
        try:
            if file is not None:
                os.close(file)
        except OSError:
            return  # it is closed all the same


def _opened_mark(session_hash: str) -> int:
    """The file of the lock and the mark. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    for _ in range(_SWEEPS_MET_MAX):
        checkpoint.open_session_folder(session_hash)
        try:
            return os.open(begun.mark_file(session_hash), flags, FILE_MODE)
        except FileNotFoundError:
            continue  # another session's sweep took the folder while it was empty
    raise FileNotFoundError(begun.mark_file(session_hash))


def _hold(file: int) -> None:
    """Take the lock. Raises _ElsewhereBegun if another run keeps it, OSError."""
    until = time.monotonic() + OTHER_RUN_SECONDS_MAX
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= until:
                raise _ElsewhereBegun from None
            time.sleep(_LOOK_AGAIN_SECONDS)


class _ElsewhereBegun(NothingSaved):
    def __init__(self) -> None:
        super().__init__("skipped", "claimed_elsewhere")

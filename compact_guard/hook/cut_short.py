"""A delivery that was killed behind its mark, of an agent that does not hear the dying.

It is made up for at a resume, if three witnesses agree that nothing arrived: the agent hears no
dying hook, no row tells of the injection, and the whole transcript since then holds no such text.
"""

import fcntl
import os
import time

from compact_guard.hook import arrival, paths, storage
from compact_guard.hook.limits import AUDIT_DAY_BYTES_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.checkpoint import Saved
    from compact_guard.hook.transcript import Transcript

_DAY_SECONDS = 86_400


def claim(
    saved: "Saved",
    content: "dict[str, Any]",
    adapter: "HookAdapter",
    transcript: "Transcript | None",
) -> bool:
    """Take its used marker as the claim, held until this process ends; false in any doubt.

    Raises OSError.
    """
    since = content["transcript_bytes"]
    if adapter.HEARS_THE_DYING or transcript is None or since is None:
        return False
    marker = os.open(saved.used_file, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(marker)
        return False
    is_told = _is_told(saved.checkpoint_hash, os.fstat(marker).st_ctime)
    return not is_told and arrival.is_absent(transcript, adapter, saved.checkpoint_hash, since)


def _is_told(checkpoint_hash: str, marked_at: float) -> bool:
    """A row of those days may say that it was injected."""
    mark, outcome = checkpoint_hash.encode(), b'"outcome":"injected"'
    for offset in (-_DAY_SECONDS, 0, _DAY_SECONDS):
        day = time.strftime("%Y-%m-%d", time.gmtime(marked_at + offset))
        path = os.path.join(paths.audit_folder(), f"{day}.jsonl")
        try:
            rows = storage.read_private(path, AUDIT_DAY_BYTES_MAX)
        except FileNotFoundError:
            continue
        if len(rows) == AUDIT_DAY_BYTES_MAX:
            return True  # for all we know
        if any(mark in row and outcome in row for row in rows.splitlines()):
            return True
    return False

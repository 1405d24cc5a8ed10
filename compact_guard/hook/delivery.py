"""SessionStart: hand the session's checkpoint over, at most once, and not zero times for a crash.

The order is claim, print, used. The claim is a lock that the kernel frees when its process
dies; the used marker is the claim file renamed, which works on a full disk too.
"""

import fcntl
import os
import select

from compact_guard.hook import audit, checkpoint, conversation, deadline, injection, storage
from compact_guard.hook.limits import FILE_MODE, VERSION_TAIL_BYTES
from compact_guard.hook.transcript import Transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import ContextRestarting, Event

STDOUT = 1


def deliver(event: "ContextRestarting", adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Print the checkpoint if it is this one's turn, and tell `row` of it. Raises OSError."""
    look_at_transcript(event, adapter, row)
    try:
        saved, content = _newest(adapter.AGENT, row)
    except checkpoint.Refused as refusal:
        row["outcome"], row["reason"] = "refused", refusal.reason
        return
    if saved is None:
        row["outcome"] = "none"
        return
    if os.path.lexists(saved.used_file) or not _claim(saved) or os.path.lexists(saved.used_file):
        row["outcome"] = "already_used"
        row["reason"] = None if os.path.lexists(saved.used_file) else "claimed_elsewhere"
        return
    reply = injection.build(content, saved.checkpoint_hash, adapter.INJECTION_UNITS_MAX)
    row["counts"]["characters"] = len(reply)
    row["counts"]["items_kept"] = len(content["items"])
    _print(adapter.render(reply))
    row["outcome"] = "injected"
    _mark_used(saved)


def look_at_transcript(event: "Event", adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Which transcript this is and which version wrote it, as far as it can be read."""
    path = adapter.find_transcript(event)
    try:
        if path is None:
            return
        transcript = Transcript(path)
        row["transcript_hash"] = transcript.first_line_hash()
        version = conversation.newest_version(transcript, adapter, VERSION_TAIL_BYTES)
        row["agent_version"] = audit.version_or_none(version)
    except (OSError, ValueError):
        return


def _newest(agent: str, row: "dict[str, Any]") -> "tuple[checkpoint.Saved | None, dict[str, Any]]":
    """The newest checkpoint of this session and transcript, verified. Raises Refused."""
    is_of_other_transcript = False
    for saved in checkpoint.all_saved(checkpoint.session_folder(row["session_hash"])):
        row["checkpoint_hash"] = row["checkpoint_hash"] or saved.checkpoint_hash
        try:
            content = checkpoint.load(saved, agent, row["session_hash"])
        except FileNotFoundError:
            continue
        except checkpoint.Refused:
            row["checkpoint_hash"] = saved.checkpoint_hash
            raise
        if content["transcript_hash"] == row["transcript_hash"]:
            row["checkpoint_hash"] = saved.checkpoint_hash
            return saved, content
        is_of_other_transcript = True
    if is_of_other_transcript:
        raise checkpoint.Refused("wrong_transcript")
    row["checkpoint_hash"] = None
    return None, {}


def _claim(saved: checkpoint.Saved) -> bool:
    """Take the lock, held until this process ends; false if a living process holds it."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    claim = os.open(saved.claim_file, flags, FILE_MODE)
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(claim)
        return False
    return True


def _print(reply: str) -> None:
    """All of it or an OSError. From here on no deadline of ours may leave half of it."""
    if not select.select([], [STDOUT], [], 0.5)[1]:
        raise OSError("nobody reads the reply")
    deadline.disarm()
    storage.write_all(STDOUT, reply.encode())


def _mark_used(saved: checkpoint.Saved) -> None:
    try:
        os.rename(saved.claim_file, saved.used_file)
    except OSError:
        # The text is out: a checkpoint that cannot be marked must not be delivered again.
        os.unlink(saved.path)

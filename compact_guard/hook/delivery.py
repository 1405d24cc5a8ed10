"""SessionStart: hand the session's checkpoint over, at most once, and not zero times for a crash.

The order is claim, print, used. The claim is a lock that the kernel frees when its process
dies; the used marker is the claim file renamed, which works on a full disk too.
"""

import fcntl
import os

from compact_guard.hook import audit, checkpoint, conversation, injection, reply, storage
from compact_guard.hook.limits import FILE_MODE, SAME_COMPACTION_SECONDS_MAX
from compact_guard.hook.transcript import Transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import ContextRestarting, Event

_RESTARTED_FILE = "restarted"  # when the session last restarted without a checkpoint


def deliver(event: "ContextRestarting", adapter: "HookAdapter", row: "dict[str, Any]") -> bool:
    """Print the checkpoint if it is this one's turn; false if that is worth no row.

    Raises OSError.
    """
    transcript = look_at_transcript(event, adapter, row)
    if event.source == "resume":
        return _deliver_the_lost_one(adapter, row, transcript)
    try:
        saved, content = _newest(adapter, row, transcript)
    except checkpoint.Refused as refusal:
        row["outcome"], row["reason"] = "refused", refusal.reason
        return True
    if saved is None:
        _find_nothing(row)
    elif _take(saved, content, adapter, transcript):
        _hand_over(saved, content, adapter, row)
    else:
        row["outcome"] = "already_used"
        row["reason"] = None if _is_used(saved) else "claimed_elsewhere"
    return True


def look_at_transcript(
    event: "Event", adapter: "HookAdapter", row: "dict[str, Any]"
) -> Transcript | None:
    """Which transcript this is and which version wrote it, as far as it can be read."""
    path = adapter.find_transcript(event)
    try:
        if path is None:
            return None
        transcript = Transcript(path)
        row["transcript_hash"] = transcript.first_line_hash()
        conversation.name_version(transcript, adapter, row)
    except (OSError, ValueError):
        return None
    return transcript


def _find_nothing(row: "dict[str, Any]") -> None:
    """Two rows of one restart would tell of two compactions, the second without any PreCompact."""
    marker = os.path.join(checkpoint.session_folder(row["session_hash"]), _RESTARTED_FILE)
    if storage.is_first(marker, SAME_COMPACTION_SECONDS_MAX):
        row["outcome"] = "none"
    else:
        row["outcome"], row["reason"] = "skipped", "claimed_elsewhere"


def _newest(
    adapter: "HookAdapter", row: "dict[str, Any]", transcript: Transcript | None
) -> "tuple[checkpoint.Saved | None, dict[str, Any]]":
    """The newest checkpoint whose compaction may have finished. Raises Refused."""
    for saved, content in _of_this_transcript(adapter.AGENT, row):
        if _is_used(saved) or not _is_contradicted(saved, content, adapter, row, transcript):
            return saved, content
    row["checkpoint_hash"] = None
    return None, {}


def _of_this_transcript(
    agent: str, row: "dict[str, Any]"
) -> "Iterator[tuple[checkpoint.Saved, dict[str, Any]]]":
    """Verified checkpoints of this session and transcript, newest first. Raises Refused."""
    is_any = is_of_other_transcript = False
    for saved in checkpoint.all_saved(checkpoint.session_folder(row["session_hash"])):
        row["checkpoint_hash"] = row["checkpoint_hash"] or saved.checkpoint_hash
        try:
            content = checkpoint.load(saved, agent, row["session_hash"])
        except FileNotFoundError:
            continue
        except checkpoint.Refused:
            row["checkpoint_hash"] = saved.checkpoint_hash
            raise
        if content["transcript_hash"] != row["transcript_hash"]:
            is_of_other_transcript = True
            continue
        is_any = True
        row["checkpoint_hash"] = saved.checkpoint_hash
        yield saved, content
    if is_of_other_transcript and not is_any:
        raise checkpoint.Refused("wrong_transcript")


def _is_contradicted(
    saved: checkpoint.Saved,
    content: "dict[str, Any]",
    adapter: "HookAdapter",
    row: "dict[str, Any]",
    transcript: Transcript | None,
) -> bool:
    """True if the transcript shows that the compaction of this checkpoint came to nothing.

    An older, finished one may be waiting behind it.
    """
    if not adapter.BOUNDARY_COMES_FIRST or os.path.lexists(saved.receipt_file):
        return False
    if transcript is None or content["transcript_bytes"] is None:
        return False
    from compact_guard.hook import boundary

    folder = os.path.dirname(saved.path)
    newest = boundary.newest_boundary(transcript, row["transcript_hash"], adapter, folder)
    if newest == boundary.UNKNOWN:
        return False
    return newest is None or newest < content["transcript_bytes"]


def _deliver_the_lost_one(
    adapter: "HookAdapter", row: "dict[str, Any]", transcript: Transcript | None
) -> bool:
    """At a resume: what the agent never asked for, though its compaction finished."""
    try:
        saved, content = _newest_finished(adapter.AGENT, row)
        if saved is None or not _take_lost(saved, content, adapter, transcript):
            return False
    except (checkpoint.Refused, OSError):
        return False  # most resumes have nothing to deliver: no row may blame this one
    _hand_over(saved, content, adapter, row)
    return True


def _take_lost(
    saved: checkpoint.Saved,
    content: "dict[str, Any]",
    adapter: "HookAdapter",
    transcript: Transcript | None,
) -> bool:
    if not _is_used(saved):
        return _take(saved, content, adapter, transcript)
    from compact_guard.hook import cut_short

    return cut_short.claim(saved, content, adapter, transcript)


def _newest_finished(
    agent: str, row: "dict[str, Any]"
) -> "tuple[checkpoint.Saved | None, dict[str, Any]]":
    """The newest with a receipt, unless a newer one was delivered. Raises Refused."""
    for saved, content in _of_this_transcript(agent, row):
        if os.path.lexists(saved.receipt_file):
            return saved, content
        if _is_used(saved):
            break
    return None, {}


def _hand_over(
    saved: checkpoint.Saved,
    content: "dict[str, Any]",
    adapter: "HookAdapter",
    row: "dict[str, Any]",
) -> None:
    text = injection.build(
        content, saved.checkpoint_hash, adapter.INJECTION_UNITS_MAX, adapter.length
    )
    row["counts"]["characters"] = len(text)
    row["counts"]["items_kept"] = len(content["items"])
    _sign(row, adapter)
    reply.write(adapter.render(text))
    row["outcome"] = "injected"
    _mark_used(saved)


def _sign(row: "dict[str, Any]", adapter: "HookAdapter") -> None:
    """Not between the print and the exit: whoever kills us there takes the text away, too."""
    try:
        audit.sign(row, adapter.FILE)
    except OSError:
        return  # the row will meet and report it


def _is_used(saved: checkpoint.Saved) -> bool:
    return os.path.lexists(saved.used_file)


def _take(
    saved: checkpoint.Saved,
    content: "dict[str, Any]",
    adapter: "HookAdapter",
    transcript: Transcript | None,
) -> bool:
    """Claim it; false if it was given back, or another run is about to."""
    was_claimed = os.path.lexists(saved.claim_file)
    if _is_used(saved) or not _claim(saved) or _is_used(saved):
        return False
    if was_claimed and transcript is not None:
        from compact_guard.hook import arrival

        # Its run may have died between the print and the mark, and have been heard.
        since = content["transcript_bytes"] or 0
        if arrival.is_recorded(transcript, adapter, saved.checkpoint_hash, since):
            _mark_used(saved)
            return False
    return True


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


def _mark_used(saved: checkpoint.Saved) -> None:
    try:
        os.rename(saved.claim_file, saved.used_file)
    except OSError:
        # The text is out: a checkpoint that cannot be marked must not be delivered again.
        if not _is_used(saved):
            os.unlink(saved.path)

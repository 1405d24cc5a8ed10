"""PreCompact: find the transcript, compose a checkpoint of it, and save that."""

import time

from compact_guard.hook import (
    boundary,
    checkpoint,
    composing,
    conversation,
    previous,
    retention,
)
from compact_guard.hook.beginning import Beginning
from compact_guard.hook.composing import NothingSaved
from compact_guard.hook.limits import FLUSH_STEPS_MS
from compact_guard.hook.transcript import Transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import CompactionStarting


def take(event: "CompactionStarting", adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Save a checkpoint and tell `row` about it. Raises NothingSaved, OSError."""
    with Beginning(row) as beginning:
        transcript = _opened(event, adapter, row["counts"])
        counts = row["counts"]
        if event.trigger == "auto" and event.turn_id and "waited_ms" not in counts:
            counts["waited_ms"] = conversation.wait_for_turn(transcript, adapter, event.turn_id)
        row["transcript_hash"] = transcript.first_line_hash()
        _witness(transcript, adapter, row)
        beginning.demand_first(transcript, adapter)
        before = previous.find(adapter.AGENT, row, transcript)
        serialised = composing.compose(event, adapter, row, transcript, before)
        saved = checkpoint.save(row["session_hash"], serialised)
        row["outcome"], row["checkpoint_hash"] = "saved", saved.checkpoint_hash
        counts["bytes"] = len(serialised.encode())
        retention.prune(saved, time.time())


def _opened(
    event: "CompactionStarting", adapter: "HookAdapter", counts: "dict[str, Any]"
) -> Transcript:
    """The transcript; one that is named and not there yet, as in a young session, is waited for."""
    path, waited = adapter.find_transcript(event), 0
    for step in FLUSH_STEPS_MS if event.transcript_path else ():
        if path is not None:
            break
        time.sleep(step / 1000)
        waited += step
        path = adapter.find_transcript(event)
    if waited:
        counts["waited_ms"] = waited
    if path is None:
        raise NothingSaved("failed", "no_transcript")
    try:
        return Transcript(path)
    except (OSError, ValueError) as error:
        raise NothingSaved("failed", "unreadable_transcript") from error


def _witness(transcript: Transcript, adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Both offsets or none: the next row may only testify to what was really searched."""
    folder = _folder_for_state(row["session_hash"])
    newest = boundary.newest_boundary(transcript, row["transcript_hash"], adapter, folder)
    if newest != boundary.UNKNOWN:
        row["transcript_bytes"] = transcript.complete_bytes
        row["last_boundary_bytes"] = newest


def _folder_for_state(session_hash: str) -> str:
    try:
        return checkpoint.open_session_folder(session_hash)
    except OSError:
        return checkpoint.session_folder(session_hash)  # saving will meet and report it

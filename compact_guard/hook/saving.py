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
from compact_guard.hook.transcript import Transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import CompactionStarting


def take(event: "CompactionStarting", adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Save a checkpoint and tell `row` about it. Raises NothingSaved, OSError."""
    patience = conversation.Patience()
    try:
        with Beginning(row) as beginning:
            transcript = _opened(event, adapter, patience)
            _witness(transcript, adapter, row)
            beginning.demand_first(transcript, adapter)
            before = previous.find(adapter.AGENT, row, transcript)
            if _has_waited(event, adapter, transcript, before.read_until, patience):
                _witness(transcript, adapter, row)
            serialised = composing.compose(event, adapter, row, transcript, before)
            _save(serialised, row)
            conversation.name_version(transcript, adapter, row)
    finally:
        if patience.waited_ms:
            row["counts"]["waited_ms"] = patience.waited_ms


def _save(serialised: str, row: "dict[str, Any]") -> None:
    saved = checkpoint.save(row["session_hash"], serialised)
    row["outcome"], row["checkpoint_hash"] = "saved", saved.checkpoint_hash
    row["counts"]["bytes"] = len(serialised.encode())
    retention.prune(saved, time.time())


def _has_waited(
    event: "CompactionStarting",
    adapter: "HookAdapter",
    transcript: Transcript,
    since: int,
    patience: conversation.Patience,
) -> bool:
    """Wait for what the agent can be seen to hold back; false if it had written all of that."""
    before = patience.waited_ms
    if adapter.WRITES_LATE:
        conversation.wait_for_words(transcript, adapter, since, patience)
    if event.trigger == "auto" and event.turn_id:
        conversation.wait_for_turn(transcript, adapter, event.turn_id, patience)
    return patience.waited_ms > before


def _opened(
    event: "CompactionStarting", adapter: "HookAdapter", patience: conversation.Patience
) -> Transcript:
    """The transcript; one that is named and not there yet, as in a young session, is waited for."""
    path = adapter.find_transcript(event)
    while path is None and event.transcript_path and patience.wait():
        path = adapter.find_transcript(event)
    if path is None:
        raise NothingSaved("failed", "no_transcript")
    try:
        return Transcript(path)
    except (OSError, ValueError) as error:
        raise NothingSaved("failed", "unreadable_transcript") from error


def _witness(transcript: Transcript, adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Both offsets or none: the next row may only testify to what was really searched."""
    row["transcript_hash"] = transcript.first_line_hash()
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

"""PreCompact: read the conversation, redact it, and save what a new context needs of it."""

import time

from compact_guard.hook import (
    audit,
    boundary,
    checkpoint,
    conversation,
    identity,
    redaction,
    retention,
    text,
)
from compact_guard.hook.limits import (
    CHECKPOINT_BYTES_MAX,
    ITEM_HEAD_UNITS,
    ITEM_UNITS_MAX,
    ITEM_UNITS_MIN,
    LABEL_UNITS,
    MESSAGE_CHARS_MAX,
)
from compact_guard.hook.transcript import Transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import CompactionStarting, Message


class NothingSaved(Exception):
    """Why there is no checkpoint: an outcome and a reason of the audit log."""

    def __init__(self, outcome: str, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason


def take(event: "CompactionStarting", adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Save a checkpoint and tell `row` about it. Raises NothingSaved, OSError."""
    transcript = _opened(event, adapter)
    counts = row["counts"]
    if event.trigger == "auto" and event.turn_id:
        counts["waited_ms"] = conversation.wait_for_turn(transcript, adapter, event.turn_id)
    row["transcript_hash"] = transcript.first_line_hash()
    _witness(transcript, adapter, row)
    units_max = adapter.INJECTION_UNITS_MAX - LABEL_UNITS
    found = conversation.read(transcript, adapter, units_max)
    row["agent_version"] = audit.version_or_none(found.agent_version)
    row["model"] = row["model"] or audit.model_or_none(found.model)
    messages = found.messages
    counts["messages_read"] = len(messages)
    counts["malformed_lines"] = found.lines_malformed
    if not messages:
        raise NothingSaved("empty", "too_few_messages")
    items, left_out = _items(_with_instructions(messages, event), units_max, counts)
    serialised = _stable(_content(event, adapter, row, items, left_out), counts)
    saved = checkpoint.save(row["session_hash"], serialised)
    row["outcome"], row["checkpoint_hash"] = "saved", saved.checkpoint_hash
    counts["bytes"] = len(serialised.encode())
    retention.prune(saved, time.time())


def _opened(event: "CompactionStarting", adapter: "HookAdapter") -> Transcript:
    path = adapter.find_transcript(event)
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


def _with_instructions(messages: "list[Message]", event: "CompactionStarting") -> "list[Message]":
    """What the user typed for the compaction is the newest thing the user said."""
    if not event.instructions:
        return messages
    from compact_guard.hook.events import Message

    typed = Message("user", audit.utc(time.time()), event.instructions, "instructions")
    return [typed, *messages]


def _items(
    messages: "list[Message]", units_max: int, counts: "dict[str, Any]"
) -> "tuple[list[dict[str, Any]], dict[str, int]]":
    """Redacted messages that fit, oldest first, and what was left out."""
    clean = redaction.redact_all(
        text.mended(message.text)[:MESSAGE_CHARS_MAX] for message in messages
    )
    if clean.count_failures == len(messages):
        raise NothingSaved("failed", "redaction_failed")
    counts["redactions"] = clean.count_redactions
    items: list[dict[str, Any]] = []
    left_out = {"messages": 0, "characters": 0}
    room = units_max
    for message, content in zip(messages, clean.texts, strict=True):
        room -= ITEM_HEAD_UNITS
        if content is None or room < min(ITEM_UNITS_MIN, text.units(content)):
            left_out["messages"] += 1
            continue
        kept, gone = text.cut(content, min(room, ITEM_UNITS_MAX))
        left_out["characters"] += gone
        room -= text.units(kept)
        items.append(_item(message, kept))
    counts["items_kept"] = counts["messages_kept"] = len(items)
    counts["items_dropped"] = left_out["messages"]
    return items[::-1], left_out


def _item(message: "Message", content: str) -> "dict[str, Any]":
    return {
        "speaker": message.speaker,
        "at": message.at,
        "offset": message.offset,
        "text": content,
    }


def _content(
    event: "CompactionStarting",
    adapter: "HookAdapter",
    row: "dict[str, Any]",
    items: "list[dict[str, Any]]",
    left_out: dict[str, int],
) -> "dict[str, Any]":
    now = time.time()
    first = min((item["offset"] for item in items if item["offset"]), default=0)
    return {
        "schema": checkpoint.SCHEMA,
        "nonce": identity.new_nonce(),
        "agent": adapter.AGENT,
        "session_hash": row["session_hash"],
        "transcript_hash": row["transcript_hash"],
        "created_at": audit.utc(now),
        "created_seconds": int(now),
        "trigger": event.trigger,
        "transcript_bytes": row["transcript_bytes"],
        "left_out": {**left_out, "transcript_bytes_before": first},
        "items": items,
    }


def _stable(content: "dict[str, Any]", counts: "dict[str, Any]") -> str:
    """The serialised checkpoint, if one more redaction of it changes nothing.

    An item that would change is dropped; if the rest still changes, nothing is saved.
    """
    serialised = checkpoint.serialise(content)
    if redaction.redact(serialised) != serialised:
        kept = [item for item in content["items"] if _is_stable(checkpoint.serialise(item))]
        counts["items_dropped"] += len(content["items"]) - len(kept)
        counts["items_kept"] = counts["messages_kept"] = len(kept)
        serialised = checkpoint.serialise({**content, "items": kept})
        if not kept or redaction.redact(serialised) != serialised:
            raise NothingSaved("failed", "redaction_failed")
    if len(serialised.encode()) > CHECKPOINT_BYTES_MAX:
        raise NothingSaved("failed", "internal_error")
    return serialised


def _is_stable(serialised: str) -> bool:
    return redaction.redact(serialised) == serialised

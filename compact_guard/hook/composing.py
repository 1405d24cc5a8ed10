"""What a checkpoint says: read the conversation, redact it, rank it, merge it, choose from it."""

import json
import time

from compact_guard.hook import (
    audit,
    checkpoint,
    conversation,
    cues,
    ellipsis,
    identity,
    ranking,
    redaction,
    selection,
    superseding,
    text,
)
from compact_guard.hook.items import RECENT
from compact_guard.hook.limits import (
    CHECKPOINT_BYTES_MAX,
    COMPARED_MAX,
    LABEL_UNITS,
    MESSAGE_CHARS_MAX,
    PASTE_CHARS_MIN,
    RECENT_COMPARED_MAX,
    STRETCH_CHARS_MAX,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import CompactionStarting, Message
    from compact_guard.hook.items import Item
    from compact_guard.hook.previous import Previous
    from compact_guard.hook.redaction_anchors import Vocabulary
    from compact_guard.hook.transcript import Transcript

_DROPS_MAX = 4  # of a checkpoint's items; each costs one more redaction of it


class NothingSaved(Exception):
    """Why there is no checkpoint: an outcome and a reason of the audit log."""

    def __init__(self, outcome: str, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason


def compose(
    event: "CompactionStarting",
    adapter: "HookAdapter",
    row: "dict[str, Any]",
    transcript: "Transcript",
    before: "Previous",
) -> str:
    """A checkpoint, serialised, of which a further redaction would change nothing.

    Tells `row` what went into it, and writes nothing. Raises NothingSaved.
    """
    counts = row["counts"]
    found = conversation.read(transcript, adapter, before.read_until)
    row["agent_version"] = row["agent_version"] or audit.version_or_none(found.agent_version)
    row["model"] = row["model"] or audit.model_or_none(found.model)
    counts["messages_read"] = len(found.messages)
    counts["malformed_lines"] = found.lines_malformed
    messages, vocabulary = _redacted(_with_instructions(found.messages, event), counts)
    items = before.items + _ranked(messages, adapter.KEPT_VERBATIM[event.trigger])
    if not items:
        raise NothingSaved("empty", "too_few_messages")
    valid = _still_valid(ellipsis.resolved(items), counts)
    chosen = selection.select(valid, adapter.INJECTION_UNITS_MAX - LABEL_UNITS, adapter.length)
    return _stable(_content(event, adapter, row, transcript, chosen), counts, vocabulary)


def _with_instructions(messages: "list[Message]", event: "CompactionStarting") -> "list[Message]":
    """What the user typed for the compaction is the newest thing the user said."""
    if not event.instructions:
        return messages
    from compact_guard.hook.events import Message

    typed = Message("user", audit.utc(time.time()), event.instructions, "instructions")
    return [typed, *messages]


def _redacted(
    messages: "list[Message]", counts: "dict[str, Any]"
) -> "tuple[list[Message], Vocabulary | None]":
    """The messages within STRETCH_CHARS_MAX, redacted whole, oldest first, and their words.

    Given newest first. The user's own words come before answers and answers before pastes.
    """
    room = STRETCH_CHARS_MAX
    said: dict[str, None] = {}  # many a nod is said often
    for message in sorted(messages, key=_is_paste_or_answer):
        message.text = text.mended(message.text)[:MESSAGE_CHARS_MAX].strip()
        is_new = message.text not in said
        if message.text and is_new and (len(message.text) <= room or not said):
            room -= len(message.text)
            said[message.text] = None
    clean = redaction.redact_all(said)
    if said and clean.count_failures == len(said):
        raise NothingSaved("failed", "redaction_failed")
    counts["redactions"] = clean.count_redactions
    texts = dict(zip(said, clean.texts, strict=True))
    kept = []
    for message in reversed(messages):
        content = texts.get(message.text)
        if content is not None:
            message.text = content
            kept.append(message)
    counts["items_dropped"] = len(messages) - len(kept)
    return kept, clean.vocabulary


def _is_paste_or_answer(message: "Message") -> int:
    return (message.speaker != "user") + 2 * (len(message.text) > PASTE_CHARS_MIN)


def _ranked(messages: "list[Message]", kept_verbatim: tuple[int, int]) -> "list[Item]":
    """Items oldest first; those that the agent keeps verbatim anyway are marked."""
    newest, typed_chars = kept_verbatim
    offsets = {message.offset for message in messages[len(messages) - newest :]}
    for message in reversed(messages):
        if message.speaker == "user" and typed_chars > 0:
            typed_chars -= len(message.text)
            offsets.add(message.offset)
    items = ranking.rank(messages)
    for item in items:
        item.is_kept = item.offset in offsets
    return items


def _still_valid(items: "list[Item]", counts: "dict[str, Any]") -> "list[Item]":
    """Without what was taken back. What ranks as nothing is only looked at while it is new."""
    compared = [item for item in items if item.rank != RECENT]
    recent = [item for item in items if item.rank == RECENT][-RECENT_COMPARED_MAX:]
    if len(compared) > COMPARED_MAX:
        compared = sorted(compared, key=lambda item: -item.score)[:COMPARED_MAX]
    wanted = {id(item) for item in compared + recent}
    counts["items_dropped"] += len(items) - len(wanted)
    return superseding.still_valid([item for item in items if id(item) in wanted])


def _content(
    event: "CompactionStarting",
    adapter: "HookAdapter",
    row: "dict[str, Any]",
    transcript: "Transcript",
    chosen: selection.Selection,
) -> "dict[str, Any]":
    now = time.time()
    offsets = [item.offset for item in chosen.kept if item.offset]
    row["counts"]["items_dropped"] += chosen.count_dropped + len(chosen.reserve)
    return {
        "schema": checkpoint.SCHEMA,
        "nonce": identity.new_nonce(),
        "agent": adapter.AGENT,
        "session_hash": row["session_hash"],
        "transcript_hash": row["transcript_hash"],
        "turn_hash": row["turn_hash"],
        "created_at": audit.utc(now),
        "created_seconds": int(now),
        "trigger": event.trigger,
        "transcript_bytes": row["transcript_bytes"],
        "read_until": transcript.complete_bytes,
        "left_out": {
            "items": row["counts"]["items_dropped"],
            "transcript_bytes_before": min(offsets, default=0),
        },
        "items": [item.as_json() for item in chosen.kept],
        "reserve": [item.as_json() for item in chosen.reserve],
    }


def _stable(
    content: "dict[str, Any]", counts: "dict[str, Any]", vocabulary: "Vocabulary | None" = None
) -> str:
    """The serialised checkpoint, if one more redaction of it changes nothing.

    Items in which something is found are dropped, and no others; if that does not help, nothing is
    saved.
    """
    serialised = checkpoint.serialise(content)
    for _ in range(_DROPS_MAX):
        if redaction.redact(serialised, vocabulary) == serialised:
            break
        _drop_touched(content, serialised, counts)
        serialised = checkpoint.serialise(content)
    else:
        raise NothingSaved("failed", "redaction_failed")
    if len(serialised.encode()) > CHECKPOINT_BYTES_MAX:
        raise NothingSaved("failed", "internal_error")
    _count(content["items"], counts)
    return serialised


def _drop_touched(content: "dict[str, Any]", serialised: str, counts: "dict[str, Any]") -> None:
    """Drop the items that a finding touches, be it in one item or across several."""
    spans = redaction.find_spans(serialised)
    position = dropped = 0
    for name in ("items", "reserve"):
        kept = []
        for item in content[name]:
            words = json.dumps(item["text"], ensure_ascii=False)
            start = serialised.index(words, position)
            position = start + len(words)
            if not any(begin < position and end > start for begin, end, _ in spans):
                kept.append(item)
        dropped += len(content[name]) - len(kept)
        content[name] = kept
    if dropped == 0 or not content["items"]:
        raise NothingSaved("failed", "redaction_failed")
    counts["items_dropped"] += dropped


def _count(items: "list[dict[str, Any]]", counts: "dict[str, Any]") -> None:
    counts["items_kept"] = len(items)
    counts["messages_kept"] = len({item["offset"] for item in items})
    counts["items_carried"] = sum(1 for item in items if item.get("is_carried"))
    for rank in cues.RANKS:
        counts[rank] = sum(1 for item in items if item["rank"] == rank)

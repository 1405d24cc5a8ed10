"""Codex's payloads, rollout records and replies, for the hot path. Facts: README.md."""

import json
import os

from compact_guard.agents.codex import hook_client
from compact_guard.hook import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

AGENT = "codex"
FILE = __file__
BOUNDARY_MARK = b'"compacted"'
BOUNDARY_COMES_FIRST = True
WRITES_LATE = False
HEARS_THE_DYING = False
TELLS_AT_RECEIPT = True  # PostCompact's systemMessage is shown, and in no request
# 10,000 bytes of UTF-8 pass and 10,001 do not, in 0.144.6 and 0.171.0; a margin as for others.
INJECTION_UNITS_MAX = 9_900
# Every typed message of the newest 20,000 tokens survives; half of it, for what a token is varies.
KEPT_VERBATIM = {None: (0, 0), "auto": (0, 40_000), "manual": (0, 40_000)}

# Program-made texts that stand in a user's place; old files tell them by nothing else.
NOT_TYPED_STARTS = (
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<skill>",
    "# AGENTS.md instructions",
    "Another language model started to solve this problem",
    "You are performing a CONTEXT CHECKPOINT COMPACTION",
)

_EVENT_NAMES = {
    "pre_compact": "PreCompact",
    "session_start": "SessionStart",
    "post_compact": "PostCompact",
}
_TRIGGERS = ("auto", "manual")
_EVENT = b'"event_msg"'  # each search of a long line costs as much as reading it
_ITEM = b'"response_item"'
_HEAD_BYTES = 128  # a record tells what it is before it tells what it holds
_TAIL_BYTES = 2_048  # of a long output; searching all of it would cost more than reading it
_SOURCES = ("compact", "resume")
# Desktop and editors put what is open before the words: only what follows this is typed.
_WRAPPER_STARTS = (
    "# Context from my IDE setup:",
    "# Files mentioned by the user:",
    "This block is automatically supplied",
    "## My request for Codex:",
)
_REQUEST_MARK = "## My request for Codex:"
_TIME_CHARACTERS = "0123456789-:.TZ+"


def parse(
    event_name: str, payload: "dict[str, Any]", environment: "Mapping[str, str]"
) -> events.Event | None:
    """The event in our words; None if the guard has nothing to do. Raises events.PayloadError."""
    session_id = payload.get("session_id")
    named = payload.get("hook_event_name", _EVENT_NAMES[event_name])
    if not isinstance(session_id, str) or not session_id or named != _EVENT_NAMES[event_name]:
        raise events.PayloadError("no session or another event")
    if event_name == "session_start" and payload.get("source") not in _SOURCES:
        return None
    path = _text_or_none(payload.get("transcript_path"))
    session = hook_client.session_meta(path)
    client = hook_client.look(path, session, environment)
    kinds = {
        "pre_compact": events.CompactionStarting,
        "session_start": events.ContextRestarting,
        "post_compact": events.CompactionFinished,
    }
    event: events.Event = kinds[event_name](
        session_id=session_id,
        transcript_path=path,
        turn_id=_text_or_none(payload.get("turn_id")),
        is_subagent=bool(payload.get("agent_id")) or hook_client.is_subagent(session),
        model=_text_or_none(payload.get("model")),
        trigger=payload["trigger"] if payload.get("trigger") in _TRIGGERS else None,
    )
    event.interface, event.agent_version = client.interface, client.version
    if isinstance(event, events.CompactionStarting):
        is_at_once = event.trigger == "auto" and not client.queues_restarts
        event.delivery = "immediate" if is_at_once else "next_turn"
    if isinstance(event, events.ContextRestarting):
        event.source = payload["source"]
    return event


def render(text: str) -> str:
    """The reply that puts `text` into the new context, as a developer message."""
    output = {"hookEventName": "SessionStart", "additionalContext": text}
    return json.dumps({"hookSpecificOutput": output}) + "\n"


def render_request(text: str) -> None:
    """Nothing: Codex ignores the plain output of PreCompact, and fails a hook that adds context."""


def render_notice(line: str) -> str:
    """The output of PostCompact that shows a line to the person and not to the model."""
    return json.dumps({"systemMessage": line}) + "\n"


def length(text: str) -> int:
    """Bytes of UTF-8: Codex takes four of them for a token and allows 2,500 tokens."""
    return len(text.encode("utf-8", "replace"))


def interface(environment: "Mapping[str, str]") -> str:
    """As far as it can be told without a payload."""
    return hook_client.look(None, {}, environment).interface


def find_transcript(event: events.Event) -> str | None:
    """The payload's path if the file is there; `codex exec --ephemeral` has none."""
    path = event.transcript_path
    return path if path and "\0" not in path and os.path.exists(path) else None


def is_boundary(record: "dict[str, Any]") -> bool:
    """A finished native compaction; what only tells of it is none."""
    return record.get("type") == "compacted" and isinstance(record.get("payload"), dict)


def is_output(chunk: bytes, start: int, stop: int) -> bool:
    """True only for the line of a record that the model was sent, with no event glued to it."""
    told_at = chunk.find(_ITEM, start, min(stop, start + _HEAD_BYTES))
    if told_at < 0 or chunk.find(b"}", start, told_at) >= 0:
        return False
    return chunk.find(_EVENT, max(told_at, stop - _TAIL_BYTES), stop) < 0


def may_hold_message(line: bytes) -> bool:
    """False for all but the events that repeat what was typed and answered: most lines."""
    if _EVENT not in line:
        return False
    if b'"item_completed"' in line:
        return b'"UserMessage"' in line or b'"AgentMessage"' in line
    return b'"user_message"' in line or b'"agent_message"' in line


def may_hold_typed(line: bytes) -> bool:
    """False for all but the events that repeat what was typed."""
    return _EVENT in line and (b'"UserMessage"' in line or b'"user_message"' in line)


def message_in(record: "dict[str, Any]") -> events.Message | None:
    """What the user typed or the model answered.

    Read from the events: none of them stands for instructions, contexts, tools or summaries,
    as the records that the model was sent do.
    """
    payload = record.get("payload")
    if record.get("type") != "event_msg" or not isinstance(payload, dict):
        return None
    match payload.get("type"):
        case "user_message" if payload.get("kind") in (None, "plain"):
            return _message("user", record, payload.get("message"), None)
        case "agent_message":
            return _message("assistant", record, payload.get("message"), None)
        case "item_completed":
            return _completed(record, payload.get("item"))
    return None


def holds_turn(tail: bytes, turn_id: str) -> bool:
    """Always: a prompt that waits for the compaction to end is not in the rollout, however long
    one waits."""
    return True


def version_in(record: "dict[str, Any]") -> object:
    """None: no row but the first names a version, and that one may be out of date."""
    return None


def injected_in(record: "dict[str, Any]") -> list[str]:
    """What hooks, and Codex itself, told the model as its developer."""
    payload = record.get("payload")
    if record.get("type") != "response_item" or not isinstance(payload, dict):
        return []
    blocks = payload.get("content")
    if payload.get("role") != "developer" or not isinstance(blocks, list):
        return []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return [text for text in texts if isinstance(text, str)]


def summary_in(record: "dict[str, Any]") -> str | None:
    """The summary that a boundary's record holds in clear; None where it is encrypted."""
    payload = record.get("payload")
    return _text_or_none(payload.get("message")) if isinstance(payload, dict) else None


def model_in(record: "dict[str, Any]") -> object:
    """None: the payload names the model."""
    return None


def _completed(record: "dict[str, Any]", item: object) -> events.Message | None:
    if not isinstance(item, dict):
        return None
    speaker = {"UserMessage": "user", "AgentMessage": "assistant"}.get(str(item.get("type")))
    blocks = item.get("content")
    if speaker is None or not isinstance(blocks, list):
        return None
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    text = "\n".join(text for text in texts if isinstance(text, str))
    return _message(speaker, record, text, item.get("id"))


def _message(
    speaker: str, record: "dict[str, Any]", text: object, identifier: object
) -> events.Message | None:
    if not isinstance(text, str):
        return None
    text = (_typed(text) if speaker == "user" else text).strip()
    at = _time_or_none(record.get("timestamp"))
    return (
        events.Message(speaker, at, text, f"{speaker} {identifier or at} {text}") if text else None
    )


def _typed(text: str) -> str:
    text = text.lstrip()
    if text.startswith(_WRAPPER_STARTS):
        _, _, request = text.partition(_REQUEST_MARK)
        return request
    return "" if text.startswith(NOT_TYPED_STARTS) else text


def _time_or_none(value: object) -> str | None:
    """A time stamp goes into the injected text: nothing else may stand in its place."""
    if isinstance(value, str) and 10 <= len(value) <= 32 and not value.strip(_TIME_CHARACTERS):
        return value
    return None


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None

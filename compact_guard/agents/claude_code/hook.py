"""Claude Code's payloads, transcript records and replies, for the hot path. Facts: README.md."""

import json
import os

from compact_guard.agents.claude_code import hook_messages
from compact_guard.hook import events
from compact_guard.hook.text import units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

AGENT = "claude-code"
FILE = __file__
BOUNDARY_MARK = b'"compact_boundary"'
BOUNDARY_COMES_FIRST = False
HEARS_THE_DYING = True
WRITES_LATE = True  # every 100 ms; on a busy machine later still
# What PostCompact prints after a typed /compact is repeated to the model, after others to nobody.
TELLS_AT_RECEIPT = False
# 10,000 pass and 10,001 do not; the margin covers a client that counts what we cannot see.
INJECTION_UNITS_MAX = 9_900
# An automatic compaction leaves the newest messages as they are; how many, it does not say before.
KEPT_VERBATIM = {None: (0, 0), "auto": (4, 0), "manual": (0, 0)}
length = units  # JavaScript's own count, measured with characters beyond ASCII

_EVENT_NAMES = {
    "pre_compact": "PreCompact",
    "session_start": "SessionStart",
    "post_compact": "PostCompact",
    "turn_end": "Stop",
}
_TRIGGERS = ("auto", "manual")
_ANTHROPIC_HOSTS = ("https://api.anthropic.com", "http://api.anthropic.com")
_OTHER_BACKENDS = (
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CODE_USE_MANTLE",
)
_OFF = ("", "0", "false", "no", "off")
_RESULT = b'"tool_result"'
_GLUE = b'}{"'  # where one record ends and the next begins
_HEAD_BYTES = 1_024  # a record tells what it is before it tells what it holds
_GLUED_BYTES = 1_024  # of a long tool result; searching all of it would cost more than reading it
_SIBLING_FOLDERS_MAX = 2_000  # a person's projects; more would cost more than a missing transcript

message_in = hook_messages.message_in
injected_in = hook_messages.injected_in


def parse(
    event_name: str, payload: "dict[str, Any]", environment: "Mapping[str, str]"
) -> events.Event | None:
    """The event in our words; None if the guard has nothing to do. Raises events.PayloadError."""
    session_id = payload.get("session_id")
    named = payload.get("hook_event_name", _EVENT_NAMES[event_name])
    if not isinstance(session_id, str) or not session_id or named != _EVENT_NAMES[event_name]:
        raise events.PayloadError("no session or another event")
    if event_name == "session_start" and payload.get("source") != "compact":
        return None
    if event_name == "turn_end" and payload.get("agent_id"):
        return None
    kinds = {
        "pre_compact": events.CompactionStarting,
        "session_start": events.ContextRestarting,
        "post_compact": events.CompactionFinished,
        "turn_end": events.TurnEnded,
    }
    event: events.Event = kinds[event_name](
        session_id=session_id,
        transcript_path=_text_or_none(payload.get("transcript_path")),
        turn_id=_text_or_none(payload.get("prompt_id")),
        is_subagent=bool(payload.get("agent_id")),
        model=_text_or_none(payload.get("model")),
        trigger=payload["trigger"] if payload.get("trigger") in _TRIGGERS else None,
    )
    event.agent_version = _running_version(environment)
    if isinstance(event, events.CompactionStarting):
        event.instructions = _text_or_none(payload.get("custom_instructions"))
    if isinstance(event, events.CompactionFinished):
        summary = payload.get("compact_summary")
        if isinstance(summary, str):
            event.summary_characters = len(summary)
            event.summary = hook_messages.without_blocks(summary, "<analysis>", "</analysis>")
    return event


def render(text: str) -> str:
    """The reply that puts `text` into the new context."""
    output = {"hookEventName": "SessionStart", "additionalContext": text}
    return json.dumps({"hookSpecificOutput": output}) + "\n"


def render_request(text: str) -> str | None:
    """The output of PreCompact that adds `text` to the request for the native summary.

    Every version looked at puts it behind what the user typed, which must not be printed again.
    """
    return f"{text}\n"


def render_notice(line: str) -> str:
    """The output of Stop that shows a line to the person and not to the model."""
    return json.dumps({"systemMessage": line}) + "\n"


def interface(environment: "Mapping[str, str]") -> str:
    """`claude-code/gateway` when the environment names another back end than Anthropic's own."""
    base = environment.get("ANTHROPIC_BASE_URL", "").strip().rstrip("/").lower()
    is_elsewhere = bool(base) and not any(
        base == host or base.startswith((f"{host}/", f"{host}:")) for host in _ANTHROPIC_HOSTS
    )
    for name in _OTHER_BACKENDS:
        is_elsewhere = is_elsewhere or environment.get(name, "").strip().lower() not in _OFF
    return "claude-code/gateway" if is_elsewhere else "claude-code/anthropic"


def find_transcript(event: events.Event) -> str | None:
    """The payload's path, or the same file under a sibling project folder; None if there is none.

    In worktrees and for some names the client computes a folder in which it does not write.
    """
    path = event.transcript_path
    if path is None or "\0" in path:
        return None
    try:
        if os.path.exists(path):
            return path
        return _in_sibling_folder(path)
    except (OSError, ValueError):
        return None


def is_boundary(record: "dict[str, Any]") -> bool:
    """A finished native compaction of the main session; clearing tool results is none."""
    return (
        record.get("type") == "system"
        and record.get("subtype") == "compact_boundary"
        and not record.get("isSidechain")
    )


def may_hold_typed(line: bytes) -> bool:
    """False for lines that cannot hold typed text: most, and the longest ones."""
    return not _is_result(line) and (b'"user"' in line or b'"queued_command"' in line)


def may_hold_message(line: bytes) -> bool:
    """False for lines that cannot hold typed or answered text."""
    if _is_result(line):
        return False
    if b'"assistant"' in line:
        return b'"text"' in line
    return b'"user"' in line or b'"queued_command"' in line


def is_output(chunk: bytes, start: int, stop: int) -> bool:
    """True only for the line of a tool's result with nothing glued to it."""
    is_result = chunk.find(_RESULT, start, min(stop, start + _HEAD_BYTES)) >= 0
    return is_result and not _is_glued(chunk, start, stop)


def _is_result(line: bytes) -> bool:
    return _RESULT in line and not _is_glued(line, 0, len(line))


def _is_glued(chunk: bytes, start: int, stop: int) -> bool:
    """What people type stands at either end."""
    if chunk.find(_GLUE, start, min(stop, start + _GLUED_BYTES)) >= 0:
        return True
    return chunk.find(_GLUE, max(start, stop - _GLUED_BYTES), stop) >= 0


def holds_turn(tail: bytes, turn_id: str) -> bool:
    """True if a row of this prompt is in the tail: only user rows carry the id under this name."""
    name = json.dumps(turn_id).encode()
    return b'"promptId":' + name in tail or b'"promptId": ' + name in tail


def version_in(record: "dict[str, Any]") -> object:
    """The client's version that wrote the record."""
    return record.get("version")


def summary_in(record: "dict[str, Any]") -> str | None:
    """None: PostCompact's payload brings the summary."""
    return None


def model_in(record: "dict[str, Any]") -> object:
    """The model that answered; None for the client's own error texts."""
    message = record.get("message")
    model = message.get("model") if isinstance(message, dict) else None
    return None if model == hook_messages.SYNTHETIC_MODEL else model


def _running_version(environment: "Mapping[str, str]") -> str | None:
    """2.1.150 and later name themselves to what they run: `claude-code_2-1-332_harness`."""
    program, _, rest = environment.get("AI_AGENT", "").partition("_")
    numbers = rest.partition("_")[0].split("-")
    is_version = len(numbers) == 3 and all(number.isdecimal() for number in numbers)
    return ".".join(numbers) if program == AGENT and is_version else None


def _in_sibling_folder(path: str) -> str | None:
    folder, name = os.path.split(path)
    projects = os.path.dirname(folder)
    found: list[tuple[float, str]] = []
    with os.scandir(projects) as entries:
        for _, entry in zip(range(_SIBLING_FOLDERS_MAX), entries, strict=False):
            candidate = os.path.join(entry.path, name)
            if os.path.isfile(candidate):
                found.append((os.stat(candidate).st_mtime, candidate))
    return max(found)[1] if found else None


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None

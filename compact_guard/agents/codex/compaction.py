"""What Codex's rollout tells around a boundary, for the replay. Facts: README.md."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from compact_guard.agents.codex.hook import message_in, summary_in
from compact_guard.agents.codex.transcript import is_subagent, recognises
from compact_guard.hook.transcript import objects_in
from compact_guard.replay.compaction import Compaction, Origin
from compact_guard.transcripts.facts import (
    Trigger,
    content_key,
    dictionary,
    name_or_none,
    utc_time,
)

__all__ = ["AGENT", "compaction_in", "origin_in", "recognises"]

AGENT = "codex"

_LINES_AFTER_MAX = 200
# What tells whether somebody typed for a turn: all other lines need no parsing.
_TURN_MARKS = (
    b'"task_started"',
    b'"task_complete"',
    b'"turn_aborted"',
    b'"user_message"',
    b'"UserMessage"',
)


def origin_in(path: Path, records: Iterable[dict[str, Any]]) -> Origin:
    """From the first line; a slice that begins mid-session has none."""
    first = next(iter(records), {})
    session = dictionary(first.get("payload")) if first.get("type") == "session_meta" else {}
    return Origin(
        name_or_none(session.get("id")) or name_or_none(session.get("session_id")),
        name_or_none(session.get("cli_version")),
        name_or_none(session.get("cwd")),
        is_subagent(session),
    )


def compaction_in(
    boundary: dict[str, Any], before: Iterable[bytes], after: Iterable[bytes]
) -> Compaction:
    """The lines `before` it come newest first, those `after` it oldest first; both lazily."""
    payload = dictionary(boundary.get("payload"))
    at = boundary.get("timestamp")
    return Compaction(
        # Old files give no id; the time is copied into forks.
        key=name_or_none(payload.get("window_id")) or f"{at} {content_key(payload)}",
        at=utc_time(at),
        trigger=_trigger(before, after),
        agent_version=None,
        summary=summary_in(boundary),
        kept=_kept(payload.get("replacement_history")),
        instructions=None,
    )


def _trigger(before: Iterable[bytes], after: Iterable[bytes]) -> Trigger | None:
    """A manual compaction is a turn of its own, for which nobody typed a prompt.

    None where the file does not mark its turns.
    """
    is_asked = False
    for kind in _turn_events(before):
        match kind:
            case "prompt":
                is_asked = True
            case "task_started":
                return "auto" if is_asked else _trigger_by_what_followed(after)
            case _:
                return None
    return None


def _trigger_by_what_followed(after: Iterable[bytes]) -> Trigger | None:
    """A turn over the limit is compacted before its prompt is written."""
    lines = (line for _, line in zip(range(_LINES_AFTER_MAX), after, strict=False))
    match next(_turn_events(lines), None):
        case "prompt":
            return "auto"
        case "task_complete":
            return "manual"
    return None


def _turn_events(lines: Iterable[bytes]) -> Iterator[str]:
    """`prompt`, `task_started`, `task_complete` and `turn_aborted` in the order of the lines."""
    for line in lines:
        if not any(mark in line for mark in _TURN_MARKS):
            continue
        for _, record in objects_in(line)[0]:
            message = message_in(record)
            kind = dictionary(record.get("payload")).get("type")
            if message is not None and message.speaker == "user":
                yield "prompt"
            elif record.get("type") == "event_msg" and kind in (
                "task_started", "task_complete", "turn_aborted",
            ):  # fmt: skip
                yield str(kind)


def _kept(history: object) -> list[str] | None:
    """All that the new context holds in clear, but for the agent's own instructions."""
    if not isinstance(history, list):
        return None
    items = [item for item in history if isinstance(item, dict) and item.get("role") != "developer"]
    blocks = [block for item in items for block in _blocks(item)]
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return [text for text in texts if isinstance(text, str)]


def _blocks(item: dict[str, Any]) -> list[Any]:
    content = item.get("content")
    return content if isinstance(content, list) else []

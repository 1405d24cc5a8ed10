"""What Claude Code's transcript tells around a boundary, for the replay. Facts: README.md."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from compact_guard.agents.claude_code.hook import BOUNDARY_MARK, is_boundary, message_in
from compact_guard.agents.claude_code.transcript import recognises
from compact_guard.hook.transcript import objects_in
from compact_guard.replay.compaction import Compaction, Origin
from compact_guard.transcripts.facts import (
    content_key,
    dictionary,
    name_or_none,
    trigger_or_none,
    utc_time,
)

__all__ = ["AGENT", "compaction_in", "origin_in", "recognises"]

AGENT = "claude-code"

_COMMAND = "/compact "
_ROWS_AFTER_MAX = 40  # the summary follows within ten; what was typed stands directly behind it


def origin_in(path: Path, records: Iterable[dict[str, Any]]) -> Origin:
    """From the first rows, up to one of the main session; a subagent's file has none."""
    session_id = version = project = None
    sides: set[bool] = set()
    for row in records:
        session_id = session_id or name_or_none(row.get("sessionId"))
        version = version or name_or_none(row.get("version"))
        project = project or name_or_none(row.get("cwd"))
        if "uuid" in row:
            sides.add(bool(row.get("isSidechain")))
        if project and False in sides:
            break
    is_named = "subagents" in path.parts and path.name.startswith("agent-")
    return Origin(session_id, version, project, is_named or sides == {True})


def compaction_in(
    boundary: dict[str, Any], before: Iterable[bytes], after: Iterable[bytes]
) -> Compaction:
    """The lines `before` it come newest first, those `after` it oldest first; both lazily."""
    metadata = dictionary(boundary.get("compactMetadata"))
    trigger = trigger_or_none(metadata.get("trigger"))
    summary, instructions = _told(after)
    return Compaction(
        key=name_or_none(boundary.get("uuid")) or content_key(boundary),
        at=utc_time(boundary.get("timestamp")),
        trigger=trigger,
        agent_version=name_or_none(boundary.get("version")),
        summary=summary,
        kept=_kept(metadata, before),
        instructions=instructions,
    )


def _told(after: Iterable[bytes]) -> tuple[str | None, str | None]:
    """The summary is a row of its own; what was typed behind the command is another."""
    summary = instructions = None
    for _, row in zip(range(_ROWS_AFTER_MAX), _rows(after), strict=False):
        if row.get("isCompactSummary"):
            summary = _text_of(row)
            continue
        if is_boundary(row) or row.get("type") == "assistant":
            break
        message = message_in(row)
        if message is None:
            continue
        if message.text.startswith(_COMMAND):
            instructions = message.text.removeprefix(_COMMAND).strip() or None
        if summary is not None:
            break
    return summary, instructions


def _kept(metadata: dict[str, Any], before: Iterable[bytes]) -> list[str] | None:
    """Texts of the rows that the boundary names: they are not written again."""
    named = dictionary(metadata.get("preservedMessages")).get("uuids")
    wanted = set(filter(None, map(name_or_none, named))) if isinstance(named, list) else set()
    if not wanted:
        return None
    texts: list[str] = []
    for line in before:
        if BOUNDARY_MARK not in line and not any(name.encode() in line for name in wanted):
            continue
        for row in _rows([line]):
            if is_boundary(row):
                return texts
            if (name := name_or_none(row.get("uuid"))) in wanted:
                wanted.discard(str(name))
                message = message_in(row)
                texts += [message.text] if message else []
        if not wanted:
            return texts
    return texts


def _rows(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        for _, row in objects_in(line)[0]:
            yield row


def _text_of(row: dict[str, Any]) -> str | None:
    content = dictionary(row.get("message")).get("content")
    blocks = content if isinstance(content, list) else [{"text": content}]
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "\n".join(text for text in texts if isinstance(text, str)) or None

"""What Claude Code's transcript says of use and cost. Facts: README.md, "Counting".

Only the few fields named here are built; the rest of a line is checked as JSON and skipped.
"""

from pathlib import Path
from typing import Any

import msgspec

from compact_guard.transcripts.stretches import Name, Stretch
from compact_guard.window.usage import Count, Event, Source, TimeText, loosely

AGENT = "claude-code"

_SYNTHETIC_MODEL = "<synthetic>"
_IDENTITY_LINES_MAX = 100  # the first rows may name neither session nor folder


class _CacheWrites(msgspec.Struct, gc=False):
    ephemeral_1h_input_tokens: Count = 0


class _Usage(msgspec.Struct, gc=False):
    input_tokens: Count = 0
    output_tokens: Count = 0
    cache_read_input_tokens: Count = 0
    cache_creation_input_tokens: Count = 0
    cache_creation: _CacheWrites | None = None
    speed: Name | None = None


class _Message(msgspec.Struct, gc=False):
    id: Name | None = None
    model: Name | None = None
    usage: _Usage | None = None


class _Metadata(msgspec.Struct, gc=False, rename="camel"):
    trigger: Name | None = None
    pre_tokens: Count | None = None
    post_tokens: Count | None = None
    duration_ms: Count | None = None


class _Row(msgspec.Struct, gc=False, rename="camel"):
    type: Name | None = None
    subtype: Name | None = None
    uuid: Name | None = None
    timestamp: TimeText | None = None
    is_sidechain: bool | None = None
    is_compact_summary: bool | None = None
    message: _Message | str | None = None
    compact_metadata: _Metadata | None = None
    version: Name | None = None


class _Identity(msgspec.Struct, rename="camel"):
    session_id: Name | None = None
    cwd: str | None = None


# Line number and whether of the main session, by the first row; usage, model, time by the last.
# A plain tuple: there are many.
_Response = tuple[int, bool, _Usage, str | None, str | None]

_row = msgspec.json.Decoder(_Row).decode
_rows = msgspec.json.Decoder(_Row).decode_lines
_identity = msgspec.json.Decoder(_Identity).decode


class Reader:
    """Reads one file's rows in order."""

    AGENT = AGENT

    def __init__(self, path: Path) -> None:
        self._is_named_subagent = path.name.startswith("agent-")
        self._session_id: str | None = None
        self._project: str | None = None
        self._responses: dict[str, _Response] = {}  # by id
        self._boundaries: list[Event] = []

    def is_settled(self, lines: int) -> bool:
        """The first rows are read twice, for whose they are."""
        return self._project is not None or lines >= _IDENTITY_LINES_MAX

    def take_stretch(self, line_number: int, stretch: Stretch) -> int:
        """All lines from this one on, if all are plain: how many. Else 0, and nothing changes."""
        rows = stretch.rows(_rows)
        if rows is None:
            return 0
        for index, row in enumerate(rows):
            if row.type == "assistant":
                self._take_response(line_number + index, row)
            elif row.subtype is not None:
                self._take_row(line_number + index, row)
            elif row.is_compact_summary:
                self._take_summary(stretch.line_bytes(index))
        return len(rows)

    def take(self, line_number: int, line: bytes) -> None:
        """One plain line; raises msgspec.DecodeError for any other."""
        row = _row(line)
        if not self.is_settled(line_number - 1):
            self._take_identity(_identity(line))
        self._take_row(line_number, row)
        if row.is_compact_summary:
            self._take_summary(len(line))

    def take_object(self, line_number: int, line_bytes: int, record: dict[str, Any]) -> None:
        """One object of a line that is damaged, glued or unusual."""
        if not self.is_settled(line_number - 1):
            self._take_identity(loosely(_Identity, record))
        row = loosely(_Row, record)
        self._take_row(line_number, row)
        if row.is_compact_summary:
            self._take_summary(line_bytes)

    def source(self) -> Source:
        """Subagents have files of their own, or stand among the rows of the main session."""
        has_main = any(is_main for _, is_main, *_ in self._responses.values())
        is_subagent = self._is_named_subagent or (bool(self._responses) and not has_main)
        return Source(self._session_id, self._project, is_subagent)

    def events(self) -> list[Event]:
        """Responses in the order of their first rows, then boundaries."""
        turns = [_turn(key, response) for key, response in self._responses.items()]
        return turns + self._boundaries

    def _take_identity(self, identity: _Identity) -> None:
        self._session_id = self._session_id or identity.session_id
        self._project = identity.cwd

    def _take_row(self, line_number: int, row: _Row) -> None:
        if row.type == "assistant":
            self._take_response(line_number, row)
        elif row.type == "system" and row.subtype == "compact_boundary":
            self._boundaries.append(_boundary(line_number, row))

    def _take_response(self, line_number: int, row: _Row) -> None:
        message = row.message
        if type(message) is not _Message or message.usage is None:
            return
        if message.model == _SYNTHETIC_MODEL:
            return
        is_main = not row.is_sidechain
        key = message.id or row.uuid or f"line {line_number}"
        first = self._responses.get(key)
        if first is not None:
            if first[1] is not is_main:
                return  # a subagent's replay of a main row says nothing new
            line_number = first[0]
        usage, model = message.usage, message.model
        self._responses[key] = (line_number, is_main, usage, model, row.timestamp)

    def _take_summary(self, line_bytes: int) -> None:
        if self._boundaries and self._boundaries[-1].summary_bytes is None:
            self._boundaries[-1].summary_bytes = line_bytes


def _turn(key: str, response: _Response) -> Event:
    line_number, is_main, usage, model, at = response
    written, split = usage.cache_creation_input_tokens, usage.cache_creation
    # Old rows do not split the writes: five minutes was the only kind then.
    written_1h = min(written, split.ephemeral_1h_input_tokens) if split else 0
    return Event(
        "turn",
        line_number,
        key,
        at,
        is_main,
        model,
        usage.speed,
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_input_tokens,
        written - written_1h,
        written_1h,
        usage.input_tokens + usage.cache_read_input_tokens + written,
    )


def _boundary(line_number: int, row: _Row) -> Event:
    metadata = row.compact_metadata or _Metadata()
    return Event(
        "boundary",
        line_number,
        row.uuid or f"line {line_number}",
        row.timestamp,
        row.is_sidechain is not True,
        trigger=metadata.trigger,
        tokens_before=metadata.pre_tokens,
        tokens_after=metadata.post_tokens,
        duration_ms=metadata.duration_ms,
        duration_evidence="logged" if metadata.duration_ms else "not_logged",
        agent_version=row.version,
    )

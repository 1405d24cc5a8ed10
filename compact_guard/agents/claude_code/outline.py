"""The cold reader for whole stretches of plain lines: most of them it reads in outline only.

What a row means is said in `transcript`. Here is said which rows can prove nothing but whose they
are, and that a response is one: of these the rest is checked as JSON and skipped.
"""

from typing import Any

import msgspec

from compact_guard.agents.claude_code import transcript
from compact_guard.agents.claude_code.forks import Place
from compact_guard.transcripts.facts import version_numbers
from compact_guard.transcripts.stretches import Name, Stretch


class _Message(msgspec.Struct, gc=False):
    id: Name | None = None
    model: Name | None = None


class _Snapshot(msgspec.Struct, gc=False):
    timestamp: Name | None = None


class _Origin(msgspec.Struct, gc=False):
    pass


class _Outline(msgspec.Struct, gc=False, rename="camel"):
    type: Name | None = None
    subtype: Name | None = None
    session_id: Name | None = None
    version: Name | None = None
    uuid: Name | None = None
    parent_uuid: Name | None = None
    logical_parent_uuid: Name | None = None
    is_sidechain: bool | None = None
    is_api_error_message: bool | None = None
    timestamp: Name | None = None
    snapshot: _Snapshot | None = None
    forked_from: _Origin | None = None
    message: _Message | str | None = None
    tool_use_result: msgspec.Raw = msgspec.Raw(b"")


_NO_MESSAGE = _Message()
_NOTHING = (b'""', b"[]", b"{}")
_outlines = msgspec.json.Decoder(_Outline).decode_lines


class Reader(transcript.Reader):
    """Reads one file's records in order."""

    def take_stretch(self, stretch: Stretch) -> int:
        """All its lines, if all are plain: how many. Else 0, and nothing changes."""
        outline = stretch.outline(_outlines, _may_prove_more)
        if outline is None:
            return 0
        self._take_all(*outline)
        return len(outline[0])

    def _take_all(
        self, starts: list[int], rows: list[_Outline], records: dict[int, dict[str, Any]]
    ) -> None:
        noticed = 0
        for index, (offset, row) in enumerate(zip(starts, rows, strict=True)):
            if row.is_sidechain or not self._has_main_rows:
                self._place(row)
                if row.is_sidechain:
                    continue
            if row.type == "assistant":
                self._take_answer_of(offset, row)
            elif offset in records:
                self._notice(rows[noticed:index])
                noticed = index
                self.take(offset, records[offset])
        self._notice(rows[noticed:])

    def _place(self, row: _Outline) -> None:
        place = Place(
            is_row=row.uuid is not None,
            at=row.timestamp or (row.snapshot and row.snapshot.timestamp),
            has_parent=bool(row.parent_uuid),
            has_earlier_part=bool(row.logical_parent_uuid),
            is_marked_copy=row.forked_from is not None,
        )
        self.take_place(place, is_side=bool(row.is_sidechain))

    def _notice(self, rows: list[_Outline]) -> None:
        """Whose rows they are: the last ones that say it count, and nearly every one does."""
        backwards = rows[::-1]
        session_id = next((row.session_id for row in backwards if row.session_id), None)
        version = next((row.version for row in backwards if version_numbers(row.version)), None)
        self.take_envelope(session_id, version)

    def _take_answer_of(self, offset: int, row: _Outline) -> None:
        message = row.message if type(row.message) is _Message else _NO_MESSAGE
        if message.id not in self._responses and not row.is_api_error_message:
            self.take_answer(offset, row.timestamp, message.model, message.id or row.uuid)


def _may_prove_more(row: _Outline) -> bool:
    """Whether it may be a prompt, hold what a hook injected, or be a boundary."""
    if row.type == "assistant" or row.is_sidechain:
        return False
    if row.type == "user":
        return not _surely_holds_something(row.tool_use_result)
    return row.type == "attachment" or row.subtype == "compact_boundary"


def _surely_holds_something(value: msgspec.Raw) -> bool:
    """True for a text, list or object that is not empty, as far as its first two bytes tell."""
    head = bytes(memoryview(value)[:2])
    return head[:1] in (b'"', b"[", b"{") and head not in _NOTHING and head[1:] not in (b" ", b"\t")

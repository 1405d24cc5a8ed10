"""The cold reader for whole stretches of plain lines: most of them it reads in outline only.

What a record means is said in `transcript`. Here is said which records prove nothing, and of
which the kind and the ids prove all: of these the rest is checked as JSON and skipped.
"""

from typing import Any

import msgspec

from compact_guard.agents.codex import transcript
from compact_guard.transcripts.stretches import Name, Stretch


class _Payload(msgspec.Struct, gc=False):
    type: Name | None = None
    id: Name | None = None
    call_id: Name | None = None


class _Outline(msgspec.Struct, gc=False):
    type: Name | None = None
    timestamp: Name | None = None
    payload: _Payload | None = None
    metadata: msgspec.Raw = msgspec.Raw(b"")


_NO_PAYLOAD = _Payload()
_outlines = msgspec.json.Decoder(_Outline).decode_lines

_TELLING = frozenset(("session_meta", "compacted"))
_TELLING_EVENTS = frozenset(("user_message", "task_started", "task_complete", "turn_aborted"))


class Reader(transcript.Reader):
    """Reads one file's records in order."""

    def take_stretch(self, stretch: Stretch) -> int:
        """All its lines, if all are plain: how many. Else 0, and nothing changes."""
        outline = stretch.outline(_outlines, _is_read_whole)
        if outline is None:
            return 0
        starts, rows, records = outline
        for offset, row in zip(starts, rows, strict=True):
            if offset in records:
                self.take(offset, records[offset])
            elif row.type == "response_item":
                self.take(offset, _as_record(row))
        return len(rows)


def _as_record(row: _Outline) -> dict[str, Any]:
    payload = row.payload or _NO_PAYLOAD
    told = {"type": payload.type, "id": payload.id, "call_id": payload.call_id}
    return {"type": row.type, "timestamp": row.timestamp, "payload": told}


def _is_read_whole(row: _Outline) -> bool:
    kind = row.payload.type if row.payload else None
    match row.type:
        case "response_item":
            return kind == "message" or bool(memoryview(row.metadata).nbytes)
        case "event_msg":
            return kind in _TELLING_EVENTS
    return row.type in _TELLING

"""A transcript as it grows: its bytes, and what each place in them proves."""

import hashlib
import json
from datetime import datetime
from typing import Any, NamedTuple


class Mark(NamedTuple):
    """One fact of a transcript; `line` is where its line begins and ends."""

    offset: int
    line: tuple[int, int]
    kind: str
    key: str | None
    at: datetime


class Transcript:
    """Appended to only, as both agents do."""

    def __init__(self, *, records_hook_text: bool) -> None:
        self.records_hook_text = records_hook_text
        self.content = bytearray()
        self.marks: list[Mark] = []

    def write(
        self,
        record: dict[str, Any],
        at: datetime,
        kind: str | None = None,
        key: str | None = None,
        *,
        glued_to: dict[str, Any] | None = None,
    ) -> Mark | None:
        """Append one line; `glued_to` is a record that the agent put on the same line before it."""
        start = len(self.content)
        self.content += json.dumps(glued_to).encode() if glued_to else b""
        offset = len(self.content)
        self.content += json.dumps(record).encode() + b"\n"
        if kind is None:
            return None
        self.marks.append(Mark(offset, (start, len(self.content)), kind, key, at))
        return self.marks[-1]

    @property
    def first_line_hash(self) -> str:
        return hashlib.sha256(self.content.partition(b"\n")[0]).hexdigest()

    @property
    def last_boundary(self) -> int | None:
        return next((mark.offset for mark in reversed(self.marks) if mark.kind == "boundary"), None)

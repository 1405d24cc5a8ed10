"""One transcript from first byte to last: whose it is, what it says of use, what was unreadable.

Stretches of plain lines are read at once. A line that is not one plain JSON object is read again,
slowly, for whatever can be recovered from it.
"""

import os
from collections import Counter
from io import RawIOBase
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from compact_guard.agents.claude_code import transcript as claude_code_transcript
from compact_guard.agents.claude_code import usage as claude_code
from compact_guard.agents.codex import transcript as codex_transcript
from compact_guard.agents.codex import usage as codex
from compact_guard.hook import identity
from compact_guard.transcripts import folders
from compact_guard.transcripts.decompression import DamagedStream, open_raw
from compact_guard.transcripts.lines import Line, objects_in
from compact_guard.transcripts.stretches import Stretch, stretches
from compact_guard.window.usage import Event, Rejection, Source, UsageReader

# Codex first: its mark is the narrower one.
READERS = (
    (codex_transcript.recognises, codex.Reader),
    (claude_code_transcript.recognises, claude_code.Reader),
)

# A foreign file may be large: an agent's own file shows itself in its first lines.
_LINES_UNRECOGNISED_MAX = 1_000


class File(msgspec.Struct, frozen=True):
    """One file given: a row of raw_window_files.

    `reject_reason` is null for an agent's transcript, else `no_access`, `no_object` (empty, or
    garbled throughout) or `foreign`. `lines_read` are physical lines, blank ones among them;
    `rejected` holds `reason=lines` of each reason, joined by `;`. `file_key` joins its events.
    """

    file: str
    reject_reason: str | None = None
    file_key: str = ""
    agent: str | None = None
    session_hash: str | None = None
    project_hash: str | None = None
    is_subagent: bool = False
    ancestor_hashes: str = ""
    lines_read: int = 0
    rejected_lines: int = 0
    recovered_lines: int = 0
    rejected: str = ""


class Scan(NamedTuple):
    """A file's row and its events."""

    file: File
    events: list[Event]


def default_folders() -> list[Path]:
    """Where the agents on this machine keep their transcripts; raises UsageError without any."""
    return folders.own()


def scan(path: Path) -> Scan:
    """Read one file, whatever its damage. Never raises for what it holds or for its permissions."""
    reading = _Reading(path)
    try:
        with open_raw(path) as stream:
            reading.read(stream)
    except DamagedStream:
        reading.rejected[Rejection.BROKEN_STREAM] += 1
    except OSError:
        return Scan(File(_name(path), "no_access"), [])
    return reading.result()


class _Reading:
    """What the lines of one file have shown so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.reader: UsageReader | None = None
        self.lines = self.objects = self.recovered = 0
        self.rejected: Counter[Rejection] = Counter()

    def read(self, stream: RawIOBase) -> None:
        """Every line, or the first ones of a foreign file. Raises DamagedStream, OSError."""
        for stretch in stretches(stream):
            self._take(stretch)
            if self._is_foreign():
                return

    def result(self) -> Scan:
        """The file's row and its events."""
        name = _name(self.path)
        if self.reader is None:
            return Scan(self._counted(File(name, "foreign" if self.objects else "no_object")), [])
        file = _file(name, self.reader.AGENT, self.reader.source())
        return Scan(self._counted(file), self.reader.events())

    def _take(self, stretch: Stretch) -> None:
        reader = self._settled()
        if reader is None:
            self._take_lines(stretch)
        elif taken := reader.take_stretch(self.lines + 1, stretch):
            self.lines += taken
        elif halves := stretch.halves():
            for half in halves:
                self._take(half)
        else:
            self._take_lines(stretch)

    def _take_lines(self, stretch: Stretch) -> None:
        was_settled = self._settled() is not None
        for line in stretch.lines():
            self._take_line(line)
            if self._is_foreign():
                return
            if self._settled() and not was_settled:
                self._take(stretch.behind(line.end))
                return

    def _settled(self) -> UsageReader | None:
        is_settled = self.reader is not None and self.reader.is_settled(self.lines)
        return self.reader if is_settled else None

    def _is_foreign(self) -> bool:
        return self.reader is None and self.lines >= _LINES_UNRECOGNISED_MAX

    def _take_line(self, line: Line) -> None:
        self.lines += 1
        if line.content is None:
            self.rejected[Rejection.TOO_LONG] += 1
        elif not self._take_plainly(line.content) and not line.content.isspace():
            self._recover(line.content)

    def _take_plainly(self, line: bytes) -> bool:
        if self.reader is None:
            return False
        try:
            self.reader.take(self.lines, line)
        except (msgspec.DecodeError, RecursionError):
            return False
        return True

    def _recover(self, line: bytes) -> None:
        found, damage_offsets, _ = objects_in(line)
        for _, record in found:
            self._take_object(line, record)
        self.objects += len(found)
        if damage_offsets:
            self.rejected[_reason(line, damage_offsets[0], bool(found))] += 1
        elif len(found) > 1:
            self.recovered += 1

    def _take_object(self, line: bytes, record: dict[str, Any]) -> None:
        if self.reader is None:
            make = next((make for recognises, make in READERS if recognises(record)), None)
            self.reader = make(self.path) if make else None
        if self.reader is not None:
            self.reader.take_object(self.lines, len(line), record)

    def _counted(self, file: File) -> File:
        return msgspec.structs.replace(
            file,
            lines_read=self.lines,
            rejected_lines=self.rejected.total(),
            recovered_lines=self.recovered,
            rejected=";".join(f"{reason.value}={n}" for reason, n in self.rejected.items()),
        )


def _file(name: str, agent: str, source: Source) -> File:
    return File(
        name,
        agent=agent,
        session_hash=_hash(agent, source.session_id),
        project_hash=_hash("project", source.project),
        is_subagent=source.is_subagent,
        ancestor_hashes=";".join(str(_hash(agent, name)) for name in source.ancestors),
    )


def _hash(kind: str, name: str | None) -> str | None:
    """Ids and folders never leave the file they stand in."""
    return None if name is None else identity.session_hash(kind, name)


def _reason(line: bytes, offset: int, has_objects: bool) -> Rejection:
    if line[offset : offset + 1] == b"\0":
        return Rejection.NUL
    return Rejection.TORN if has_objects or b"{" in line else Rejection.NOT_AN_OBJECT


def _name(path: Path) -> str:
    """The path as the warehouse can hold it: file names may be no UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")

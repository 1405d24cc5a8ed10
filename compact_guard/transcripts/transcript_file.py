"""One transcript from first byte to last: whose it is, what it proves, what could not be read."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from compact_guard.agents.claude_code import outline as claude_code_outline
from compact_guard.agents.claude_code import transcript as claude_code
from compact_guard.agents.codex import outline as codex_outline
from compact_guard.agents.codex import transcript as codex
from compact_guard.hook import identity
from compact_guard.transcripts.decompression import DamagedStream, open_raw
from compact_guard.transcripts.facts import Fact, TranscriptReader
from compact_guard.transcripts.lines import Line, Objects, objects_in
from compact_guard.transcripts.stretches import Stretch, stretches

Recognises = Callable[[dict[str, Any]], bool]
MakeReader = Callable[[Path, list[Fact]], TranscriptReader]

READERS: tuple[tuple[Recognises, MakeReader], ...] = (
    (codex.recognises, codex_outline.Reader),
    (claude_code.recognises, claude_code_outline.Reader),
)

# A foreign file may be large: an agent's own file shows itself in its first lines.
_LINES_UNRECOGNISED_MAX = 1_000


class File(NamedTuple):
    """One file. `reject_reason` is null for an agent's transcript, else `no_access` (cannot be
    opened or listed), `no_object` (empty, or garbled throughout) or `foreign`."""

    file: str
    reject_reason: str | None = None
    agent: str | None = None
    transcript_hash: str | None = None
    session_hash: str | None = None
    interface: str | None = None
    agent_version: str | None = None
    complete_bytes: int = 0  # up to and including the last line end, decompressed
    file_bytes: int = 0  # decompressed
    is_subagent: bool | None = None
    is_slice: bool | None = None  # begins mid-session
    records_hook_text: bool | None = None  # at each of its boundaries
    lines_read: int = 0  # without blank ones
    objects_read: int = 0
    unreadable_lines: int = 0
    glued_lines: int = 0
    invalid_utf8_lines: int = 0  # where it shows: what can prove nothing is not decoded


class TranscriptFile(NamedTuple):
    """A file's row and its facts in the order of their offsets."""

    file: File
    events: list[Fact]


def read(path: Path) -> TranscriptFile:
    """One file, whatever its damage. Never raises for what it holds or for lacking permission."""
    reading = _Reading(path)
    try:
        with open_raw(path) as stream:
            for stretch in stretches(stream):
                reading.take(stretch)
                if reading.is_hopeless():
                    break
    except DamagedStream:
        reading.break_off()
    except OSError:
        return TranscriptFile(File(_name(path), "no_access"), [])
    return TranscriptFile(reading.row(), sorted(reading.facts, key=lambda fact: fact.byte_offset))


class _Reading:
    """What the lines of one file have shown so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.facts: list[Fact] = []
        self.reader: TranscriptReader | None = None
        self.transcript_hash: str | None = None
        self.file_bytes = 0
        self.complete_bytes = 0
        self.lines = 0
        self.objects = 0
        self.unreadable = 0
        self.glued = 0
        self.invalid_utf8 = 0

    def take(self, stretch: Stretch) -> None:
        """All its lines at once where they are plain; until it is known whose, one by one."""
        if self.reader is None:
            self._take_lines(stretch)
        elif taken := self.reader.take_stretch(stretch):
            self.lines += taken
            self.objects += taken
            self.file_bytes = self.complete_bytes = stretch.offset + stretch.stop - stretch.start
        elif halves := stretch.halves():
            for half in halves:
                self.take(half)
        else:
            self._take_lines(stretch)

    def _take_lines(self, stretch: Stretch) -> None:
        was_known = self.reader is not None
        for line in stretch.lines():
            self._take_line(line)
            if self.is_hopeless():
                return
            if self.reader and not was_known:
                self.take(stretch.behind(line.end))
                return

    def _take_line(self, line: Line) -> None:
        self.file_bytes = line.end
        if line.is_complete:
            self.complete_bytes = line.end
        if line.content is None:
            self.lines += 1
            self._note_damage(line.offset)
            return
        if line.offset == 0 and line.is_complete:
            self.transcript_hash = hashlib.sha256(_without_line_end(line.content)).hexdigest()
        if not line.content.isspace():
            self._take_objects(line, objects_in(line.content))

    def is_hopeless(self) -> bool:
        return self.reader is None and self.lines >= _LINES_UNRECOGNISED_MAX

    def break_off(self) -> None:
        """The rest cannot be decompressed."""
        self._note_damage(self.complete_bytes)

    def row(self) -> File:
        if self.reader is None:
            return self._counted(File(_name(self.path), "foreign" if self.objects else "no_object"))
        who = self.reader.identity()
        agent = self.reader.AGENT
        return self._counted(
            File(
                file=_name(self.path),
                agent=agent,
                session_hash=who.session_id and identity.session_hash(agent, who.session_id),
                interface=who.interface,
                agent_version=who.agent_version,
                is_subagent=who.is_subagent,
                is_slice=who.is_slice,
                records_hook_text=who.records_hook_text,
            )
        )

    def _take_objects(self, line: Line, objects: Objects) -> None:
        self.lines += 1
        self.objects += len(objects.found)
        self.glued += len(objects.found) > 1
        self.invalid_utf8 += not objects.is_valid_utf8
        for offset, record in objects.found:
            self._take_record(line.offset + offset, record)
        # What a line without its end holds may still be being written: that is no damage.
        if objects.damage_offsets and line.is_complete:
            self._note_damage(*(line.offset + offset for offset in objects.damage_offsets))

    def _take_record(self, offset: int, record: dict[str, Any]) -> None:
        if self.reader is None:
            make = next((make for recognises, make in READERS if recognises(record)), None)
            if make is None:
                return
            self.reader = make(self.path, self.facts)
        self.reader.take(offset, record)

    def _note_damage(self, *offsets: int) -> None:
        """One line's damage, at one or several places of it."""
        self.unreadable += 1
        self.facts += [Fact(offset, "unreadable") for offset in offsets]

    def _counted(self, file: File) -> File:
        return file._replace(
            transcript_hash=self.transcript_hash,
            complete_bytes=self.complete_bytes,
            file_bytes=self.file_bytes,
            lines_read=self.lines,
            objects_read=self.objects,
            unreadable_lines=self.unreadable,
            glued_lines=self.glued,
            invalid_utf8_lines=self.invalid_utf8,
        )


def _without_line_end(line: bytes) -> bytes:
    line = line.removesuffix(b"\n")
    return line.removesuffix(b"\r")


def _name(path: Path) -> str:
    """The path as the warehouse can hold it: file names may be no UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")

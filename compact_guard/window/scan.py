"""One transcript from first byte to last: whose it is, what it says of use, what was unreadable.

A file is read as a stream, line by line: memory is bounded by its longest line. A line that is
not one plain JSON object is read again, slowly, for whatever can be recovered from it.
"""

import os
from collections import Counter
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from compact_guard.agents.claude_code import transcript as claude_code_transcript
from compact_guard.agents.claude_code import usage as claude_code
from compact_guard.agents.codex import transcript as codex_transcript
from compact_guard.agents.codex import usage as codex
from compact_guard.errors import UsageError
from compact_guard.hook import identity
from compact_guard.transcripts.lines import (
    LINE_BYTES_MAX,
    DamagedStream,
    damage_errors,
    objects_in,
    open_decompressed,
)
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
    folders = [*claude_code.default_folders(), *codex.default_folders()]
    found = [folder for folder in folders if folder.is_dir()]
    if not found:
        raise UsageError(f"no transcripts in {', '.join(map(str, folders))}: name a PATH")
    return found


def scan(path: Path) -> Scan:
    """Read one file, whatever its damage. Never raises for what it holds or for its permissions."""
    reading = _Reading(path)
    try:
        with open_decompressed(path) as stream:
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

    def read(self, stream: IO[bytes]) -> None:
        """Every line. Raises DamagedStream where decompression fails, OSError."""
        try:
            self._find_reader(stream)
            if self.reader is not None:
                self._read_lines(stream, self.reader)
        except damage_errors() as error:
            raise DamagedStream(str(error)) from error

    def result(self) -> Scan:
        """The file's row and its events."""
        name = _name(self.path)
        if self.reader is None:
            return Scan(self._counted(File(name, "foreign" if self.objects else "no_object")), [])
        file = _file(name, self.reader.AGENT, self.reader.source())
        return Scan(self._counted(file), self.reader.events())

    def _find_reader(self, stream: IO[bytes]) -> None:
        """Read slowly until a line shows whose file it is."""
        while self.reader is None and self.lines < _LINES_UNRECOGNISED_MAX:
            line = stream.readline(LINE_BYTES_MAX)
            if not line:
                return
            self.lines += 1
            self._take_slowly(line, stream)

    def _read_lines(self, stream: IO[bytes], reader: UsageReader) -> None:
        """The hot loop: nearly every line goes through the first three statements only."""
        readline, take = stream.readline, reader.take
        number = self.lines
        try:
            while line := readline(LINE_BYTES_MAX):
                number += 1
                try:
                    take(number, line)
                except (msgspec.DecodeError, RecursionError):
                    self.lines = number
                    self._take_slowly(line, stream)
        finally:
            self.lines = number

    def _take_slowly(self, line: bytes, stream: IO[bytes]) -> None:
        if len(line) == LINE_BYTES_MAX and not line.endswith(b"\n"):
            _skip_line(stream)
            self.rejected[Rejection.TOO_LONG] += 1
        elif not line.isspace():
            self._recover(line)

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


def _skip_line(stream: IO[bytes]) -> None:
    """Read on to the end of a line that is too long to hold."""
    while (piece := stream.readline(LINE_BYTES_MAX)) and not piece.endswith(b"\n"):
        pass


def _name(path: Path) -> str:
    """The path as the warehouse can hold it: file names may be no UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")

"""Find audit logs, and read each of them on from where the last evaluation stopped."""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO, NamedTuple

from compact_guard.errors import UsageError
from compact_guard.evaluator import bookmarks, ingest, scope
from compact_guard.evaluator.audit_lines import Stretch
from compact_guard.evaluator.bookmarks import Bookmark
from compact_guard.transcripts.decompression import DamagedStream, open_decompressed, readline

INSTALL_HINT = "install the hooks with `compact-guard install claude-code`, then work as usual"

# As written, and as log rotation leaves it: 2026-11-05.jsonl.1, 2026-11-05.jsonl-20261106.gz
_LOG_NAME = re.compile(r"\.jsonl([.-]\d+)?(\.gz|\.zst)?$")
_COMPRESSED = (".gz", ".zst")

PORTION_LINES = 491_520  # four times what DuckDB compresses as one; under 2 GB in memory
CHUNK_BYTES = 1 << 20  # read at once, and cut into lines by DuckDB
PIECE_BYTES = 64 << 10  # far above any row: only what is none is read in pieces


class Portion(NamedTuple):
    """Lines of one file, with those that had to be judged while reading, and the bookmark then
    reached."""

    stretch: Stretch
    judged: list[ingest.Line]
    bookmark: Bookmark


def find(paths: list[Path]) -> dict[str, Path]:
    """The audit log files under `paths` (files, or folders of `*.jsonl`, rotated and compressed
    ones too) by the name the warehouse gives them, sorted, each once.

    Raises UsageError when a path is missing.
    """
    found: dict[str, Path] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"no audit log at {path}: {INSTALL_HINT}")
        for file in _logs_below(path) if path.is_dir() else [path]:
            found.setdefault(scope.named(file), file)
    return dict(sorted(found.items()))


def portions(file: str, path: Path, known: Bookmark | None) -> Iterator[Portion]:
    """What is new in one file; nothing where it is as it was.

    Raises UsageError where it cannot be read.
    """
    try:
        if not bookmarks.is_unchanged(path, known):
            with open_decompressed(path) as stream:
                yield from _Reading(file, path, stream, known).portions()
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}; mend its permissions or leave it out"
        ) from error


def _logs_below(folder: Path) -> list[Path]:
    named = (file for file in folder.glob("**/*.jsonl*") if _LOG_NAME.search(file.name))
    return sorted(file for file in named if not file.is_dir())


def _decoded(content: bytes | memoryview) -> str:
    """Text that gives the very bytes back, whatever they are."""
    return str(content, "utf-8", "surrogateescape")


class _Text(NamedTuple):
    """Lines that follow each other, the end of the last one left out."""

    text: str
    line_count: int = 1


class _Monster(NamedTuple):
    content: ingest.Line | None  # of a blank line there is none
    read_bytes: int
    is_complete: bool


def _monster(stream: IO[bytes], piece: bytes, file: str, number: int) -> _Monster:
    """A line far too long, be it gigabytes: hashed as it passes, never held."""
    digest, read_bytes, line_bytes, is_blank = hashlib.sha256(), 0, 0, True
    while piece:
        text = piece.rstrip(b"\r\n")
        digest.update(text)
        read_bytes, line_bytes = read_bytes + len(piece), line_bytes + len(text)
        is_blank = is_blank and not text.strip()
        if piece.endswith(b"\n"):
            break
        piece = readline(stream, PIECE_BYTES)
    line = ingest.Line(file, number, line_bytes, digest.hexdigest(), "too_long", None)
    return _Monster(None if is_blank else line, read_bytes, piece.endswith(b"\n"))


class _Reading:
    """One file on its way from the bookmark to its end."""

    def __init__(
        self, file: str, path: Path, stream: BufferedReader, known: Bookmark | None
    ) -> None:
        status = os.fstat(stream.fileno()) if path.suffix not in _COMPRESSED else path.stat()
        self.stream = stream
        self.bookmark = bookmarks.look(file, status)
        # A pipe has no place to come back to, and a compressed file is read whole or not at all.
        self.is_plain = stat.S_ISREG(status.st_mode) and path.suffix not in _COMPRESSED
        self.offset = self.line_number = 0
        if self.is_plain:
            if known and bookmarks.only_grew(stream, self.bookmark, known):
                self.offset, self.line_number = known.read_bytes, known.read_lines
            stream.seek(self.offset)

    def portions(self) -> Iterator[Portion]:
        """At least one, though it be empty: the file was looked at."""
        texts: list[_Text] = []
        judged: list[ingest.Line] = []
        after_line, count = self.line_number, 0
        for found in self._chunks() if self.is_plain else self._lines():
            if isinstance(found, ingest.Line):
                judged.append(found)
                texts.append(_Text(""))  # keeps its place: the lines behind it keep their numbers
            else:
                texts.append(found)
            count += texts[-1].line_count
            if count >= PORTION_LINES:
                yield self._portion(after_line, texts, judged, is_end=False)
                texts, judged, after_line, count = [], [], self.line_number, 0
        yield self._portion(after_line, texts, judged, is_end=True)

    def _portion(
        self, after_line: int, texts: list[_Text], judged: list[ingest.Line], *, is_end: bool
    ) -> Portion:
        stretch = Stretch(
            self.bookmark.file,
            after_line,
            [one.text for one in texts],
            [one.line_count for one in texts],
        )
        return Portion(stretch, judged, self._reached(is_end=is_end))

    def _chunks(self) -> Iterator[_Text | ingest.Line]:
        """Whole lines, many at once; the last one may have no end yet."""
        buffer = bytearray(CHUNK_BYTES)  # one for all: fresh memory costs as much as reading
        while held := self.stream.readinto(buffer):
            end = buffer.rfind(b"\n", 0, held) + 1
            if not end:
                begun = self.line_number
                self.stream.seek(self.offset)
                yield from self._one_line()
                if self.line_number == begun:
                    return
            else:
                self.stream.seek(self.offset + end)
                text = _decoded(memoryview(buffer)[: end - 1])
                count = text.count("\n") + 1
                self.offset, self.line_number = self.offset + end, self.line_number + count
                yield _Text(text, count)

    def _lines(self) -> Iterator[_Text | ingest.Line]:
        """One after the other, up to where decompression fails."""
        while True:
            begun = self.line_number
            try:
                yield from self._one_line()
            except DamagedStream:
                digest = hashlib.sha256().hexdigest()
                yield ingest.Line(self.bookmark.file, begun + 1, 0, digest, "damaged", None)
                return
            if self.line_number == begun:
                return

    def _one_line(self) -> Iterator[_Text | ingest.Line]:
        """The next line: only one with its end counts as read."""
        piece = readline(self.stream, PIECE_BYTES)
        if not piece:
            return
        file, number = self.bookmark.file, self.line_number + 1
        if piece.endswith(b"\n"):
            self.offset, self.line_number = self.offset + len(piece), number
            yield _Text(_decoded(piece[:-1]))
        elif len(piece) < PIECE_BYTES:
            yield _Text(_decoded(piece))
        else:
            monster = _monster(self.stream, piece, file, number)
            if monster.is_complete:
                self.offset, self.line_number = self.offset + monster.read_bytes, number
            yield monster.content or _Text("")

    def _reached(self, *, is_end: bool) -> Bookmark:
        if not self.is_plain:
            # Halfway is nowhere: the next look finds no settled status and begins anew.
            return self.bookmark if is_end else self.bookmark._replace(seen_ns=0)
        here = self.stream.tell()
        head, tail = bookmarks.windows(self.stream, self.offset)
        self.stream.seek(here)
        return self.bookmark._replace(
            # What stands behind the place reached counts as grown.
            size_bytes=self.bookmark.size_bytes if is_end else self.offset,
            read_bytes=self.offset,
            read_lines=self.line_number,
            head_hash=head,
            tail_hash=tail,
        )

"""Read an agent's transcript from its end backwards: cost and memory do not grow with its size.

Nothing here knows what a record means, and nothing trusts that a line is whole.
"""

import json
import os
import stat

from compact_guard.hook import identity
from compact_guard.hook.limits import (
    CHUNK_BYTES,
    FIRST_LINE_BYTES_MAX,
    LAST_LINE_BYTES_MAX,
    LINE_BYTES_MAX,
)

TYPE_CHECKING = False  # Type checkers take it as true; importing typing would cost start-up time.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_DECODER = json.JSONDecoder()
_AROUND_OBJECTS = "\ufeff\0 \t\r\n"


def _never(_chunk: bytes, _start: int, _stop: int) -> bool:
    return False


class Transcript:
    """An open transcript, read only. `complete_bytes` is the offset after its last line end."""

    def __init__(self, path: str) -> None:
        """Raises OSError (also for what is no regular file) or ValueError for an unusable path."""
        # Not blocking: a pipe or a device in the transcript's place must not hold us.
        self._file = os.open(encoded_path(path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise OSError("the transcript is no regular file")
        self.complete_bytes = 0
        self.refresh()

    def refresh(self) -> bool:
        """Look for lines that were appended; true if there are any."""
        before = self.complete_bytes
        self.complete_bytes = self._end_of_last_line(os.fstat(self._file).st_size)
        return self.complete_bytes > before

    def read(self, start: int, stop: int) -> bytes:
        """Bytes from `start` to `stop`; fewer if the file shrank."""
        return os.pread(self._file, max(0, stop - start), start)

    def first_line_hash(self) -> str | None:
        """Hash of the first line without its LF or CRLF; None without a complete line."""
        hasher, held, start = identity.new_hasher(), b"", 0
        while start < min(self.complete_bytes, FIRST_LINE_BYTES_MAX):
            chunk = held + self.read(start, start + CHUNK_BYTES)
            start += CHUNK_BYTES
            line, end, _ = chunk.partition(b"\n")
            if end:
                hasher.update(line[:-1] if line.endswith(b"\r") else line)
                return str(hasher.hexdigest())
            # The last byte waits: it may be the CR of a CRLF.
            hasher.update(chunk[:-1])
            held = chunk[-1:]
        return None

    def lines_backward(
        self, bytes_max: int, is_skipped: "Callable[[bytes, int, int], bool]" = _never
    ) -> "Iterator[tuple[int, bytes | None]]":
        """Complete lines with their offsets, newest first; None for one that is too long.

        `is_skipped`: whether to leave out the line from one place in some bytes to another. Lines
        that are read in pieces are not left out.
        """
        pieces: list[bytes] = []  # of the line whose beginning is not read yet, last piece first
        held = 0
        position = self.complete_bytes - 1  # the last line's own LF ends no further line
        floor = max(0, self.complete_bytes - bytes_max)
        while position > floor:
            start = max(floor, position - CHUNK_BYTES)
            chunk = self.read(start, position)
            stop = len(chunk)
            while (cut := chunk.rfind(b"\n", 0, stop)) >= 0:
                if held or not is_skipped(chunk, cut + 1, stop):
                    pieces.append(chunk[cut + 1 : stop])
                    yield start + cut + 1, _joined(pieces, held + stop - cut - 1)
                pieces, held, stop = [], 0, cut
            held += stop
            if held <= LINE_BYTES_MAX:
                pieces.append(chunk[:stop])
            position = start
        if floor == 0 and self.complete_bytes:
            yield 0, _joined(pieces, held)

    def line_around(self, offset: int) -> tuple[int, bytes | None]:
        """The line that holds `offset`, and where it begins; None if it is too long."""
        start, stop = self._line_start(offset), self._line_stop(offset)
        if start is None or stop is None or stop - start > LINE_BYTES_MAX:
            return offset, None
        return start, self.read(start, stop)

    def _end_of_last_line(self, size: int) -> int:
        start = self._line_start(size, LAST_LINE_BYTES_MAX)
        if start is None:
            raise OSError("the transcript ends in something that is no line")
        return start

    def _line_start(self, offset: int, bytes_max: int = LINE_BYTES_MAX) -> int | None:
        position, floor = offset, max(0, offset - bytes_max)
        while position > floor:
            start = max(floor, position - CHUNK_BYTES)
            cut = self.read(start, position).rfind(b"\n")
            if cut >= 0:
                return start + cut + 1
            position = start
        return 0 if floor == 0 else None

    def _line_stop(self, offset: int) -> int | None:
        position, ceiling = offset, min(self.complete_bytes, offset + LINE_BYTES_MAX)
        while position < ceiling:
            cut = self.read(position, position + CHUNK_BYTES).find(b"\n")
            if cut >= 0:
                return position + cut
            position += CHUNK_BYTES
        return None


def objects_in(line: bytes) -> "tuple[list[tuple[int, dict[str, Any]]], bool]":
    """The JSON objects of one line with their byte offsets in it, and whether all of it was read.

    Agents have glued two records into one line, left NUL runs and written half a line.
    """
    found: list[tuple[int, dict[str, Any]]] = []
    try:
        text = line.decode()
        if line[:1] == b"{":
            record, end = _DECODER.raw_decode(text)
            if end == len(text):  # nearly every line
                return [(0, record)], True
        index = _after_padding(text, 0)
        while index < len(text):
            record, end = _DECODER.raw_decode(text, index)
            if isinstance(record, dict):
                found.append((len(text[:index].encode()), record))
            index = _after_padding(text, end)
    except (ValueError, RecursionError):
        return found, False
    return found, True


def encoded_path(path: str) -> bytes:
    """A path as the file system takes it, whatever the locale. Raises ValueError."""
    encoded = path.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ValueError("a path cannot hold NUL")
    return encoded


def _after_padding(text: str, index: int) -> int:
    return len(text) - len(text[index:].lstrip(_AROUND_OBJECTS))


def _joined(pieces: list[bytes], length: int) -> bytes | None:
    if length > LINE_BYTES_MAX:
        return None
    return pieces[0] if len(pieces) == 1 else b"".join(reversed(pieces))

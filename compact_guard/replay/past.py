"""A transcript as a hook found it at a boundary: `complete_bytes` is set to where it ended then.

Plain files are read in place. Compressed ones are read once, forwards, and what a hook could
still look back to is held: memory does not grow with the file.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from compact_guard.hook.limits import CHUNK_BYTES, LINE_BYTES_MAX, STRETCH_BYTES_MAX
from compact_guard.hook.transcript import Transcript
from compact_guard.transcripts.decompression import damage_errors, open_decompressed

_PIECE_BYTES = 1 << 20
_HELD_BYTES = STRETCH_BYTES_MAX + 2 * LINE_BYTES_MAX  # a stretch, the boundary's line, what follows
_COMPRESSED = (".gz", ".zst")


class Past(Transcript):
    """`end` is behind the last complete line. What could not be read is noted as it is met."""

    def __init__(self, path: Path) -> None:
        super().__init__(os.fspath(path))
        self._begin()

    def _begin(self) -> None:
        self.end = self.complete_bytes
        self.too_long: set[int] = set()  # offsets of lines that no hook would hold
        self.damaged_boundaries = 0  # lines that may hold one, and cannot be parsed
        self.is_broken_off = False  # a compressed file that cannot be decompressed to its end

    def close(self) -> None:
        """Nothing can be read any more."""
        os.close(self._file)

    def lines_backward(self, *reading: Any) -> Iterator[tuple[int, bytes | None]]:
        """As a hook reads them; those too long are noted."""
        for offset, line in super().lines_backward(*reading):
            if line is None:
                self.too_long.add(offset)
            yield offset, line

    def lines_before(self) -> Iterator[bytes]:
        """The lines that a hook could look back to, newest first."""
        for _, line in super().lines_backward(STRETCH_BYTES_MAX):
            if line is not None:
                yield line

    def lines_forward(self, start: int, bytes_max: int) -> Iterator[bytes]:
        """Complete lines from `start` on, each without its LF."""
        held, position = b"", start
        while position < start + bytes_max:
            chunk = self.read(position, position + CHUNK_BYTES)
            if not chunk:
                return
            position += len(chunk)
            *lines, held = (held + chunk).split(b"\n")
            yield from lines

    def next_line(self, position: int) -> int:
        """Where the line behind the one at `position` begins; the file's end if there is none."""
        while chunk := self.read(position, position + CHUNK_BYTES):
            cut = chunk.find(b"\n")
            if cut >= 0:
                return position + cut + 1
            position += len(chunk)
        return position


class CompressedPast(Past):
    """Only the newest bytes that were read are at hand; `end` is not known before it is met."""

    def __init__(self, path: Path) -> None:
        self._stream: Any = open_decompressed(path)
        self._pieces: list[bytes] = []
        self._held_from = 0
        self._held_until = 0
        self.complete_bytes = sys.maxsize
        self._begin()

    def close(self) -> None:
        """Nothing can be read any more."""
        self._stream.close()

    def read(self, start: int, stop: int) -> bytes:
        """Bytes from `start` to `stop`; fewer at the end, none of what is held no more."""
        while self._held_until < stop and self._decompress():
            pass
        if start < self._held_from:
            return b""
        position, found = self._held_from, []
        for piece in self._pieces:
            if position < stop and position + len(piece) > start:
                found.append(piece[max(0, start - position) : stop - position])
            position += len(piece)
        return b"".join(found)

    def _decompress(self) -> bool:
        """One more piece; false at the end, or where the stream is damaged."""
        gathered: list[bytes] = []
        size = 0
        try:
            while size < _PIECE_BYTES and (part := self._stream.read1(_PIECE_BYTES)):
                gathered.append(part)
                size += len(part)
        except damage_errors():
            self.is_broken_off = True
        if gathered:
            self._pieces.append(b"".join(gathered))
            self._held_until += size
            self._let_go()
        return bool(gathered)

    def _let_go(self) -> None:
        while self._held_until - self._held_from - len(self._pieces[0]) > _HELD_BYTES:
            self._held_from += len(self._pieces.pop(0))


@contextmanager
def opened(path: Path) -> Iterator[Past]:
    """Raises OSError and ValueError; ImportError where .zst cannot be read."""
    past = CompressedPast(path) if path.suffix in _COMPRESSED else Past(path)
    try:
        yield past
    finally:
        past.close()

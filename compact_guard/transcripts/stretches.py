"""A transcript in stretches of whole lines, so that plain ones are decoded many at a time.

Nearly every line is one JSON object and nothing else. Whether a whole stretch is like that, two
counts and its decoding tell; where it is not, its lines are read one by one.
A file is read as a stream: memory is bounded by its longest line, not by its size. It is read
and not mapped: a mapped file that somebody cuts short meanwhile would end the process.
"""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import RawIOBase
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
import orjson
import stringzilla

from compact_guard.transcripts.decompression import DamagedStream, damage_errors
from compact_guard.transcripts.lines import LINE_BYTES_MAX, Line

Row = TypeVar("Row")

# For the shapes of rows: a name that long may be somebody's words.
Name = Annotated[str, msgspec.Meta(max_length=200)]

STRETCH_BYTES = 1 << 19  # half of what a core's own cache holds
HALVED_BYTES_MIN = 1 << 14  # below that, a line at a time is as good


class Stretch(NamedTuple):
    """Whole lines, or the last one of a file that has no end; good until the next is asked for.

    They stand in `buffer` from `start` to `stop`, and in the file from `offset`. A line too long
    to hold is a stretch of its own: `overlong`, with nothing in the buffer.
    """

    buffer: bytearray
    start: int
    stop: int
    offset: int
    overlong: Line | None = None

    def rows(self, decode_lines: Callable[[memoryview], list[Row]]) -> list[Row] | None:
        """What each line holds; None unless every line is one object of the decoder's shape."""
        begins = self.buffer.startswith(b"{", self.start, self.stop)
        if not begins or not self.buffer.endswith(b"}\n", self.start, self.stop):
            return None
        content = memoryview(self.buffer)[self.start : self.stop]
        # A decoder of lines takes whitespace anywhere, and objects without any between them.
        count = stringzilla.count(content, b"\n")
        if stringzilla.count(content, b"}\n{") != count - 1:
            return None
        try:
            rows = decode_lines(content)
        except (msgspec.DecodeError, RecursionError):
            return None
        return rows if len(rows) == count else None

    def records(self, offsets: Iterable[int]) -> dict[int, Any] | None:
        """All that the lines there hold; None where one of them is no JSON in good UTF-8."""
        try:
            return {offset: orjson.loads(self.line_at(offset)) for offset in offsets}
        except orjson.JSONDecodeError:
            return None

    def outline(
        self,
        decode_lines: Callable[[memoryview], list[Row]],
        is_read_whole: Callable[[Row], bool],
    ) -> tuple[list[int], list[Row], dict[int, Any]] | None:
        """Where each line begins, its outline, and all that some lines hold; None as `rows`."""
        rows = self.rows(decode_lines)
        if rows is None:
            return None
        starts = self.line_starts()
        told = (start for start, row in zip(starts, rows, strict=True) if is_read_whole(row))
        records = self.records(told)
        return None if records is None else (starts, rows, records)

    def lines(self) -> Iterator[Line]:
        """One by one."""
        if self.overlong:
            yield self.overlong
        for offset in self.line_starts():
            content = bytes(self.line_at(offset))
            yield Line(offset, offset + len(content), content, content.endswith(b"\n"))

    def line_bytes(self, index: int) -> int:
        """How long a line is, its end included."""
        start = self.start
        for _ in range(index):
            start = self.buffer.find(b"\n", start, self.stop) + 1
        return self.line_at(self.offset + start - self.start).nbytes

    def line_starts(self) -> list[int]:
        """Where in the file each line begins."""
        found: list[int] = []
        find, start, stop, shift = self.buffer.find, self.start, self.stop, self.offset - self.start
        while start < stop:
            found.append(start + shift)
            start = find(b"\n", start, stop) + 1 or stop
        return found

    def line_at(self, offset: int) -> memoryview:
        """The line that begins there."""
        start = self.start + offset - self.offset
        stop = self.buffer.find(b"\n", start, self.stop) + 1 or self.stop
        return memoryview(self.buffer)[start:stop]

    def halves(self) -> tuple["Stretch", ...]:
        """Itself in two, each of whole lines; nothing where a line is all of it, or it is short."""
        middle = (self.start + self.stop) // 2
        cut = self.buffer.find(b"\n", middle, self.stop) + 1 or self.stop
        if cut == self.stop or self.stop - self.start < HALVED_BYTES_MIN:
            return ()
        return self._replace(stop=cut), self.behind(self.offset + cut - self.start)

    def behind(self, offset: int) -> "Stretch":
        """The lines that begin there or later."""
        return self._replace(start=self.start + offset - self.offset, offset=offset)


def stretches(stream: RawIOBase) -> Iterator[Stretch]:
    """All of a stream from `open_raw`. Raises DamagedStream where decompression fails."""
    buffer = bytearray(min(STRETCH_BYTES, LINE_BYTES_MAX))
    offset = 0
    held = dropped = 0  # bytes of a line without its end yet, and of one that is too long
    while count := _read_into(stream, buffer, held):
        start, stop = 0, held + count
        cut = buffer.rfind(b"\n", held, stop) + 1
        if cut and dropped:
            start = buffer.find(b"\n", 0, cut) + 1
            yield _overlong(buffer, offset, dropped + start, is_complete=True)
            offset, dropped = offset + dropped + start, 0
        if start < cut:
            yield Stretch(buffer, start, cut, offset)
            offset += cut - start
        held = stop - cut
        buffer[:held] = buffer[cut:stop]
        if dropped or held == LINE_BYTES_MAX:
            dropped, held = dropped + held, 0
        elif held == len(buffer):
            # A new one: rows may still look at parts of this one, which then cannot grow.
            buffer = buffer + bytes(min(held, LINE_BYTES_MAX - held))
    if dropped:
        yield _overlong(buffer, offset, dropped, is_complete=False)
    elif held:
        yield Stretch(buffer, 0, held, offset)


@contextmanager
def uncollected() -> Iterator[None]:
    """Rows make no cycles: looking for some among the facts of a file costs 5 % of its reading."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _overlong(buffer: bytearray, offset: int, count: int, *, is_complete: bool) -> Stretch:
    return Stretch(buffer, 0, 0, offset, Line(offset, offset + count, None, is_complete))


def _read_into(stream: RawIOBase, buffer: bytearray, start: int) -> int:
    try:
        with memoryview(buffer) as whole, whole[start:] as free:
            return stream.readinto(free) or 0
    except damage_errors() as error:
        raise DamagedStream(str(error)) from error

"""JSON objects of a transcript with their byte offsets, whatever the agent and the damage.

A file is read as a stream: memory is bounded by its longest line, not by its size.
"""

import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import orjson

LINE_BYTES_MAX = 64 << 20  # real lines reach 10 MB; a longer one is damage, and is not held
BUFFER_BYTES = 1 << 20

_DECODER = json.JSONDecoder()
_PADDING = "\ufeff \t\r\n"  # may stand around an object and is no damage


class Line(NamedTuple):
    """One physical line with its line end; `content` is None where it is too long to hold."""

    offset: int
    end: int
    content: bytes | None
    is_complete: bool


class Objects(NamedTuple):
    """What one line holds: objects by their offset in it, and where damage begins, if it does."""

    found: list[tuple[int, dict[str, Any]]]
    damage_offsets: list[int]
    is_valid_utf8: bool


class DamagedStream(Exception):
    """A compressed file that breaks off or is garbled: what stands before is still good."""


def open_decompressed(path: Path) -> IO[bytes]:
    """The decompressed bytes of a plain, .gz or .zst file. Raises OSError."""
    match path.suffix:
        case ".gz":
            return io.BufferedReader(_Decompressed(gzip.open(path)), BUFFER_BYTES)
        case ".zst":
            return io.BufferedReader(_Decompressed(_open_zst(path)), BUFFER_BYTES)
        case _:
            return path.open("rb", buffering=BUFFER_BYTES)


class _Decompressed(io.RawIOBase):
    """Hands on what is there: a whole buffer at a time would lose what stands before a break."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._stream.read1(len(buffer))
        buffer[: len(content)] = content
        return len(content)

    def close(self) -> None:
        self._stream.close()
        super().close()


def physical_lines(stream: IO[bytes]) -> Iterator[Line]:
    """Every line, split at LF only. Raises DamagedStream where decompression fails."""
    start = end = 0
    while piece := readline(stream, LINE_BYTES_MAX):
        is_whole = start == end and len(piece) < LINE_BYTES_MAX
        is_complete = piece.endswith(b"\n")
        end += len(piece)
        if is_complete or len(piece) < LINE_BYTES_MAX:
            yield Line(start, end, piece if is_whole else None, is_complete)
            start = end
    if start < end:
        yield Line(start, end, None, False)


def objects_in(line: bytes) -> Objects:
    """The objects of one line: usually one, several where the agent glued records together."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return _recover(line)
    if not isinstance(record, dict):
        return Objects([], [0], True)
    return Objects([(line.index(b"{"), record)], [], True)


def _recover(line: bytes) -> Objects:
    """Read one after the other until something is no object; NUL runs are damage, then skipped."""
    # Lone surrogates stand for bytes that are no UTF-8, so that offsets stay exact.
    text = line.decode("utf-8", "surrogateescape")
    found: list[tuple[int, dict[str, Any]]] = []
    damage: list[int] = []
    index = _after(text, 0, _PADDING)
    while index < len(text):
        offset = len(text[:index].encode("utf-8", "surrogateescape"))
        if text[index] == "\0":
            damage.append(offset)
            index = _after(text, index, f"\0{_PADDING}")
            continue
        record, index = _object_at(text, index)
        if record is None:
            damage.append(offset)
            break
        found.append((offset, record))
        index = _after(text, index, _PADDING)
    return Objects(found, damage, not any("\udc80" <= letter <= "\udcff" for letter in text))


def _object_at(text: str, index: int) -> tuple[dict[str, Any] | None, int]:
    try:
        record, end = _DECODER.raw_decode(text, index)
    except (ValueError, RecursionError):
        return None, index
    return (record, end) if isinstance(record, dict) else (None, index)


def _after(text: str, index: int, padding: str) -> int:
    while index < len(text) and text[index] in padding:
        index += 1
    return index


def readline(stream: IO[bytes], size: int) -> bytes:
    """A line, or its first `size` bytes. Raises DamagedStream where decompression fails."""
    try:
        return stream.readline(size)
    except damage_errors() as error:
        raise DamagedStream(str(error)) from error


def damage_errors() -> tuple[type[Exception], ...]:
    """What reading raises where a stream from `open_decompressed` is damaged."""
    return (EOFError, OSError, zlib.error, _zst_error())


def _open_zst(path: Path) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.open(path)


def _zst_error() -> type[Exception]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdError

"""Transcripts and logs as the bytes that were written, whether they were compressed since or not.

Standard library alone, but for Zstandard before Python 3.14.
"""

import gzip
import io
import sys
import zlib
from pathlib import Path
from typing import IO, Any

BUFFER_BYTES = 1 << 20


class DamagedStream(Exception):
    """A compressed file that breaks off or is garbled: what stands before is still good."""


def open_decompressed(path: Path) -> io.BufferedReader:
    """The decompressed bytes of a plain, .gz or .zst file.

    Raises OSError; ImportError where the base installation alone meets .zst before Python 3.14.
    """
    return io.BufferedReader(open_raw(path), BUFFER_BYTES)


def open_raw(path: Path) -> io.RawIOBase:
    """The same without a buffer, for a reader that brings its own."""
    match path.suffix:
        case ".gz":
            return _Decompressed(gzip.open(path))
        case ".zst":
            return _Decompressed(_open_zst(path))
        case _:
            return path.open("rb", buffering=0)


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


def readline(stream: IO[bytes], size: int) -> bytes:
    """A line, or its first `size` bytes. Raises DamagedStream where decompression fails."""
    try:
        return stream.readline(size)
    except damage_errors() as error:
        raise DamagedStream(str(error)) from error


def damage_errors() -> tuple[type[Exception], ...]:
    """What reading raises where a stream from `open_decompressed` is damaged."""
    return (EOFError, OSError, zlib.error, *_zst_errors())


def _open_zst(path: Path) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.open(path)


def _zst_errors() -> tuple[type[Exception], ...]:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        return ()
    return (zstd.ZstdError,)

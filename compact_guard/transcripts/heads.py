"""The beginning of a transcript, which says whose it is, without reading the rest."""

from collections.abc import Iterator
from pathlib import Path

from compact_guard.transcripts.decompression import DamagedStream, damage_errors, open_raw


def first_bytes(path: Path, size: int) -> bytes:
    """At most so many, decompressed. Raises OSError, DamagedStream."""
    try:
        with open_raw(path) as stream:
            return stream.read(size) or b""
    except damage_errors() as error:
        if isinstance(error, OSError) and path.suffix not in (".gz", ".zst"):
            raise
        raise DamagedStream(str(error)) from error


def whole_lines(content: bytes) -> Iterator[bytes]:
    """Each line that has an end, without it; made one by one, as whoever looks soon stops."""
    start = 0
    while (end := content.find(b"\n", start)) >= 0:
        yield content[start:end]
        start = end + 1

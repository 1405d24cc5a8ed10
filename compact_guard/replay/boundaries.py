"""The native boundaries of one transcript, from the first to the last.

Only lines that hold the agent's mark are parsed: the search costs little more than reading.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from compact_guard.agents.contract import HookAdapter
from compact_guard.hook.limits import CHUNK_BYTES
from compact_guard.hook.transcript import objects_in
from compact_guard.replay.past import Past


class Found(NamedTuple):
    """A boundary's record, and where its line begins and ends (behind the LF), in bytes."""

    record: dict[str, Any]
    line_start: int
    line_end: int


def find(past: Past, adapter: HookAdapter, advance: Callable[[int], object]) -> Iterator[Found]:
    """Those of the main session; `past.complete_bytes` may be moved between two of them."""
    mark = adapter.BOUNDARY_MARK
    position = told = 0
    while chunk := past.read(position, position + CHUNK_BYTES):
        hit = chunk.find(mark)
        if hit >= 0:
            found, line_end = _in_line(past, adapter, position + hit)
            yield from found
            position = line_end
        elif len(chunk) < CHUNK_BYTES:
            position += len(chunk)
        else:
            position += len(chunk) - len(mark) + 1  # a mark may lie across two chunks
        advance(position - told)
        told = position


def _in_line(past: Past, adapter: HookAdapter, offset: int) -> tuple[list[Found], int]:
    """What the line around the mark holds, and where the next line begins."""
    past.complete_bytes = past.end
    start, line = past.line_around(offset)
    if line is None:
        line_end = past.next_line(offset)
        if past.read(line_end - 1, line_end) == b"\n":  # else it is still being written
            past.too_long.add(start)
        return [], line_end
    line_end = start + len(line) + 1
    objects, is_whole = objects_in(line)
    records = [record for _, record in objects if adapter.is_boundary(record)]
    past.damaged_boundaries += not (is_whole or records)
    return [Found(record, start, line_end) for record in records], line_end

"""Find the newest native boundary of a transcript, searching no byte twice.

What one run searched is kept beside the session's checkpoints, so the next run searches new
bytes only. An answer is exact or it is `UNKNOWN`: a guess would become false evidence.
"""

import json
import os

from compact_guard.hook import storage
from compact_guard.hook.limits import (
    BOUNDARY_BYTES_MAX,
    BOUNDARY_CANDIDATES_MAX,
    CHUNK_BYTES,
    CONFIG_BYTES_MAX,
)
from compact_guard.hook.transcript import objects_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.transcript import Transcript

UNKNOWN = -1
_NONE_YET = -2
_STATE_FILE = "boundary.json"


class Search:
    """Bytes `start` to `stop` of a transcript are searched; `newest` is the boundary in them."""

    def __init__(self, start: int, stop: int, newest: int | None) -> None:
        self.start = start
        self.stop = stop
        self.newest = newest

    def answer(self) -> int | None:
        """Offset of the newest boundary before `stop`, None if there is none, or UNKNOWN."""
        return UNKNOWN if self.newest is None and self.start > 0 else self.newest


def newest_boundary(
    transcript: "Transcript", transcript_hash: str | None, adapter: "HookAdapter", folder: str
) -> int | None:
    """Offset of the first byte of the newest boundary's object, None if none, or UNKNOWN."""
    state_file = os.path.join(folder, _STATE_FILE)
    earlier = _recall(state_file, transcript, transcript_hash, adapter)
    search = _search(transcript, adapter, earlier)
    if search is None:
        return UNKNOWN
    _remember(state_file, search, transcript_hash)
    return search.answer()


def _search(transcript: "Transcript", adapter: "HookAdapter", earlier: Search) -> Search | None:
    """New bytes first, then, if nothing was ever found, on backwards from where we stopped."""
    stop, allowance = transcript.complete_bytes, BOUNDARY_BYTES_MAX
    reached, newest = _scan(transcript, adapter, earlier.stop, stop, allowance)
    if newest == UNKNOWN:
        return None
    if newest != _NONE_YET or reached > earlier.stop:
        return Search(reached, stop, newest if newest != _NONE_YET else None)
    if earlier.newest is not None:
        return Search(earlier.start, stop, earlier.newest)
    allowance -= stop - earlier.stop
    reached, newest = _scan(transcript, adapter, 0, earlier.start, allowance)
    if newest == UNKNOWN:
        return None
    return Search(reached, stop, newest if newest != _NONE_YET else None)


def _scan(
    transcript: "Transcript", adapter: "HookAdapter", start: int, stop: int, bytes_max: int
) -> tuple[int, int]:
    """Search backwards; returns how far it came and the boundary, _NONE_YET or UNKNOWN."""
    mark = adapter.BOUNDARY_MARK
    floor = max(start, stop - bytes_max)
    position, candidates = stop, 0
    while position > floor:
        chunk_start = max(floor, position - CHUNK_BYTES)
        # A mark may lie across two chunks: read a mark's length further, but not past `stop`.
        chunk = transcript.read(chunk_start, min(stop, position + len(mark) - 1))
        # Searching forwards is three times as fast, and most chunks hold none.
        hit = chunk.rfind(mark) if mark in chunk else -1
        if hit < 0:
            position = chunk_start
            continue
        candidates += 1
        line_start, boundary = _boundary_in_line(transcript, adapter, chunk_start + hit)
        if boundary == UNKNOWN or candidates > BOUNDARY_CANDIDATES_MAX:
            return position, UNKNOWN
        if boundary != _NONE_YET:
            return line_start, boundary
        position = stop = line_start
    return max(floor, position), _NONE_YET


def _boundary_in_line(
    transcript: "Transcript", adapter: "HookAdapter", offset: int
) -> tuple[int, int]:
    start, line = transcript.line_around(offset)
    if line is None:
        return offset, UNKNOWN
    objects, is_whole = objects_in(line)
    for object_offset, record in reversed(objects):
        if adapter.is_boundary(record):
            return start, start + object_offset
    return start, _NONE_YET if is_whole else UNKNOWN


def _recall(
    state_file: str, transcript: "Transcript", transcript_hash: str | None, adapter: "HookAdapter"
) -> Search:
    """What earlier runs searched of this very transcript; nothing if in any doubt."""
    nothing = Search(transcript.complete_bytes, transcript.complete_bytes, None)
    try:
        state = json.loads(storage.read_private(state_file, CONFIG_BYTES_MAX))
        search = Search(state["start"], state["stop"], state["newest"])
        same = state["transcript_hash"] == transcript_hash is not None
        if not same or not 0 <= search.start <= search.stop <= transcript.complete_bytes:
            return nothing
        if transcript.read(search.stop - 1, search.stop) != b"\n":
            return nothing
        if search.newest is None:
            return search
        _, boundary = _boundary_in_line(transcript, adapter, search.newest)
        return search if boundary == search.newest else nothing
    except (OSError, ValueError, KeyError, TypeError):
        return nothing


def _remember(state_file: str, search: Search, transcript_hash: str | None) -> None:
    state = {
        "transcript_hash": transcript_hash,
        "start": search.start,
        "stop": search.stop,
        "newest": search.newest,
    }
    try:
        storage.write_private(state_file, json.dumps(state).encode(), is_durable=False)
    except OSError:
        return  # the next run searches these bytes again

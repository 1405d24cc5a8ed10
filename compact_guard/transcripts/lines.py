"""JSON objects of one line of a transcript with their byte offsets, whatever the damage."""

import json
from typing import Any, NamedTuple

import orjson

LINE_BYTES_MAX = 64 << 20  # real lines reach 10 MB; a longer one is damage, and is not held

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
    return Objects(found, damage, _is_utf8(line))


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


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

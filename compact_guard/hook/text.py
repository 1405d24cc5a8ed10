"""Measure and cut text the way agents count it: in UTF-16 code units, never inside a character."""

from compact_guard.hook.limits import ITEM_HEAD_UNITS

PLACEHOLDER_START = "[redacted:"
_PLACEHOLDER_CHARS_MAX = 40
_ENDS = ("\n", ". ", "! ", "? ", "。", "！", "？", "; ")


def units(text: str) -> int:
    """Length in UTF-16 code units: what JavaScript calls the length of a string."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def mended(text: str) -> str:
    """The text with halves of characters joined or replaced, so that it can be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def cut(text: str, units_max: int) -> tuple[str, int]:
    """The text within `units_max`, cut at a line or sentence end, and how many characters went.

    A mark at the end says so; it is counted.
    """
    if units(text) <= units_max:
        return text, 0
    head = _prefix(text, max(0, units_max - ITEM_HEAD_UNITS // 2))
    head = _before_open_placeholder(head, text)
    end = max(head.rfind(mark) + len(mark.rstrip(" ")) for mark in _ENDS)
    if end >= len(head) // 2:
        head = head[:end]
    head = head.rstrip()
    gone = len(text) - len(head)
    return f"{head} […{gone} characters cut]", gone


def _prefix(text: str, units_max: int) -> str:
    head = text[:units_max]
    if units(head) <= units_max:
        return head
    encoded = head.encode("utf-16-le", "surrogatepass")[: 2 * units_max]
    return encoded.decode("utf-16-le", "ignore")


def _before_open_placeholder(head: str, text: str) -> str:
    start = text.rfind(PLACEHOLDER_START, 0, len(head) + len(PLACEHOLDER_START))
    if start < 0:
        return head
    end = text.find("]", start, start + _PLACEHOLDER_CHARS_MAX)
    return text[:start] if end >= len(head) and start < len(head) else head

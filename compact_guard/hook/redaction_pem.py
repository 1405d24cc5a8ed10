"""Private keys in PEM form: whole, cut off, quoted, indented, or escaped as a JSON string.

Walked line by line: a pattern that knows all of it takes exponential time on some input.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

_BEGIN, _END, _DASHES = "-----BEGIN ", "-----END ", "-----"
_TITLE_CHARS_MAX = 60
_BODY_CHARS_MAX = 20_000
_LINES_MAX = 400
_LINE_CHARS_MAX = 1_000
_FULL_LINE_CHARS = 16  # a shorter one is the last, or a word of prose
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
_MARGIN = " \t\r>|\"'`+,"


def spans_in(text: str) -> "Iterator[Span]":
    """Private keys as `(start, end, kind)`."""
    if "PRIVATE KEY" not in text:
        return
    position = 0
    while (start := text.find(_BEGIN, position)) >= 0:
        position = _title_end(text, start, _BEGIN)
        if position > 0:
            position = _body_end(text, position)
            yield start, position, "private-key"
        position = max(position, start + len(_BEGIN))
    position = 0
    while (start := text.find(_END, position)) >= 0:
        position = start + len(_END)
        if _title_end(text, start, _END) > 0:
            begin = _tail_start(text, start)
            if begin < start:
                yield begin, start, "private-key"


def _title_end(text: str, start: int, opening: str) -> int:
    """Where the dashes of `-----BEGIN … PRIVATE KEY-----` end; 0 if it is another title."""
    behind = start + len(opening)
    end = text.find(_DASHES, behind, behind + _TITLE_CHARS_MAX)
    return end + len(_DASHES) if end >= 0 and "PRIVATE KEY" in text[behind:end] else 0


def _body_end(text: str, position: int) -> int:
    closing = text.find(_END, position, position + _BODY_CHARS_MAX)
    if closing >= 0 and _BEGIN not in text[position:closing]:
        end = text.find(_DASHES, closing + len(_END), closing + _TITLE_CHARS_MAX)
        return end + len(_DASHES) if end >= 0 else closing + len(_END)
    for _ in range(_LINES_MAX):
        line_end, following = _next_break(text, position)
        if not _is_key_line(text[position:line_end]):
            break
        position = following
        if following == len(text):
            break
    return position


def _next_break(text: str, position: int) -> tuple[int, int]:
    """End of the line and start of the next; a JSON string spells its breaks `\\n`."""
    ceiling = min(len(text), position + _BODY_CHARS_MAX)
    breaks = [
        (found, found + len(mark))
        for mark in ("\n", "\\n")
        if (found := text.find(mark, position, ceiling)) >= 0
    ]
    return min(breaks, default=(ceiling, ceiling))


def _is_key_line(line: str) -> bool:
    content = line.strip(_MARGIN).rstrip("\\")
    if not content:
        return len(line) < _FULL_LINE_CHARS
    name, colon, _ = content.partition(": ")
    if colon and name in ("Proc-Type", "DEK-Info", "Version", "Comment", "Hash"):
        return True
    return _BASE64.issuperset(content) and (len(content) >= _FULL_LINE_CHARS or _is_last(content))


def _is_last(content: str) -> bool:
    return content.endswith("=") or not content.isalpha()


def _tail_start(text: str, end: int) -> int:
    """Where the key lines above a closing title begin."""
    start, position = end, end
    for number in range(_LINES_MAX):
        floor = max(0, position - _LINE_CHARS_MAX)
        newline, escaped = text.rfind("\n", floor, position), text.rfind("\\n", floor, position)
        begin = max(newline + 1, escaped + 2 if escaped >= 0 else 0, floor)
        content = text[begin:position].strip(_MARGIN)
        # In the title's own line stands nothing but its margin.
        if number and not (content and _is_key_line(content)):
            break
        if number:
            start = begin
        elif content:
            break
        position = max(newline, escaped)
        if position < 0:
            break
    return start

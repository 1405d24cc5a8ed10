"""Private keys in PEM form: whole, cut off, quoted, indented, or escaped as a JSON string.

Walked line by line: a pattern that knows all of it takes exponential time on some input.
"""

from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

_BEGIN, _END, _DASHES = "-----BEGIN ", "-----END ", "-----"
_PUTTY = "Private-Lines:"
TABLE = (((_DASHES, _PUTTY),),)  # without one of its anchors nothing is found
_TITLES = ("PRIVATE KEY", "Static key", "SECRET KEY")
_TITLE_CHARS_MAX = 60
_BODY_CHARS_MAX = 20_000
_BREAK_CHARS_MAX = 4_096
_KEY_MATERIAL = r"[A-Za-z0-9+/=]{16}"  # less is a mention, or dots in the place of a key
_LINES_MAX = 400
_LINE_CHARS_MAX = 1_000
_FULL_LINE_CHARS = 16  # a shorter one is the last, or a word of prose
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
_MARGIN = " \t\r>|\"'`+,"


def spans_in(text: str) -> "Iterator[Span]":
    """Private keys as `(start, end, kind)`."""
    if _PUTTY in text:
        yield from _putty_keys(text)
    if _DASHES in text and any(title in text for title in _TITLES):
        yield from _keys_from_their_heads(text)
        yield from _keys_without_heads(text)


def _keys_from_their_heads(text: str) -> "Iterator[Span]":
    position, closing = 0, -1
    while (start := text.find(_BEGIN, position)) >= 0:
        position = start + len(_BEGIN)
        title_end = _title_end(text, start, _BEGIN)
        if title_end == 0:
            continue
        if closing < title_end:  # looked for once, not once per head
            closing = text.find(_END, title_end)
            closing = closing if closing >= 0 else len(text) + _BODY_CHARS_MAX
        end = _body_end(text, title_end, closing)
        if values.compiled(_KEY_MATERIAL).search(text, title_end, end):
            yield start, end, "private-key"
            position = end


def _keys_without_heads(text: str) -> "Iterator[Span]":
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
    title = text[behind:end] if end >= 0 else ""
    return end + len(_DASHES) if any(secret in title for secret in _TITLES) else 0


def _putty_keys(text: str) -> "Iterator[Span]":
    position = 0
    while (start := text.find(_PUTTY, position)) >= 0:
        _, begin = _next_break(text, start)
        position = max(_lines_end(text, begin), start + 1)
        if text[begin:position].strip():
            yield begin, position, "private-key"
        if text.startswith("Private-MAC:", position):
            end, _ = _next_break(text, position)
            yield position + len("Private-MAC:"), end, "private-key"
            position = end


def _body_end(text: str, position: int, closing: int) -> int:
    if closing - position <= _BODY_CHARS_MAX and text.find(_BEGIN, position, closing) < 0:
        end = text.find(_DASHES, closing + len(_END), closing + _TITLE_CHARS_MAX)
        return end + len(_DASHES) if end >= 0 else closing + len(_END)
    return _lines_end(text, position)


def _lines_end(text: str, position: int) -> int:
    """Where the lines that can be a key's end."""
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
    ceiling = min(len(text), position + _BREAK_CHARS_MAX)
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

"""Cut a message into what can be quoted: all of a short one, whole sentences of a long one."""

import re

from compact_guard.hook.limits import SENTENCES_PER_MESSAGE_MAX, SHORT_MESSAGE_CHARS

# An end of line, or the marks that end a sentence with the space behind them. A set of letters
# beyond ASCII takes ten times as long to compile as the letters one by one.
_END = re.compile(r"\n+|(?<=[.!?])[ \t]+|(?<=…)[ \t]+|(?<=。)|(?<=！)|(?<=？)")
_FENCE = "```"
_OPENING_CHARS = 16  # "Not quite." says nothing without what follows it


def spans(text: str) -> list[tuple[int, int]]:
    """Where the quotable pieces begin and end; code blocks of a long message are none."""
    if len(text) <= SHORT_MESSAGE_CHARS:
        return [(0, len(text))]
    found: list[tuple[int, int]] = []
    position = 0
    for number, part in enumerate(text.split(_FENCE)):
        if number % 2 == 0:
            found += _sentences(text, position, position + len(part))
        position += len(part) + len(_FENCE)
    half = SENTENCES_PER_MESSAGE_MAX // 2
    # A paste in the middle: people explain it before and after.
    return found if len(found) <= 2 * half else found[:half] + found[-half:]


def _sentences(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """A short opening goes with the sentence behind it."""
    found: list[tuple[int, int]] = []
    position = start
    for end in [*_END.finditer(text, start, stop), None]:
        piece_stop = end.start() if end else stop
        is_opening = start == position and len(text[start:piece_stop].strip()) <= _OPENING_CHARS
        position = end.end() if end else stop
        if end and is_opening and "\n" not in end.group():
            continue
        if text[start:piece_stop].strip():
            found.append((start, piece_stop))
        start = position
    return found

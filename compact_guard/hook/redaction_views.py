"""The text as a person reads it, with a way back to where each character stands.

Terminal colours, zero-width characters, line wraps, URL and JSON escapes hide a secret's
edges from every rule; the rules run on this view as well.
"""

import re
from bisect import bisect_right

_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
# Every part is bounded or one character class: linear on any input.
_COLOUR = r"\x1b\[[0-9;?]{0,24}[A-Za-z]|\x1b\][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)"
_HIDDEN = "[\u00ad\u200b-\u200f\u2060\ufeff]"
_ESCAPE = r'%[0-9A-Fa-f]{2}|\\{1,3}["/]|\\{1,2}u00[2-7][0-9A-Fa-f]'
_WRAP = (
    r"(?<=[A-Za-z0-9_\-+/.%~=])(?:\\\n|\r?\n)(?:[ \t]{0,16}|> ?)"
    r"(?=[A-Za-z0-9_\-+/.%~]{2,400}={0,2}(?:[\r\n\\]|$))(?=[^\n]{0,400}?[0-9A-Z])"
)
_patterns: dict[str, re.Pattern[str]] = {}


class View:
    """`text` with stretches left out or replaced; offsets map back to the source text."""

    def __init__(self, source: str, changes: list[tuple[int, int, str]]) -> None:
        """`changes`: ordered `(start, end, replacement)`, replaced by one character at most."""
        self._view_starts: list[int] = []
        self._source_starts: list[int] = []
        self._source_ends: list[int] = []
        pieces: list[str] = []
        position = length = 0
        for start, end, replacement in [*changes, (len(source), len(source), "")]:
            if position < start:
                length = self._add(length, position, start, start - position)
                pieces.append(source[position:start])
            if replacement:
                length = self._add(length, start, end, 1)
                pieces.append(replacement)
            position = end
        self.text = "".join(pieces)

    def _add(self, view_start: int, source_start: int, source_end: int, length: int) -> int:
        self._view_starts.append(view_start)
        self._source_starts.append(source_start)
        self._source_ends.append(source_end)
        return view_start + length

    def source_start(self, offset: int) -> int:
        """Where the view's character at `offset` begins in the source."""
        index = bisect_right(self._view_starts, offset) - 1
        return self._source_starts[index] + offset - self._view_starts[index]

    def source_end(self, offset: int) -> int:
        """Where the view's character before `offset` ends in the source."""
        index = bisect_right(self._view_starts, offset - 1) - 1
        width = len(self.text) if index + 1 == len(self._view_starts) else 0
        width = (width or self._view_starts[index + 1]) - self._view_starts[index]
        if width == 1:
            return self._source_ends[index]
        return self._source_starts[index] + offset - self._view_starts[index]


def plain_view(text: str) -> View | None:
    """The view of a text, None if it reads as it stands."""
    changes: list[tuple[int, int, str]] = []
    for pattern in _needed_patterns(text):
        changes += [(m.start(), m.end(), _plain(m.group())) for m in pattern.finditer(text)]
    if not changes:
        return None
    return View(text, _without_overlaps(changes))


def percent_encoded(value: str) -> str:
    """The value as it stands in a URL."""
    return "".join(
        letter if letter in _SAFE else "".join(f"%{byte:02X}" for byte in letter.encode())
        for letter in value
    )


def _needed_patterns(text: str) -> list[re.Pattern[str]]:
    needed = []
    if "\x1b" in text:
        needed.append(_pattern(_COLOUR))
    if not text.isascii():
        needed.append(_pattern(_HIDDEN))
    if "%" in text or "\\" in text:
        needed.append(_pattern(_ESCAPE))
    if "\n" in text:
        needed.append(_pattern(_WRAP))
    return needed


def _pattern(source: str) -> re.Pattern[str]:
    if source not in _patterns:
        _patterns[source] = re.compile(source)
    return _patterns[source]


def _plain(escape: str) -> str:
    if escape[0] == "%":
        character = chr(int(escape[1:], 16))
        return character if character.isprintable() and character.isascii() else "\x1a"
    if escape[0] == "\\" and escape[-1] in '"/':
        return escape[-1]
    if escape[0] == "\\" and "u00" in escape:
        return chr(int(escape[-2:], 16))
    return ""


def _without_overlaps(changes: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    kept: list[tuple[int, int, str]] = []
    for change in sorted(changes):
        if not kept or change[0] >= kept[-1][1]:
            kept.append(change)
    return kept

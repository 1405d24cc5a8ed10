"""The text as a person reads it, with a way back to where each character stands.

Terminal colours, zero-width characters, line wraps, URL and JSON escapes hide a secret's
edges from every rule; the rules run on this view as well.
"""

import re
from bisect import bisect_right

_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
# Every part is bounded or one character class: linear on any input.
_COLOUR = r"\x1b\[[0-9;?]{0,24}[A-Za-z]|\x1b\][^\x07\x1b\n]{0,256}(?:\x07|\x1b\\)"
_HIDDEN = "[\u00ad\u200b-\u200f\u2060\ufeff]{1,4096}"
# Begins with what is searched for, so that the search has something to look for.
_ESCAPE = (
    r"%[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2}){0,4095}"
    r'|\\(?:\\{0,2}["/]|\\?u00[2-7][0-9A-Fa-f]|\\{0,2}[nrt])'
)
_WRAPPABLE = r"\n(?:(?<=[A-Za-z0-9_\-+/.%~=]{8}\n)|(?<=[│┃|\\\r]\n))"
_WRAP = (
    r"(?<=[A-Za-z0-9_\-+/.%~=]{8})(?: {0,8}[│┃|])?(?:\\\n|\r?\n)(?:[│┃|] {1,8}|[ \t]{0,16}|> ?)"
    r"(?!(?:[A-Z][a-z]{2,16}[,.!]?|[A-Z]{2,5})(?:\s|$))(?=[A-Za-z0-9_\-+/.%~]{2,400}(?:={1,2}|=[0-9A-F]{8})?(?:[\r\n\\\"\'`]|\s{0,8}[│┃|]|$))(?=[^\n]{0,400}?[0-9A-Z])"
)
_JOINT = r"(?: {0,2}[+.] {0,2}|(?: {0,2}[+.])? {0,2}\\?\r?\n[ \t]{0,16}(?:[+.] {0,2})?)"
# The quotes come first, so that the search has something to look for.
_JOINED = (
    rf"(?:\"(?<=[A-Za-z0-9_\-+/=]\"){_JOINT}\"|'(?<=[A-Za-z0-9_\-+/=]'){_JOINT}')"
    r"(?=[A-Za-z0-9_\-+/=]{8})"
)
_JOINTS = (
    '" + "', "' + '", '"+"', "'+'", '" . "', "' . '", '" \\\n', '" +\n', "' +\n",
)  # fmt: skip
_LINE_JOINTS = ('"\n', "'\n")
_INDENT_CHARS, _JOINING = 16, ('"', "'", "+", ".")
GAP = "\n\x1a\x1a\n"
_AROUND_CHARS, _LINE_CHARS = 400, 2_000
_SPELLED_CHARS_MAX = 4_096  # of a value that anybody writes again
Change = tuple[int, int, str]
_patterns: dict[str, re.Pattern[str]] = {}


class View:
    """`text` with stretches left out or replaced; offsets map back to the source text."""

    def __init__(self, source: str, changes: list[Change]) -> None:
        """`changes`: ordered; the letters of a replacement share its stretch evenly."""
        self._view_starts: list[int] = []
        self._source_starts: list[int] = []
        self._widths: list[int] = []  # letters of the source per letter of the view
        pieces: list[str] = []
        position = length = 0
        for start, end, replacement in [*changes, (len(source), len(source), "")]:
            for begin, piece, width in (
                (position, source[position:start], 1),
                (start, replacement, (end - start) // max(1, len(replacement))),
            ):
                if piece:
                    self._view_starts.append(length)
                    self._source_starts.append(begin)
                    self._widths.append(width)
                    pieces.append(piece)
                    length += len(piece)
            position = end
        self.text = "".join(pieces)

    def source_start(self, offset: int) -> int:
        """Where the view's character at `offset` begins in the source."""
        index = bisect_right(self._view_starts, offset) - 1
        distance = offset - self._view_starts[index]
        return self._source_starts[index] + distance * self._widths[index]

    def source_end(self, offset: int) -> int:
        """Where the view's character before `offset` ends in the source."""
        index = bisect_right(self._view_starts, offset - 1) - 1
        distance = offset - self._view_starts[index]
        return self._source_starts[index] + distance * self._widths[index]


def plain_view(text: str) -> View | None:
    """The view of a text around what it hides, None if it reads as it stands."""
    changes: list[Change] = []
    for pattern in _needed_patterns(text):
        changes += [(m.start(), m.end(), _plain(m.group())) for m in pattern.finditer(text)]
    if not changes:
        return None
    return View(text, _with_gaps(_without_overlaps(changes), text))


def is_plain(text: str) -> bool:
    """True if nothing in the text can make its view another one."""
    return not _needed_patterns(text)


def _with_gaps(changes: list[Change], text: str) -> list[Change]:
    """What is far from every change was read in the source already."""
    kept: list[Change] = []
    position, length = 0, len(text)
    for change in [*changes, (length, length, "")]:
        begin = _line_end(text, position + _AROUND_CHARS) if kept else 0
        end = _line_start(text, change[0] - _AROUND_CHARS) if change[0] < length else length
        if end - begin > _AROUND_CHARS:
            kept.append((begin, end, GAP))
        kept.append(change)
        position = change[1]
    return kept[:-1]


def _line_end(text: str, position: int) -> int:
    """A line that is cut in two may say something else."""
    end = text.find("\n", position, position + _LINE_CHARS)
    return end if end >= 0 else position


def _line_start(text: str, position: int) -> int:
    position = max(0, position)
    start = text.rfind("\n", max(0, position - _LINE_CHARS), position)
    return start + 1 if start >= 0 else position


def percent_encoded(value: str) -> str:
    """The value as it stands in a URL."""
    return "".join(
        letter
        if letter in _SAFE
        else "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))
        for letter in value
    )


def spellings(value: str) -> set[str]:
    """The value as it stands, in a URL, in a JSON string, and as base64."""
    if len(value) > _SPELLED_CHARS_MAX:
        return {value}
    import binascii  # an extension that only found secrets need

    raw = value.encode("utf-8", "surrogatepass")
    if value.isalnum() and value.isascii():  # stands for itself wherever it may stand
        return {value, binascii.b2a_base64(raw, newline=False).decode().rstrip("=")}
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("/", "\\/")
    encoded = binascii.b2a_base64(raw, newline=False).decode().rstrip("=")
    return {value, percent_encoded(value), escaped, encoded}


def _needed_patterns(text: str) -> list[re.Pattern[str]]:
    needed = []
    if "\x1b" in text:
        needed.append(_pattern(_COLOUR))
    if not text.isascii():
        needed.append(_pattern(_HIDDEN))
    if "%" in text or "\\" in text:
        needed.append(_pattern(_ESCAPE))
    if "\n" in text and _pattern(_WRAPPABLE).search(text):
        needed.append(_pattern(_WRAP))
    if any(map(text.__contains__, _JOINTS)) or _may_join_lines(text):
        needed.append(_pattern(_JOINED))
    return needed


def _may_join_lines(text: str) -> bool:
    """A quote ends a line, as in every JSON file, and something that may go on begins the next."""
    for joint in _LINE_JOINTS:
        at = text.find(joint)
        while at >= 0:
            start = at + len(joint)
            if text[start : start + _INDENT_CHARS + 1].lstrip(" \t").startswith(_JOINING):
                return True
            at = text.find(joint, start)
    return False


def _pattern(source: str) -> re.Pattern[str]:
    if source not in _patterns:
        _patterns[source] = re.compile(source)
    return _patterns[source]


def _plain(escape: str) -> str:
    """What an escape stands for, "" if for nothing that is read."""
    if escape[0] == "%":
        letters = bytes.fromhex(escape.replace("%", "")).decode("latin-1")
        return "".join(letter if " " <= letter <= "~" else "\x1a" for letter in letters)
    if escape[0] != "\\" or "\n" in escape:
        return ""
    if escape[-1] in '"/':
        return escape[-1]
    return "\n" if escape[-1] in "nrt" else chr(int(escape[-2:], 16))


def _without_overlaps(changes: list[Change]) -> list[Change]:
    kept: list[Change] = []
    for change in sorted(changes):
        if not kept or change[0] >= kept[-1][1]:
            kept.append(change)
    return kept

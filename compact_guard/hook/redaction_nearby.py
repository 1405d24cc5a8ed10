"""Secrets that stand near a word that announces them: "the password for the server is …".

Candidates come first: few words look like secrets, so that looking around is seldom needed.
What lies between may be in any language; the further away, the more random it must be.
"""

from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words
from compact_guard.hook.redaction_cues import is_cue, kind_of, qualified, speaks_about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

_CANDIDATE = r"[A-Za-z0-9!#$%*+\-./@^_~]{6,512}={0,3}"
# Brackets belong to a value in the middle of which they stand.
_REST = r"[!#-%(-+\--:=?-\[\]-_a-~]{0,8192}"
_MASKS = "\x1a{1,65536}"
_BEFORE_CHARS, _BEHIND_CHARS = 110, 70
_CLOSE_CHARS = 16
_NUMBER_CHARS = 48
_OTHERS_MAX = 1  # "the keys are … and …"; without a bound each pass would find one more
_STOPS = (". ", "! ", "。", "！", "\n\n\n")
_QUESTIONS = ("? ", "？")  # "can you enter the key? 4f2a…"
_LINE_MARKS = (":", "：", "```", "=", "-", "—", "→", "\\", "|")
_LINKS = (":", "=", "：", "→", "->", "—", "–", "|", "┃", "│")
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz_-"  # of a word that a cue ends
_NOT, _PERHAPS, _SURELY = 0, 1, 2


def spans_in(text: str, lowered: str, cues: "tuple[str, ...]") -> "Iterator[Span]":
    """Announced secrets as `(start, end, kind)`; `cues` are those that occur in the text."""
    yield from _Reader(text, lowered, cues).spans()


class _Reader:
    """One text, its cues, and where the values end that were found so far."""

    def __init__(self, text: str, lowered: str, cues: "tuple[str, ...]") -> None:
        self._text, self._lowered, self._cues = text, lowered, cues
        self._ends: list[int] = []

    def spans(self) -> "Iterator[Span]":
        levels: dict[str, int] = {}
        for match in values.compiled(_CANDIDATE).finditer(self._text):
            token = match.group()
            level = levels.get(token)
            if level is None:
                level = levels[token] = _level(token.strip("+-*.!?~"))
            if level == _NOT:
                continue
            start, end = _trimmed(self._text, match.start(), match.end())
            if _is_labelled_harmless(self._lowered, start):
                continue
            cue = self._cue_before(start, end, level) or self._cue_behind(start, end, level)
            if cue:
                end = _full_end(self._text, end)
                self._ends.append(end)
                yield start, end, kind_of(cue)

    def _cue_before(self, start: int, end: int, level: int) -> str:
        """The nearest cue in front, "" if it does not announce this value."""
        floor = max(0, start - _BEFORE_CHARS)
        cue, cue_end = "", -1
        for candidate in self._cues:
            at = self._lowered.rfind(candidate, floor, start)
            is_nearer = at >= 0 and at + len(candidate) > cue_end
            if is_nearer and is_cue(self._text, self._lowered, candidate, at):
                cue, cue_end = candidate, at + len(candidate)
        if not cue or speaks_about(self._text, cue_end - len(cue), cue_end):
            return ""
        gap = self._lowered[cue_end:start]
        if any(stop in gap for stop in _STOPS) or _changes_line(gap):
            return ""
        others = sum(place > cue_end for place in self._ends[-2:])
        if others + len(values.compiled(_MASKS).findall(gap)) > _OTHERS_MAX:
            return ""
        cue = qualified(self._lowered, cue, cue_end - len(cue))
        token, following = self._text[start:end], self._text[end : end + 1]
        return cue if _fits(token, cue, gap, level, following) else ""

    def _cue_behind(self, start: int, end: int, level: int) -> str:
        """The cue that the words behind a value lead to: "… is our password"."""
        between = values.compiled(words.BEHIND)
        window = self._lowered[end : end + _BEHIND_CHARS]
        match = between.match(window)
        if match is None or not match.group():
            return ""
        for cue in self._cues:
            at = window.find(cue)
            gap = window[: max(at, 0)]
            if not gap.strip() or "\n" in gap or not between.fullmatch(gap.rstrip(_NAME_LETTERS)):
                continue
            if is_cue(self._text, self._lowered, cue, end + at):
                full_cue = qualified(self._lowered, cue, end + at)
                is_value = level == _SURELY or (
                    _leads_to_cue(gap) and _may_be(self._text[start:end], full_cue)
                )
                return full_cue if is_value else ""
        return ""


def _level(token: str) -> int:
    """How surely a word alone looks like a secret."""
    if len(token) < 6 or not (values.has_digit(token) or values.has_sign(token)):
        return _NOT
    is_number = values.is_hex(token) or values.is_uuid(token) or values.is_phrase(token)
    if is_number and not token.isdigit():
        return _PERHAPS
    if values.is_media(token) or values.is_placeholder(token) or values.is_harmless(token):
        return _NOT
    if values.has_id_prefix(token):
        return _SURELY
    if (values.is_random(token, 14) and "@" not in token) or values.is_strong_password(token):
        return _SURELY
    return _PERHAPS if values.is_password(token) or values.is_random(token, 8) else _NOT


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the list's dash in front and the full stop behind."""
    while start < end and text[start] in "+-*.~?/":
        start += 1
    while end > start and text[end - 1] in ".!?*~":
        end -= 1
    return start, end


def _is_labelled_harmless(lowered: str, start: int) -> bool:
    """`sha1 4f2a…`, `"etag": "4f2a…"`: the word before says what it is."""
    before = lowered[max(0, start - 24) : start].translate(_NO_QUOTES).split()
    return bool(before) and before[-1].strip("*:,.=@") in words.HARMLESS_BEFORE


def _full_end(text: str, end: int) -> int:
    rest = values.compiled(_REST).match(text, end)
    return end + len(rest.group().rstrip(".:!?*)]}~|")) if rest else end


def _changes_line(gap: str) -> bool:
    """A value may stand on the next line if the line before it ends so as to announce it."""
    head, newline, tail = gap.partition("\n")
    if not newline:
        return False
    tail = tail.strip(" \t>`\"'*-|│┃\n")
    if tail.isalpha() and len(tail) < 8:  # the language of a fence
        tail = ""
    return bool(tail) or (not head.rstrip().endswith(_LINE_MARKS) and "key" not in head)


def _fits(token: str, cue: str, gap: str, level: int, following: str) -> bool:
    """Whether what stands between a cue and a value is little enough for what they are."""
    if following == "(" and token.replace(".", "_").isidentifier():
        return False
    between = gap.translate(_NO_QUOTES).split()
    harmless = [word for word in between if word.strip("*:,.=#") in words.HARMLESS_BEFORE]
    if values.is_hex(token) or values.is_uuid(token):
        return not harmless and _may_be_number(cue, gap, between)
    if any(word in harmless for word in between[-2:]):
        return False
    if level == _SURELY:
        return cue not in words.LOOSE or len(gap) <= 40 or values.is_random(token, 20)
    if any(mark in gap for mark in _QUESTIONS):
        return False
    is_short = len(gap) <= _CLOSE_CHARS and not values.is_hex(token, 6)
    is_close = is_short and cue not in words.LOOSE and _is_password(cue)
    return (is_close or _is_linked(gap, between)) and _may_be(token, cue)


def _may_be_number(cue: str, gap: str, between: list[str]) -> bool:
    """A hexadecimal number or a UUID is as often an id: what announces it decides."""
    if cue in words.ABOUT_IDS:
        return False
    is_near = len(gap) <= _NUMBER_CHARS and "," not in gap
    return is_near or cue not in words.LOOSE or _is_linked(gap, between)


_NO_QUOTES = str.maketrans("([]`\"'", "      ")


def _leads_to_cue(gap: str) -> bool:
    between = gap.strip("\"'`*)]」） ").split(" ")
    return between[0] in words.CONNECTORS or not words.AS.isdisjoint(between)


def _is_linked(gap: str, between: list[str]) -> bool:
    if between and between[-1].startswith("--"):  # an option: --body, --value
        return True
    if len(gap) <= 3 or (bool(between) and between[-1].strip("*") in words.CONNECTORS):
        return True
    if len(gap) <= _CLOSE_CHARS and (not between or not between[-1].isascii()):
        return True
    return gap.rstrip(" *\"'`「“«[\n").endswith(_LINKS)


def _may_be(token: str, cue: str) -> bool:
    """Whether a word that is neither random nor harmless may be this cue's value."""
    if values.is_uuid(token) or values.is_hex(token):
        return cue not in words.ABOUT_IDS
    if _is_password(cue):
        return True
    return values.is_random(token, 10) or (values.is_mixed(token) and values.is_password(token))


def _is_password(cue: str) -> bool:
    return any(part in cue for part in words.PASSWORDS)

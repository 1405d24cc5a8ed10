"""Secrets that stand near a word that announces them: "the password for the server is …".

Candidates come first: few words look like secrets, so that looking around is seldom needed.
What lies between may be in any language; the further away, the more random it must be.
"""

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words
from compact_guard.hook.redaction_cues import in_arn, is_cue, kind_of, qualified, speaks_about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

_MASKS = "\x1a{1,65536}"
_BEFORE_CHARS, _BEHIND_CHARS = 110, 70
_CLOSE_CHARS = 16
_NUMBER_CHARS = 48
_LINE_START_CHARS, _OPENINGS = 24, ("", '"', "'", "`", "(", "{", ",", ";")
_OTHERS_MAX = 1  # "the keys are … and …"; without a bound each pass would find one more
_STOPS = (". ", "! ", "。", "！", "\n\n\n", '"}')
_QUESTIONS = ("? ", "？")  # "can you enter the key? 4f2a…"
_LINE_MARKS = (":", "：", "```", "=", "-", "—", "→", "\\", "|")
_LINKS = (":", "=", "：", "→", "->", "—", "–", "|", "┃", "│")
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz_-"  # of a word that a cue ends
_DOUBTFUL = frozenset(("login", "logon", "pass", "code", "secret"))
_NOT, candidates.MADE_UP, _PERHAPS, candidates.SURELY = 0, 1, 2, 3


def spans_in(text: str, lowered: str, cues: "tuple[str, ...]") -> "Iterator[Span]":
    """Announced secrets as `(start, end, kind)`; `cues` are those that occur in the text."""
    yield from _Reader(text, lowered, cues).spans()


class _Reader:
    """One text, its cues, and where the values end that were found so far."""

    def __init__(self, text: str, lowered: str, cues: "tuple[str, ...]") -> None:
        self._text, self._lowered, self._cues = text, lowered, cues
        self._ends: list[int] = []

    def spans(self) -> "Iterator[Span]":
        for start, end, level in candidates.candidates_in(self._text):
            if _is_labelled_harmless(self._lowered, start, end) or in_arn(self._text, start):
                continue
            cue = self._cue_before(start, end, level) or self._cue_behind(start, end, level)
            if cue:
                begin = candidates.full_start(self._text, start, end)
                end = candidates.full_end(self._text, end)  # noqa: PLW2901 - the whole of it
                self._ends.append(end)
                yield begin, end, kind_of(cue)

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
        is_alone = gap.isspace() and self._is_alone(end)
        if any(stop in gap for stop in _STOPS) or (not is_alone and _changes_line(gap)):
            return ""
        others = sum(place > cue_end for place in self._ends[-2:])
        if others + len(values.compiled(_MASKS).findall(gap)) > _OTHERS_MAX:
            return ""
        if cue == "key" and values.is_uuid(self._text[start:end]) and self._opens_line(cue_end - 3):
            return ""  # nobody's key: the name of a column
        cue = qualified(self._lowered, cue, cue_end - len(cue))
        token, following = self._text[start:end], self._text[end : end + 1]
        return cue if _fits(token, cue, gap, level, following) else ""

    def _opens_line(self, start: int) -> bool:
        before = self._text[max(0, start - _LINE_START_CHARS) : start]
        return before.rpartition("\n")[2].rstrip()[-1:] in _OPENINGS

    def _is_alone(self, end: int) -> bool:
        """`here is my key` and, on a line of its own, the key."""
        return self._text[end : end + 1] in ("", "\n", "\r")

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
                is_value = level == candidates.SURELY or (
                    _leads_to_cue(gap) and _may_be(self._text[start:end], full_cue)
                )
                return full_cue if is_value else ""
        return ""


def _is_labelled_harmless(lowered: str, start: int, end: int) -> bool:
    """`sha1 4f2a…`, `"etag": "4f2a…"`, `4f2a…: public key`: a word beside it says what it is."""
    before = lowered[max(0, start - 24) : start].translate(_NO_QUOTES).split()
    if before and before[-1].strip("*:,.=@") in words.HARMLESS_BEFORE:
        return True
    return lowered.startswith((": public", " public", "/public", ".pub"), end)


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
    between = gap.translate(_NO_QUOTES).split()
    harmless = [word for word in between if word.strip("*:,.=#") in words.HARMLESS_BEFORE]
    if values.is_hex(token) or values.is_uuid(token):
        is_id = values.is_uuid(token) and gap.startswith(("_id", "-id", "id"))
        return not (harmless or is_id) and _may_be_number(cue, gap, between)
    is_key_id = cue == "key" and bool(between) and between[-1].strip(":=,") == "id"
    is_call = following == "(" and token.replace(".", "_").isidentifier()
    if is_key_id or is_call or any(word in harmless for word in between[-2:]):
        return False
    if level == candidates.SURELY:
        return cue not in words.LOOSE or len(gap) <= 40 or values.is_random(token, 20)
    if any(mark in gap for mark in _QUESTIONS):
        return False
    if level == candidates.MADE_UP:
        return following not in (":", "=") and _fits_made_up(cue, gap, between)
    is_short = len(gap) <= _CLOSE_CHARS and not values.is_hex(token, 6)
    is_close = is_short and cue not in words.LOOSE and _is_password(cue)
    return (is_close or _is_linked(gap, between)) and _may_be(token, cue)


def _fits_made_up(cue: str, gap: str, between: list[str]) -> bool:
    """What a person makes up looks like a name: only what is said to be a password is one."""
    if cue == "login":  # login with ann:…
        return gap[-2:-1].isalnum() and gap[-1:] == ":"
    return _is_password(cue) and cue not in _DOUBTFUL and _is_linked(gap, between)


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
    if (
        len(gap) <= 3
        or _is_typed_in(gap)
        or (bool(between) and between[-1].strip("*") in words.CONNECTORS)
    ):
        return True
    if len(gap) <= _CLOSE_CHARS and (not between or not between[-1].isascii()):
        return True
    return gap.rstrip(" *\"'`「“«[\n").endswith(_LINKS)


def _is_typed_in(gap: str) -> bool:
    """`get('#password').type('…')`: a test that fills in a form."""
    return gap.endswith(("('", '("', "(`")) and gap.startswith(("'", '"', "`", "]", ")"))


def _may_be(token: str, cue: str) -> bool:
    """Whether a word that is neither random nor harmless may be this cue's value."""
    if values.is_uuid(token) or values.is_hex(token):
        return cue not in words.ABOUT_IDS
    if _is_password(cue):
        return True
    if not values.has_digit(token):
        return values.is_random(token, 12, digits=False)
    return values.is_random(token, 10) or (values.is_mixed(token) and values.is_password(token))


def _is_password(cue: str) -> bool:
    return any(part in cue for part in words.PASSWORDS)

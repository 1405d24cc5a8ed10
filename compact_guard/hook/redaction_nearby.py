"""Secrets that stand near a word that announces them: "the password for the server is …".

Candidates come first: few words look like secrets, so that looking around is seldom needed.
What lies between may be in any language; the further away, the more random it must be.
"""

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_gaps as gaps
from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words
from compact_guard.hook.redaction_cues import (
    in_arn,
    is_cue,
    is_digest,
    kind_of,
    qualified,
    speaks_about,
)
from compact_guard.hook.redaction_unnamed import is_unnamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from compact_guard.hook.redaction import Span

_ASKED_CHARS = 60  # of a question in front of its cue
_AROUND_CHARS, _KNOWN_MAX = 160, 1_000
_MASKS = "\x1a{1,65536}"
_BEFORE_CHARS, _BEHIND_CHARS = 110, 70
_LINE_START_CHARS, _OPENINGS = 24, ("", '"', "'", "`", "(", "{", ",", ";")
_OTHERS_MAX = 1  # "the keys are … and …"; without a bound each pass would find one more
_STOPS = (". ", "! ", "。", "！", "\n\n\n", '"}')
_QUESTION_SIGNS = ("?", "？")
_LAST_SIGNS = frozenset("!?*~.\"'")  # of a password as well as of a sentence
_DASHES = ("-", "—", "–")
_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz_-"  # of a word that a cue ends
# A question and, in the next line, its answer: `Q: …?` `A: …`, `[10:03] bob: it is …`.
_ANSWER = (
    r"[^\n?？]{0,60}[?？][ \t\"'*)]{0,4}\r?\n{1,2}(?:> ?)?"
    r"(?:[\[(][^\])\n]{1,24}[\])] ?|[0-9:]{4,8} )?"
    r"(?:[*_]{0,2}[^\s:：>\n]{1,24}[*_]{0,2} ?[:：>]{1,3}[*_]{0,2} ?)?"
    r"(?:[^\s0-9]{1,12} ){0,4}[\"'`*]{0,3}(?:base64:|hex:)?"
)


def spans_in(text: str, lowered: str, cues: "tuple[str, ...]", has_hints: bool) -> "Iterator[Span]":
    """Announced secrets as `(start, end, kind)`; `cues` are those that occur in the text.

    `has_hints`: something in it may tell of a secret without naming it.
    """
    yield from _Reader(text, lowered, cues).spans(has_hints)


class _Reader:
    """One text, its cues, and where the values end that were found so far."""

    def __init__(self, text: str, lowered: str, cues: "tuple[str, ...]") -> None:
        self._text, self._lowered, self._cues = text, lowered, cues
        self._ends: list[int] = []
        self._known: dict[tuple[Any, ...], str] = {}

    def spans(self, has_hints: bool) -> "Iterator[Span]":
        for start, end, level in candidates.candidates_in(self._text):
            is_labelled = gaps.is_labelled_harmless(self._lowered, start, end, level)
            if is_labelled or in_arn(self._text, start) or is_digest(self._text, start):
                continue
            cue = self._cue(start, end, level)
            if cue:
                begin = candidates.full_start(self._text, start, end)
                end = candidates.full_end(self._text, end)  # noqa: PLW2901 - the whole of it
                self._ends.append(end)
                yield begin, end, kind_of(cue)
            elif has_hints and is_unnamed(self._text, self._lowered, start, end, level):
                yield start, candidates.full_end(self._text, end), "token"

    def _cue(self, start: int, end: int, level: int) -> str:
        """The cue that announces a value, "" if there is none; a look-up where texts repeat."""
        floor = max(0, start - _AROUND_CHARS)
        ends = [place - start for place in self._ends[-2:] if place > floor]
        around = (start - floor, end - start, self._text[floor : end + _BEHIND_CHARS], *ends)
        cue = self._known.get(around)
        if cue is None:
            cue = self._cue_before(start, end, level) or self._cue_behind(start, end, level)
            if len(self._known) > _KNOWN_MAX:
                self._known.clear()
            self._known[around] = cue
        return cue

    def _cue_before(self, start: int, end: int, level: int) -> str:
        """The nearest cue in front, "" if it does not announce this value."""
        cue, cue_end = self._nearest(max(0, start - _BEFORE_CHARS), start)
        if cue == "key":
            cue, cue_end = self._for_which_it_is(cue, cue_end)
        if not cue or speaks_about(self._text, cue_end - len(cue), cue_end):
            return ""
        gap = self._lowered[cue_end:start]
        if self._is_answer(gap, cue_end, end):
            gap = ": "
        is_announced = gaps.announces_line(gap)
        is_alone = (is_announced or gap.isspace()) and self._is_alone(end)
        gap = ":\n" if is_alone and is_announced else gap
        is_elsewhere = any(stop in gap for stop in _STOPS) or gaps.begins_another(gap)
        if is_elsewhere or (not is_alone and gaps.changes_line(gap)):
            return ""
        others = sum(place > cue_end for place in self._ends[-2:])
        if others + len(values.compiled(_MASKS).findall(gap)) > _OTHERS_MAX:
            return ""
        if cue == "key" and values.is_uuid(self._text[start:end]) and self._opens_line(cue_end - 3):
            return ""  # nobody's key: the name of a column
        cue = qualified(self._lowered, cue, cue_end - len(cue))
        token, following = self._text[start:end], self._text[end : end + 1]
        if following == "(" and not self._text[end + 1 : end + 2].isascii():
            following = ""  # a particle: `…(으)로`
        return cue if gaps.fits(token, cue, gap, level, following) else ""

    def _is_answer(self, gap: str, cue_end: int, end: int) -> bool:
        """The value answers a question, or is all that somebody says in reply."""
        if gaps.is_about_harmless(self._lowered[max(0, cue_end - _ASKED_CHARS) : cue_end]):
            return False
        if any(sign in gap for sign in _QUESTION_SIGNS) and (
            values.compiled(_ANSWER).fullmatch(gap) is not None
        ):
            return True
        line = self._lowered[max(0, cue_end - _ASKED_CHARS) : cue_end].rpartition("\n")[2]
        return "\n" in gap and self._is_alone(end) and gaps.is_asked_for(gap, line)

    def _nearest(self, floor: int, start: int) -> tuple[str, int]:
        """The cue in front that ends last, and where; `("", -1)` if there is none."""
        cue, cue_end = "", -1
        for candidate in self._cues:
            at = self._lowered.rfind(candidate, floor, start)
            is_nearer = at >= 0 and at + len(candidate) > cue_end
            if is_nearer and is_cue(self._text, self._lowered, candidate, at):
                cue, cue_end = candidate, at + len(candidate)
        return cue, cue_end

    def _for_which_it_is(self, cue: str, cue_end: int) -> tuple[str, int]:
        """`the passphrase of that ssh key`: the password, and not what it opens."""
        start = cue_end - len(cue)
        owner, owner_end = self._nearest(max(0, start - _BEHIND_CHARS), start)
        is_password = kind_of(owner) == "password" if owner else False
        is_owned = is_password and gaps.is_of(self._lowered[owner_end:cue_end])
        return (owner, owner_end) if is_owned else (cue, cue_end)

    def _opens_line(self, start: int) -> bool:
        before = self._text[max(0, start - _LINE_START_CHARS) : start]
        return before.rpartition("\n")[2].rstrip()[-1:] in _OPENINGS

    def _is_alone(self, end: int) -> bool:
        """`here is my key` and, on a line of its own, the key."""
        while self._text[end : end + 1] in _LAST_SIGNS:
            end += 1
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
                is_remark = gaps.ends_a_remark(window, at + len(cue))
                is_pointed_at = gaps.points_to_cue(gap) and cue not in words.ABOUT_IDS
                is_named = gaps.is_for_a_name(self._text[end : end + at + len(cue)])
                leads = (
                    is_named
                    or (is_pointed_at and is_remark)
                    or (gaps.leads_to_cue(gap) and (is_remark or gap.lstrip()[:1] not in _DASHES))
                )
                is_sure = level == candidates.SURELY and not gaps.begins_clause(gap)
                is_value = is_sure or (leads and gaps.may_be(self._text[start:end], full_cue))
                return full_cue if is_value else ""
        return ""

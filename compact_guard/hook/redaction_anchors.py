"""Plain strings at which rules begin: which of them occur, and what matches there.

Most texts hold few of them, so that one look over all texts of a compaction spares each of them
the rules that cannot apply.
"""

from functools import lru_cache

from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator
    from typing import Any

    Table = tuple[tuple[Any, ...], ...]  # rows that begin with a tuple of anchors

_DASHES = ("_", "-")
_PIECE_CHARS, _ANY_PIECE = 3, "any"
_PIECES: dict[str, str] = {}  # by anchor: there are as many as the rules have


class Anchors:
    """The anchors that may occur in at least one of some texts; without texts, all of them.

    An anchor of several words counts when each of them occurs, an upper-case one in any case.
    """

    def __init__(self, texts: "Iterable[str] | None" = None) -> None:
        self._is_every = texts is None
        texts = list(texts or ())
        self._is_of_one = len(texts) == 1
        # Words repeat: the different ones are a small part of a conversation.
        known = {word for text in texts for word in text.split()}
        # Apart, for a search among other letters takes twice as long.
        plain = [word for word in known if word.isascii()]
        others = [word for word in known if not word.isascii()]
        self._vocabularies = [" ".join(words).lower() for words in (plain, others)]
        self._pieces = {_ANY_PIECE}
        for vocabulary in self._vocabularies:
            ends = range(_PIECE_CHARS, len(vocabulary) + 1)
            self._pieces |= {vocabulary[end - _PIECE_CHARS : end] for end in ends}
        self._occurs: dict[str, bool] = {}
        self._rules: dict[int, tuple[tuple[Any, ...], ...]] = {}
        self._words: dict[int, tuple[str, ...]] = {}
        self._free: dict[int, set[str]] = {}

    def rules(self, table: "Table") -> "Table":
        """The rows of a constant table whose first column, anchors, has one that occurs."""
        if id(table) not in self._rules:
            rows = ((self._occurring(anchors), *rest) for anchors, *rest in table)
            self._rules[id(table)] = tuple(row for row in rows if row[0])
        return self._rules[id(table)]

    def words(self, constant: "tuple[str, ...]") -> "tuple[str, ...]":
        """Those of some constant strings that occur."""
        if id(constant) not in self._words:
            self._words[id(constant)] = self._occurring(constant)
        return self._words[id(constant)]

    def may_be_in(self, words: "Iterable[str]", table: "Table") -> bool:
        """False if no anchor of a constant table is in a text of these words, in lower case.

        A word that was in none of the texts may hold any.
        """
        if self._is_every:
            return True
        if self._is_of_one:  # whose words these are
            return bool(self.rules(table))
        if id(table) not in self._free:
            self._free[id(table)] = self._free_of(table)
        return not self._free[id(table)].issuperset(words)

    def _free_of(self, table: "Table") -> set[str]:
        """The texts' words, in lower case, that hold no part of an anchor that occurs."""
        free = set(" ".join(self._vocabularies).split(" "))
        for anchors, *_ in self.rules(table):
            for anchor in anchors:
                # Wherever the anchor stands, its longest word stands in one word.
                free -= self._holding(max(_parts(anchor), key=len))
        return free

    def _holding(self, part: str) -> set[str]:
        found = set()
        for vocabulary in self._vocabularies:
            at = vocabulary.find(part)
            while at >= 0:
                end = vocabulary.find(" ", at)
                end = end if end >= 0 else len(vocabulary)
                found.add(vocabulary[vocabulary.rfind(" ", 0, at) + 1 : end])
                at = vocabulary.find(part, end)
        return found

    def _occurring(self, anchors: "tuple[str, ...]") -> "tuple[str, ...]":
        if self._is_every:
            return anchors
        found = []
        for anchor in anchors:
            # Most have a beginning that no word has: looked up, not searched for.
            piece = _PIECES.get(anchor) or _piece_of(anchor)
            if piece in self._pieces and self._may_occur(anchor):
                found.append(anchor)
        return tuple(found)

    def _may_occur(self, anchor: str) -> bool:
        if anchor not in self._occurs:
            parts = _parts(anchor)
            if parts == [anchor]:
                occurs = any(anchor in vocabulary for vocabulary in self._vocabularies)
            else:
                occurs = all(map(self._may_occur, parts))
            self._occurs[anchor] = occurs
        return self._occurs[anchor]


@lru_cache(maxsize=4_096)  # the rules have fewer anchors
def _parts(anchor: str) -> list[str]:
    return anchor.lower().split()


def _piece_of(anchor: str) -> str:
    """What every text has that holds the anchor, as far as pieces can tell."""
    piece = max(_parts(anchor), key=len)[:_PIECE_CHARS]
    _PIECES[anchor] = piece if len(piece) == _PIECE_CHARS else _ANY_PIECE
    return _PIECES[anchor]


def matches_at(
    text: str, anchors: "Iterable[str]", pattern: str, before: int = 0
) -> "Iterator[re.Match[str]]":
    """Matches that begin at an anchor, or with the word of `before` letters or less it stands in.

    Tried once or twice per anchor, so that the cost is in proportion to the text.
    """
    expression: re.Pattern[str] | None = None
    for anchor in anchors:
        position = 0
        while (at := text.find(anchor, position)) >= 0:
            position = at + len(anchor)
            expression = expression or values.compiled(pattern)
            for start in _starts(text, at, before):
                match = expression.match(text, start)
                if match is not None:
                    yield match
                    position = max(position, match.end())
                    break


def _starts(text: str, at: int, before: int) -> "Iterator[int]":
    """Where the word begins that stands in front of a place, read with and without dashes."""
    if before == 0:
        yield at
        return
    head = text[max(0, at - before) : at]
    word = head.rstrip(values.ALPHANUMERIC)
    yield at - len(head) + len(word)
    if word.endswith(_DASHES):
        yield at - len(head) + len(word.rstrip(values.ALPHANUMERIC + "_-"))

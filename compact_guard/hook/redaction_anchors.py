"""Plain strings at which rules begin: which of them occur, and what matches there.

Most texts hold few of them. One look over the different words of all texts of a compaction tells
which words hold an anchor, so that a text costs little more than looking up its words.
"""

from functools import lru_cache  # `re` has imported it anyway

from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Table = tuple[tuple[Any, ...], ...]  # rows that begin with a tuple of anchors
    Places = dict[str, list[tuple[int, int]]]  # rows and places in them, by the anchor's part

_DASHES = ("_", "-")
_PIECE_CHARS, _ANY_PIECE = 3, "any"
_NOTHING: frozenset[str] = frozenset()


class Index:
    """The anchors of constant tables, each by its longest word in lower case: its part."""

    def __init__(self, tables: "Iterable[Table]") -> None:
        anchors = {anchor for table in tables for row in table for anchor in row[0]}
        words = set(map(_words_of, anchors))
        self._parts = {anchor[0] for anchor in words}
        self.by_piece: dict[str, list[tuple[str, ...]]] = {_ANY_PIECE: []}
        for anchor in words:
            part = anchor[0]
            piece = part[:_PIECE_CHARS] if len(part) >= _PIECE_CHARS else _ANY_PIECE
            self.by_piece.setdefault(piece, []).append(anchor)
        # The tables are held, lest another one should come to have the same identity.
        self._places: dict[int, tuple[Table, Places]] = {}
        self._tables: dict[int, Table] = {}

    def places(self, table: "Table") -> "Places":
        """Where the anchors of each part stand in a table; under "" those of unknown parts."""
        if id(table) not in self._places:
            places: Places = {}
            for number, (anchors, *_) in enumerate(table):
                for place, anchor in enumerate(anchors):
                    part = _words_of(anchor)[0]
                    part = part if part in self._parts else ""
                    places.setdefault(part, []).append((number, place))
            self._places[id(table)] = table, places
        return self._places[id(table)][1]

    def as_table(self, constant: "tuple[str, ...]") -> "Table":
        """Some constant strings as the anchors of one row; always the same table."""
        return self._tables.setdefault(id(constant), ((constant,),))


class Anchors:
    """The anchors that may occur in one text; without an index, all of them.

    `has_telling`: a word in it may be a secret though nothing announces it.
    """

    def __init__(
        self,
        index: Index | None = None,
        parts: "Iterable[str]" = _NOTHING,
        has_telling: bool = True,
    ) -> None:
        self.has_telling = has_telling
        self.tell_nothing = not (parts or has_telling) and index is not None
        self._index = index
        self._parts = [*parts, ""]
        self._rules: dict[int, Table] = {}
        self._words: dict[int, tuple[str, ...]] = {}

    def rules(self, table: "Table") -> "Table":
        """The rows of a constant table whose first column, anchors, has one that may occur."""
        if self._index is None:
            return table
        if id(table) not in self._rules:
            self._rules[id(table)] = self._found(table, self._index)
        return self._rules[id(table)]

    def words(self, constant: "tuple[str, ...]") -> "tuple[str, ...]":
        """Those of some constant strings that may occur."""
        if self._index is None:
            return constant
        if id(constant) not in self._words:
            rows = self._found(self._index.as_table(constant), self._index)
            self._words[id(constant)] = rows[0][0] if rows else ()
        return self._words[id(constant)]

    def may_be_in(self, table: "Table") -> bool:
        """False if no anchor of a constant table is in the text."""
        return bool(self.rules(table))

    def _found(self, table: "Table", index: Index) -> "Table":
        """In the table's order, which decides between rules that find the same."""
        places = index.places(table)
        if places.keys().isdisjoint(self._parts):
            return ()
        rows: dict[int, list[str]] = {}
        for number, place in sorted(p for part in self._parts for p in places.get(part, ())):
            rows.setdefault(number, []).append(table[number][0][place])
        return tuple((tuple(anchors), *table[number][1:]) for number, anchors in rows.items())


class Vocabulary:
    """The different words of texts, and what each of them tells of a text that holds it.

    `telling`: finds, in long words, those that may be a secret though nothing announces them.
    """

    def __init__(
        self,
        index: Index,
        telling: "Callable[[Iterable[str]], Iterable[str]]",
        texts: "Iterable[str]" = (),
    ) -> None:
        self._index, self._find_telling = index, telling
        self._known: set[str] = set()
        self._parts: dict[str, set[str]] = {}  # of the words that hold any
        self._holding: set[str] = set()
        self._telling: set[str] = set()
        self._anchors: dict[tuple[frozenset[str], bool], Anchors] = {}
        self._rows: list[str] = []  # all words, in lower case
        self._learn({word for text in texts for word in text.split()})

    def look(self, text: str) -> Anchors:
        """The anchors that may occur in a text."""
        words = set(text.split())
        if not self._known.issuperset(words):
            self._learn(words - self._known)
        parts = _NOTHING.union(*map(self._parts.__getitem__, self._holding & words))
        told = parts, not self._telling.isdisjoint(words)
        if told not in self._anchors:  # many texts tell the same
            self._anchors[told] = Anchors(self._index, *told)
        return self._anchors[told]

    def _learn(self, words: set[str]) -> None:
        self._known |= words
        self._telling.update(self._find_telling(words))
        spellings: dict[str, list[str]] = {}
        for word in words:
            spellings.setdefault(word.lower(), []).append(word)
        # Apart, for a search among other letters takes twice as long.
        plain = [word for word in spellings if word.isascii()]
        others = [word for word in spellings if not word.isascii()]
        rows = [" ".join(["", *lowered, ""]) for lowered in (plain, others) if lowered]
        self._rows += rows
        for row in rows:
            for lowered, part in self._found_in(row):
                for word in spellings[lowered]:
                    self._parts.setdefault(word, set()).add(part)
        self._holding = set(self._parts)
        self._anchors.clear()

    def _found_in(self, row: str) -> "Iterator[tuple[str, str]]":
        """Words with each part that they hold."""
        by_piece = self._index.by_piece
        pieces = set(map("".join, zip(row, row[1:], row[2:], strict=False)))
        pieces.add(_ANY_PIECE)
        # Most parts have a beginning that no word has: looked up, not searched for.
        for piece in by_piece.keys() & pieces:
            for part, *others in by_piece[piece]:
                middle = len(part) // 2 - 1
                is_likely = (
                    part[-_PIECE_CHARS:] in pieces and part[middle:][:_PIECE_CHARS] in pieces
                )
                if (is_likely or piece == _ANY_PIECE) and all(map(self._has, others)):
                    for word in _words_holding(part, row):
                        yield word, part

    def _has(self, part: str) -> bool:
        return any(part in row for row in self._rows)


def _words_holding(part: str, row: str) -> "Iterator[str]":
    at = row.find(part)
    while at >= 0:
        start = row.rfind(" ", 0, at + 1) + 1
        end = row.find(" ", start)
        yield row[start:end]
        at = row.find(part, end)


@lru_cache(maxsize=4_096)  # the rules have fewer anchors
def _words_of(anchor: str) -> tuple[str, ...]:
    """What stands in words wherever the anchor stands, with the blanks around it, longest first."""
    lowered = anchor.lower()
    if " " not in lowered:
        return (lowered,)
    words = lowered.split()
    words[1:] = [f" {word}" for word in words[1:]]
    words[:-1] = [f"{word} " for word in words[:-1]]
    words[0] = f" {words[0]}" if lowered[0] == " " else words[0]
    words[-1] = f"{words[-1]} " if lowered[-1] == " " else words[-1]
    return tuple(sorted(words, key=len, reverse=True))


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

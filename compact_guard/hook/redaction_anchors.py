"""Plain strings at which rules begin: which of them occur, and what matches there.

Most texts hold few of them, so that one look over all texts of a compaction spares each of them
the rules that cannot apply.
"""

from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator
    from typing import Any


class Anchors:
    """The anchors that may occur in at least one of some texts; without texts, all of them.

    An anchor of several words counts when each of them occurs, an upper-case one in any case.
    """

    def __init__(self, texts: "Iterable[str] | None" = None) -> None:
        # Words repeat: the different ones are a small part of a conversation.
        words = None if texts is None else {word for text in texts for word in text.split()}
        self._vocabulary = None if words is None else " ".join(words).lower()
        self._rules: dict[int, tuple[tuple[Any, ...], ...]] = {}
        self._words: dict[int, tuple[str, ...]] = {}

    def rules(self, table: "tuple[tuple[Any, ...], ...]") -> "tuple[tuple[Any, ...], ...]":
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

    def _occurring(self, anchors: "tuple[str, ...]") -> "tuple[str, ...]":
        if self._vocabulary is None:
            return anchors
        return tuple(anchor for anchor in anchors if self._may_occur(anchor, self._vocabulary))

    def _may_occur(self, anchor: str, vocabulary: str) -> bool:
        if anchor in vocabulary:
            return True
        parts = anchor.lower().split()
        return parts != [anchor] and all(part in vocabulary for part in parts)


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
    yield at - len(head) + len(head.rstrip(values.ALPHANUMERIC))
    yield at - len(head) + len(head.rstrip(values.ALPHANUMERIC + "_-"))

"""One thing worth quoting, and what is known of it: its rank, its words, what it takes back."""

import re

from compact_guard.hook import cues, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RECENT = "recent"
_CLAUSE_END = re.compile(r"[,.;:](?=\s)|\s[-—–]\s|[，。；：、]")


class Item:
    """A verbatim statement of `speaker`; `score` orders the items of one rank, highest first."""

    __slots__ = (
        "at",
        "is_carried",
        "is_kept",
        "offset",
        "rank",
        "score",
        "speaker",
        "subject",
        "text",
    )

    def __init__(
        self, rank: str, score: float, text: str, *, speaker: str, at: str | None, offset: int
    ) -> None:
        self.rank = rank
        self.score = score
        self.speaker = speaker  # "user" or "assistant"
        self.at = at  # the agent's own time stamp
        self.offset = offset  # of its line in the transcript, bytes; 0 for words not in it
        self.text = text
        self.is_carried = False  # from the session's previous checkpoint
        self.is_kept = False  # the agent itself keeps its message verbatim
        self.subject: Subject | None = None

    def about(self) -> "Subject":
        """What it is about, worked out once."""
        if self.subject is None:
            self.subject = Subject(self.text)
        return self.subject

    def as_json(self) -> "dict[str, Any]":
        """The item as a checkpoint holds it."""
        return {
            "rank": self.rank,
            "score": round(self.score, 2),
            "speaker": self.speaker,
            "at": self.at,
            "offset": self.offset,
            "is_carried": self.is_carried,
            "is_kept": self.is_kept,
            "text": self.text,
        }


def from_json(content: "dict[str, Any]") -> Item:
    """An item of a verified checkpoint. Raises KeyError, TypeError, ValueError if it is none."""
    if content["rank"] not in cues.RANKS or not isinstance(content["text"], str):
        raise ValueError("no item")
    item = Item(
        content["rank"],
        float(content["score"]),
        content["text"],
        speaker=content["speaker"],
        at=content["at"],
        offset=int(content["offset"]),
    )
    item.is_carried = True
    return item


class Subject:
    """The content words of a statement, its values, and what it takes back.

    `refuted` holds the words of each clause that takes something back; `asserted` the values
    outside of them, if there are any.
    """

    __slots__ = ("asserted", "is_update", "refuted", "values", "words")

    def __init__(self, text: str) -> None:
        found = words.words_of(text)
        self.values = {w.lower for w in found if w.is_value or w.lower in cues.NUMBERS}
        # A name inside a sentence is a value as well: Redis, Frankfurt, Mrs Sato.
        names = {w.stems[0] for w in found[1:] if w.is_name} - cues.STOPSTEMS
        self.words = _content(found) - self.values - names
        self.values |= names
        tokens = [word.lower for word in found]
        self.is_update = cues.UPDATES.occurs_in(tokens)
        self.refuted = _refuted(text) if self.is_update and _may_refute(tokens) else []
        # "Do not plan past March 3" takes no value back: it names its only one.
        self.asserted = self.values.difference(*self.refuted) or self.values


def _content(found: list[words.Word]) -> set[str]:
    return {stem for word in found for stem in word.stems} - cues.STOPSTEMS


def _may_refute(tokens: list[str]) -> bool:
    return cues.REFUTERS.may_occur_in(tokens) or cues.REFUTED_BEFORE.may_occur_in(tokens)


def _refuted(text: str) -> list[set[str]]:
    """Content words in the reach of a refuting phrase: to the next or from the last comma."""
    clauses = [words.words_of(clause) for clause in _CLAUSE_END.split(text)]
    return [found for clause in clauses for found in _refuted_in(clause) if found]


def _refuted_in(clause: list[words.Word]) -> list[set[str]]:
    """By the first such phrase; one that looks both ways refutes either side."""
    tokens = [word.lower for word in clause]
    if not _may_refute(tokens):
        return []
    for index, token in enumerate(tokens):
        if words.is_east_asian(token):
            found = _refuted_by_run(token, clause[:index], clause[index + 1 :])
        else:
            is_behind = cues.REFUTED_BEFORE.length_at(tokens, index) > 0
            found = [_content(clause[:index])] if is_behind else []
            if length := cues.REFUTERS.length_at(tokens, index):
                found.append(_content(clause[index + length :]))
        if found:
            return found
    return []


def _refuted_by_run(run: str, before: list[words.Word], after: list[words.Word]) -> list[set[str]]:
    """The same within a run of East Asian characters and around it."""
    found = [
        _content([*before, *words.words_of(run[:start])])
        for start, end in cues.REFUTED_BEFORE.parts_in(run)[:1]
        if end == len(run)
    ]
    for _, end in cues.REFUTERS.parts_in(run)[-1:]:
        found.append(_content([*words.words_of(run[end:]), *after]))
    return found

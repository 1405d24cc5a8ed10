"""One thing worth quoting, and what is known of it: its rank, its words, what it takes back."""

from compact_guard.hook import cues, refuting, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RECENT = "recent"


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
    """The content words of a statement, its values, and what it takes back."""

    __slots__ = (
        "_asserted",
        "_refutations",
        "_refuted",
        "_text",
        "found",
        "is_update",
        "values",
        "words",
    )

    def __init__(self, text: str) -> None:
        self.found = found = words.words_of(text)
        self._text = text
        self._refutations: list[refuting.Refutation] | None = None
        self._refuted: set[str] = set()
        self._asserted: set[str] = set()
        self.values = {w.stems[0] for w in found if w.is_value or w.stems[0] in cues.NUMBERS}
        # A name inside a sentence is a value as well: Redis, Frankfurt, Mrs Sato.
        names = {w.stems[0] for w in found[1:] if w.is_name} - cues.STOPSTEMS
        if not text.isascii():  # so is a Latin word among others: worker, npm
            names |= {w.stems[0] for w in found if w.lower.isascii() and len(w.lower) > 1}
        self.words = refuting.content(found) - self.values - names
        self.values |= names
        self.is_update = cues.UPDATES.occurs_in([word.lower for word in found])

    @property
    def refutations(self) -> list[refuting.Refutation]:
        """What it takes back, worked out when somebody asks."""
        if self._refutations is None:
            self._refutations = refuting.refutations(self._text, self.found)
            self._refuted.update(*(refutation.words for refutation in self._refutations))
            # "Do not plan past March 3" takes no value back: it names its only one.
            self._asserted = self.values - self._refuted or self.values
        return self._refutations

    @property
    def refuted(self) -> set[str]:
        """All words that it takes back."""
        return self._refuted if self.refutations else set()

    @property
    def asserted(self) -> set[str]:
        """The values outside of what it takes back, if there are any."""
        return self._asserted if self.refutations else self.values

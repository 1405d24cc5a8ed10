"""How many items of a checkpoint the native summary does not contain: a lexical estimate.

An item counts as contained when two neighbouring lines of the summary hold nearly all of its
content words and every value (number, path, identifier). A summary that says the same in other
words is counted as a loss, one that uses the words for something else as none.
"""

from compact_guard.hook import cues
from compact_guard.hook.items import Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONTAINED_SHARE = 0.7
LINES_MAX = 3_000  # of a summary: they have some hundred


def rescued(items: "list[dict[str, Any]]", summary: str) -> "list[dict[str, Any]]":
    """The items that neither the summary nor a message kept verbatim contains, in their order."""
    lines = _Lines(summary)
    return [item for item in items if not item["is_kept"] and not lines.contain(item["text"])]


def count_rescued(items: "list[dict[str, Any]]", summary: str) -> dict[str, int]:
    """How many these are, per rank."""
    counts = dict.fromkeys(cues.RANKS, 0)
    for item in rescued(items, summary):
        counts[item["rank"]] += 1
    return counts


class _Lines:
    def __init__(self, summary: str) -> None:
        self._by_word: dict[str, set[int]] = {}
        lines = [line for line in summary.splitlines() if line.strip()][:LINES_MAX]
        for number, line in enumerate(lines):
            subject = Subject(line)
            for word in subject.words | subject.values:
                # A line counts with the one before it.
                self._by_word.setdefault(word, set()).update((number, number + 1))

    def contain(self, text: str) -> bool:
        subject = Subject(text)
        found: dict[int, int] = {}
        for word in subject.words | subject.values:
            for line in self._by_word.get(word, ()):
                found[line] = found.get(line, 0) + (word in subject.words)
        needed = CONTAINED_SHARE * len(subject.words)
        return any(
            count >= needed and all(line in self._by_word.get(v, ()) for v in subject.values)
            for line, count in found.items()
        )

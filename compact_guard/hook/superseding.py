"""A corrected statement never outlives its correction.

A later statement of the user takes an earlier one away when it takes its words back ("instead of
X", "forget X", "X is gone"), or says something else of the same subject: the same words with
another value. The model's words take nothing away.
"""

from math import log

from compact_guard.hook import cues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compact_guard.hook.items import Item, Subject

SAME_SUBJECT = 0.7  # of the rarer words of the shorter statement: another value replaces the value
SAME_SUBJECT_UPDATED = 0.5  # where the later one says that something changed
SAME_STATEMENT = 0.8  # of all words: a later wording replaces the earlier
_SAME_MIN = min(SAME_SUBJECT, SAME_SUBJECT_UPDATED, SAME_STATEMENT)
SHARED_WORDS_MIN = 2  # one word in common is no subject
COMMON_WORD_COUNT = 40  # a word in more statements than this tells no subject
SURE_COUNT_MIN = 50  # fewer statements than this say little of how rare a word is


def still_valid(items: "list[Item]") -> "list[Item]":
    """The items, oldest first, without those that a later one of the user replaced."""
    history = _History(items)
    for number, item in enumerate(items):
        if item.speaker == "user" and not item.text.endswith(cues.QUESTION_MARKS):
            history.correct(number, item)
        history.remember(number, item)
    return [item for number, item in enumerate(items) if number not in history.gone]


class _History:
    """The statements so far, found by their words; rare words weigh more."""

    def __init__(self, items: "list[Item]") -> None:
        self.gone: set[int] = set()
        self._subjects = [item.about() for item in items]
        self._by_word: dict[str, list[int]] = {}
        counts: dict[str, int] = {}
        for subject in self._subjects:
            for word in subject.words:
                counts[word] = counts.get(word, 0) + 1
        total = max(len(items), SURE_COUNT_MIN)
        self._weights = {word: log(1 + total / count) for word, count in counts.items()}
        self._totals = [
            sum(map(self._weights.__getitem__, subject.words)) for subject in self._subjects
        ]

    def remember(self, number: int, item: "Item") -> None:
        for word in item.about().words | item.about().values:
            self._by_word.setdefault(word, []).append(number)

    def correct(self, number: int, item: "Item") -> None:
        """Mark as gone what the item replaces."""
        for other, shared in self._shared(item).items():
            if other not in self.gone and self._replaces(number, other, shared):
                self.gone.add(other)

    def _shared(self, item: "Item") -> dict[int, float]:
        """The weight of the words in common with each earlier statement that has any."""
        shared: dict[int, float] = {}
        subject = item.about()
        for word in subject.words | subject.values:
            numbers = self._by_word.get(word, ())
            weight = self._weights.get(word, 0.0) if word in subject.words else 0.0
            if len(numbers) <= COMMON_WORD_COUNT or any(word in r for r in subject.refuted):
                for number in numbers:
                    shared[number] = shared.get(number, 0.0) + weight
        return shared

    def _replaces(self, later: int, earlier: int, shared: float) -> bool:
        new, old = self._subjects[later], self._subjects[earlier]
        if new.refuted and _takes_back(new, old):
            return True
        smaller, larger = sorted((self._totals[later], self._totals[earlier]))
        if shared < smaller * _SAME_MIN:
            return False  # nearly always, and told at once
        if old.values <= new.asserted:
            return smaller > 0 and shared >= SAME_STATEMENT * larger
        if new.asserted <= old.values or len(new.words & old.words) < SHARED_WORDS_MIN:
            return False
        if new.is_update:
            return shared >= smaller * SAME_SUBJECT_UPDATED
        # Both name something that the other does not: two services, each with its port.
        is_of_both = new.words - old.words and old.words - new.words
        return shared >= smaller * SAME_SUBJECT and not is_of_both


def _takes_back(new: "Subject", old: "Subject") -> bool:
    """The earlier statement holds what the later one refutes, and something more in common."""
    said = old.words | old.values
    for refuting in new.refuted:
        refuted = refuting & said
        if not refuted or any(refuted & earlier for earlier in old.refuted):
            continue
        is_certain = refuted == refuting or not refuted.isdisjoint(old.values)
        if is_certain and (len(refuted) > 1 or bool((new.words & old.words) - refuted)):
            return True
    return False

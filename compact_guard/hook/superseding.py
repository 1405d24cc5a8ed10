"""A corrected statement never outlives its correction.

A later statement of the user takes an earlier one away when it takes its words back ("instead of
X", "forget X", "X is gone"), or says something else of the same subject: the same words with
another value. The model's words take nothing away.
"""

from math import log

from compact_guard.hook import cues, differing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compact_guard.hook.items import Item, Subject
    from compact_guard.hook.refuting import Refutation

SAME_SUBJECT = 0.7  # of the rarer words of the shorter statement: another value replaces the value
SAME_SUBJECT_UPDATED = 0.5  # where the later one says that something changed
SAME_STATEMENT = 0.8  # of all words: a later wording replaces the earlier
_SAME_MIN = min(SAME_SUBJECT, SAME_SUBJECT_UPDATED, SAME_STATEMENT)
SAME_STATEMENT_UPDATED = 0.6  # of the shorter one's words, where the later one says so
SAME_STATEMENT_EXTENDED = 0.45  # and of the longer one's
WHOLE_WORDS_MIN = 3  # so many words, all said again, are no coincidence
COMMON_WORD_COUNT = 40  # a word in more statements than this tells no subject
SURE_COUNT_MIN = 50  # fewer statements than this say little of how rare a word is
TAKEN_BACK = 0.6  # of what a phrase refutes: "Node 16 in the image" is not Node 16 anywhere
DENIED = 0.75  # of what a phrase only denies
VALUE_NAMED = 0.4  # where a value is among it


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
        self._items = items
        self._subjects = [item.about() for item in items]
        self._by_word: dict[str, list[int]] = {}
        counts: dict[str, int] = {}
        for subject in self._subjects:
            for word in subject.words | subject.values:
                counts[word] = counts.get(word, 0) + 1
        total = max(len(items), SURE_COUNT_MIN)
        self._unseen = log(1 + total)
        self._weights = {word: log(1 + total / count) for word, count in counts.items()}
        self._totals = [self._weight(subject.words) for subject in self._subjects]

    def _weight(self, found: set[str]) -> float:
        return sum(self._weights.get(word, self._unseen) for word in found)

    def remember(self, number: int, item: "Item") -> None:
        for word in item.about().words | item.about().values:
            self._by_word.setdefault(word, []).append(number)

    def correct(self, number: int, item: "Item") -> None:
        """Mark as gone what the item replaces."""
        taken_back = self._touched(item.about())
        for other, shared in self._shared(item.about()).items():
            if other in self.gone:
                continue
            is_taken_back = other in taken_back and self._takes_back(number, other)
            if is_taken_back or self._replaces(number, other, shared):
                self.gone.add(other)
                _inherit(item, self._items[other])

    def _touched(self, subject: "Subject") -> set[int]:
        """The earlier statements that hold a word of what it takes back."""
        if not subject.refutations:
            return set()
        return {number for word in subject.refuted for number in self._by_word.get(word, ())}

    def _shared(self, subject: "Subject") -> dict[int, float]:
        """The weight of what each earlier statement has in common with it, if it has anything."""
        shared: dict[int, float] = {}
        for word in subject.words | subject.values:
            numbers = self._by_word.get(word, ())
            if len(numbers) <= COMMON_WORD_COUNT or word in subject.refuted:
                weight = self._weights[word]
                for number in numbers:
                    shared[number] = shared.get(number, 0.0) + weight
        return shared

    def _replaces(self, later: int, earlier: int, shared: float) -> bool:
        smaller, larger = sorted((self._totals[later], self._totals[earlier]))
        if smaller == 0 or shared < smaller * _SAME_MIN:
            return False  # nearly always, and told at once
        new, old = self._subjects[later], self._subjects[earlier]
        named = self._weight(new.values & old.values)  # part of the subject, then
        of_smaller, of_larger = shared / (smaller + named), shared / (larger + named)
        if old.values <= new.asserted:
            return _is_restated(new, old, of_smaller, of_larger)
        if of_smaller < SAME_SUBJECT and not new.is_update:
            return False
        return of_smaller >= SAME_SUBJECT_UPDATED and differing.has_other_value(
            new, old, is_close=of_smaller >= SAME_SUBJECT
        )

    def _takes_back(self, later: int, earlier: int) -> bool:
        new, old = self._subjects[later], self._subjects[earlier]
        return any(self._is_refuted(refutation, new, old) for refutation in new.refutations)

    def _is_refuted(self, refuted: "Refutation", new: "Subject", old: "Subject") -> bool:
        """The earlier statement holds what the later one refutes, and something more in common."""
        said = old.words | old.values
        found = refuted.words & said
        if not found or found & old.refuted:
            return False
        is_value = not found.isdisjoint(old.values)
        if not _is_replacing(refuted, found, new, old):
            return False
        share = VALUE_NAMED if is_value else TAKEN_BACK if refuted.is_sure else DENIED
        return any(
            self._weight(reach & said) >= share * self._weight(reach)
            for reach in (refuted.words, refuted.wider)
        )


def _is_replacing(refuted: "Refutation", found: set[str], new: "Subject", old: "Subject") -> bool:
    """More than one word in common, or all that the earlier statement names."""
    is_value = not found.isdisjoint(old.values)
    beside = (new.words | new.values) - new.refuted - refuted.doubted
    if not beside.isdisjoint(old.words | old.values):
        return True
    if refuted.doubted:
        # "D3 is overkill, Chart.js does it": a value for a value.
        return is_value and not beside.isdisjoint(new.values)
    if len(found - old.values) + is_value > 1:
        return True
    # "Swap flake8 for ruff"
    return refuted.is_sure and is_value and old.values <= found


def _inherit(item: "Item", replaced: "Item") -> None:
    """What takes the place of a rule is one, however it is worded."""
    if replaced.speaker == "user":
        item.rank = min(item.rank, replaced.rank, key=cues.RANKS.index)
        item.score = max(item.score, replaced.score)


def _is_restated(new: "Subject", old: "Subject", of_smaller: float, of_larger: float) -> bool:
    """In other words, or with other words by somebody who says that something changed."""
    if of_larger >= SAME_STATEMENT:
        return True
    if not old.refuted.isdisjoint(new.words):
        return False  # a ban is lifted by words that say so, and two bans add up
    if len(old.words) >= WHOLE_WORDS_MIN and old.words <= new.words and new.values - old.values:
        return True  # it says all of the earlier one, and more
    is_like = of_smaller >= SAME_STATEMENT_UPDATED and of_larger >= SAME_STATEMENT_EXTENDED
    return is_like and new.is_update and not differing.are_contrasted(new, old)

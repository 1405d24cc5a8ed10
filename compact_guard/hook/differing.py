"""How two statements on one subject differ: in the value, or in what they are about.

"The limit is 250" takes the place of "the limit is 100"; the timeout for writes takes nothing
from the timeout for reads.
"""

from itertools import pairwise

from compact_guard.hook import cues, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from compact_guard.hook.items import Subject
    from compact_guard.hook.words import Word

    _Runs = Sequence[list[str]]

SHARED_WORDS_MIN = 2  # one word in common is no subject
_VERB_ENDINGS = ("ет", "ёт", "ит", "ут", "ют", "ат", "ят", "ем", "им", "ла", "ло", "ли", "ть")
_ADJECTIVE_ENDINGS = ("ий", "ый", "ой", "ая", "яя", "ое", "ее")


def has_other_value(new: "Subject", old: "Subject", *, is_close: bool) -> bool:
    """The later one gives the same thing another value; `is_close` if nearly all words agree."""
    if new.asserted <= old.values:
        return False
    new_runs = _runs(new.found, new.asserted - old.values)
    old_runs = _runs(old.found, old.values - new.values)
    # "Shift it to Mondays": a day for a day.
    is_alike = new.is_update and not any(map(_is_named, [*new_runs, *old_runs]))
    shared = len(new.words & old.words) + len(new.values & old.values) + is_alike
    if shared < SHARED_WORDS_MIN or _are_two_things(new_runs, old_runs):
        return False
    if new.is_update and _are_of_one_kind(new_runs, old_runs):
        return not are_contrasted(new, old, new_runs, old_runs)
    # Both name something that the other does not: two services, each with its port.
    is_of_new = new.words - old.words or _names_besides(new_runs)
    is_of_old = old.words - new.words or _names_besides(old_runs)
    return is_close and not (is_of_new and is_of_old)


def _are_two_things(new_runs: "_Runs", old_runs: "_Runs") -> bool:
    """Each names a thing besides its value: orders-api and billing-api, each with a limit."""
    return bool(_names_besides(new_runs) and _names_besides(old_runs))


def _names_besides(runs: "_Runs") -> set[str]:
    """What is named besides the value: orders-api, in words on its limit."""
    if len(runs) < 2:
        return set()
    return {value for run in runs if _is_named(run) for value in run}


def _are_of_one_kind(new_runs: "_Runs", old_runs: "_Runs") -> bool:
    new_kinds, old_kinds = ({_kind(run[0]) for run in runs} for runs in (new_runs, old_runs))
    return not new_kinds.isdisjoint(old_kinds)


def _kind(value: str) -> str:
    if _is_number(value):
        return "number"
    return next((mark for mark in "/@" if mark in value), "name")


def _is_named(run: list[str]) -> bool:
    return not any(map(_is_number, run))


def _is_number(value: str) -> bool:
    return value[0].isdigit() or value in cues.NUMBERS


def _runs(found: "list[Word]", values: set[str]) -> list[list[str]]:
    """Values of one kind that stand side by side are one: March 3, Mrs Sato."""
    runs: list[list[str]] = []
    is_open = False
    for word in found:
        value = word.stems[0]
        if value not in values:
            is_open = is_open and len(value) == 1 and words.is_east_asian(value)
        elif is_open and _is_number(value) == _is_number(runs[-1][-1]):
            runs[-1].append(value)
        else:
            runs.append([value])
            is_open = True
    return runs


def are_contrasted(
    new: "Subject", old: "Subject", new_runs: "_Runs" = (), old_runs: "_Runs" = ()
) -> bool:
    """Reads and writes: different words in the same place beside a word in common."""
    only_new = new.words - old.words | _names_besides(new_runs)
    only_old = old.words - new.words | _names_besides(old_runs)
    if not only_new or not only_old:
        return False
    return not _places(new.found, only_new).isdisjoint(_places(old.found, only_old))


def _places(found: "list[Word]", wanted: set[str]) -> set[tuple[str, str]]:
    """What stands right before and right behind the wanted words."""
    places: set[tuple[str, str]] = set()
    for before, behind in pairwise(found):
        # "For reads", "таймаут чтения"
        is_topic = before.stems[0] in cues.STOPSTEMS or _may_be_genitive(behind.lower)
        if behind.stems[0] in wanted and is_topic:
            places.add(("before", before.lower))
        # "Read timeout"
        if before.stems[0] in wanted and behind.lower.isascii():
            places.add(("behind", behind.lower))
    return places


def _may_be_genitive(word: str) -> bool:
    return not word.isascii() and not word.endswith(_VERB_ENDINGS + _ADJECTIVE_ENDINGS)

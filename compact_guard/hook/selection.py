"""Fill the room of a checkpoint in the order of rank, and count what did not fit."""

from compact_guard.hook import cues, injection
from compact_guard.hook.items import RECENT
from compact_guard.hook.limits import (
    RESERVE_UNITS_MAX,
    SHARE_OF_ANSWERED_DECISIONS,
    SHARE_OF_EVIDENCE,
    SHARE_OF_RECENT,
    SHARE_OF_TASKS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from compact_guard.hook.items import Item

RULES = cues.RANKS[:3]  # what holds until it is taken back
STRONG_MIN = 3.5  # a cued rule below it competes by its score, whatever its rank
_ANSWERED = "decisions of the model"
_SHARES = {
    _ANSWERED: SHARE_OF_ANSWERED_DECISIONS,
    "tasks": SHARE_OF_TASKS,
    "evidence": SHARE_OF_EVIDENCE,
    RECENT: SHARE_OF_RECENT,
}


class Selection:
    """`kept` goes into the injected text, `reserve` waits for a later compaction."""

    def __init__(self, room: int, length: "Callable[[str], int]") -> None:
        self.kept: list[Item] = []
        self.reserve: list[Item] = []
        self.count_dropped = 0
        self.room = room
        self._length = length

    def cost(self, item: "Item") -> int:
        """What the item takes of the room, its head included."""
        return self._length(injection.block(item.speaker, item.at, item.text))

    def fill(self, items: "Iterable[Item]", held: int) -> "list[Item]":
        """Keep what fits, in the order given, and leave `held` of the room; returns the rest."""
        left: list[Item] = []
        for item in items:
            cost = self.cost(item)
            if cost > self.room - held:
                left.append(item)
                continue
            self.room -= cost
            self.kept.append(item)
        return left

    def put_by(self, items: "Iterable[Item]") -> None:
        """The best of what did not fit stays in the checkpoint without being injected."""
        room = RESERVE_UNITS_MAX
        for item in items:
            cost = self.cost(item)
            if item.rank == RECENT or cost > room:
                self.count_dropped += 1
                continue
            room -= cost
            self.reserve.append(item)


def select(items: "list[Item]", room: int, length: "Callable[[str], int]") -> Selection:
    """The items worth the room, given oldest first; `kept` is in the order of reading."""
    selection = Selection(room, length)
    groups = _groups(items)
    held = {
        name: min(int(room * share), sum(map(selection.cost, groups[name])))
        for name, share in _SHARES.items()
    }
    left = selection.fill(_rules(items), sum(held.values()))
    for name, group in groups.items():
        del held[name]
        left += selection.fill(group, sum(held.values()))
    selection.put_by(selection.fill(left, 0))
    order = {item: number for number, item in enumerate(items)}
    selection.kept.sort(key=lambda item: (cues.RANKS.index(item.rank), order[item]))
    return selection


def _rules(items: "list[Item]") -> "list[Item]":
    """The user's: sure ones in the order of rank, then the others, the most telling first.

    What the agent keeps verbatim itself comes last among its equals, the newer first.
    """
    rules = [item for item in reversed(items) if item.rank in RULES and item.speaker == "user"]
    rules.sort(key=lambda item: -item.score)
    sure = [item for item in rules if item.score >= STRONG_MIN]
    sure.sort(key=lambda item: (RULES.index(item.rank), item.is_kept))
    return sure + [item for item in rules if item.score < STRONG_MIN]


def _groups(items: "list[Item]") -> "dict[str, list[Item]]":
    """The others by what they share the room as: the newest recent ones, the best of the rest."""
    groups: dict[str, list[Item]] = {name: [] for name in _SHARES}
    for item in reversed(items):
        if item.rank not in RULES:
            groups[item.rank].append(item)
        elif item.speaker != "user":
            groups[_ANSWERED].append(item)
    for name in ("tasks", "evidence"):
        groups[name].sort(key=lambda item: (item.speaker != "user", -item.score))
    groups[_ANSWERED].sort(key=lambda item: -item.score)
    groups[RECENT].sort(key=lambda item: item.is_kept)
    return groups

"""Words that say nothing without what was typed just before: "scrap that", "make it 3".

Such a correction is quoted together with what it corrects, for neither may stand alone.
"""

from compact_guard.hook import cues, words
from compact_guard.hook.items import RECENT
from compact_guard.hook.limits import ITEM_UNITS_MAX
from compact_guard.hook.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compact_guard.hook.items import Item

_OPENING_TOKENS_MAX = 4  # "Hmm no wait, make it 3"
_OPENING_CHARS = 16
_MARKS = ",.!:;，。！：；"
_OPENING = (cues.ELLIPSES, cues.BARE_CORRECTIONS, cues.OPENERS, cues.ACKNOWLEDGEMENTS)
_FIRST_WORDS = frozenset[str]().union(*(listed.first_words() for listed in _OPENING))
_BARE_CHARS_MAX = 8  # of its stems: one word, or two short ones, once the subject is understood
_TEXT_CHARS_MAX = 280  # a longer message says itself what it is about


def resolved(items: "list[Item]") -> "list[Item]":
    """The items, oldest first, with such corrections joined to what the user typed before them."""
    gone: set[int] = set()
    before: list[Item] = []
    message: list[Item] = []
    for item in items:
        if item.speaker != "user":
            continue
        if message and item.offset != message[-1].offset:
            before, message = message, []
        if not message and _matters(item, before) and _is_elliptic(item):
            gone.add(id(_join(item, before)))
        message.append(item)
    return [item for item in items if id(item) not in gone] if gone else items


def _matters(item: "Item", before: "list[Item]") -> bool:
    """Small talk behind small talk is quoted in its order, if at all."""
    return bool(before) and (item.rank != RECENT or any(each.rank != RECENT for each in before))


def _is_elliptic(item: "Item") -> bool:
    text = item.text
    if len(text) > _TEXT_CHARS_MAX or text.endswith(cues.QUESTION_MARKS):
        return False
    first = text[:_OPENING_CHARS].split(None, 1)[0].rstrip(_MARKS).lower()
    if first not in _FIRST_WORDS and not words.is_east_asian(first or " "):
        return False  # nearly always, and told at once
    tokens = [word.lower for word in words.words_of(text)]
    rests = [tokens[start:] for start in _starts(tokens)]
    is_bare = not any(map(cues.ELLIPSES.begins, rests))
    if is_bare and not (any(map(cues.BARE_CORRECTIONS.begins, rests)) and _is_bare(item)):
        return False
    return not all(map(cues.ACKNOWLEDGEMENTS.holds, tokens))


def _is_bare(item: "Item") -> bool:
    return sum(map(len, item.about().words)) <= _BARE_CHARS_MAX


def _starts(tokens: list[str]) -> list[int]:
    """Where the correction may begin: behind what only opens it."""
    starts = [0]
    for index, token in enumerate(tokens[:_OPENING_TOKENS_MAX]):
        if not cues.ACKNOWLEDGEMENTS.holds(token) and not cues.OPENERS.begins([token]):
            break
        starts.append(index + 1)
    return starts


def _join(item: "Item", before: "list[Item]") -> "Item | None":
    """Quote with it what it corrects; None if it names its subject itself."""
    rules = [earlier for earlier in before if earlier.rank != RECENT] or before
    corrected = rules[-1]
    if not item.about().words.isdisjoint(corrected.about().words):
        return None
    item.rank = min(item.rank, corrected.rank, key=cues.RANKS.index)
    item.score = max(item.score, corrected.score)
    item.text = cut(f"{corrected.text}\n  → {item.text}", ITEM_UNITS_MAX)[0]
    item.subject = None
    return corrected

"""Where the secrets of one text are. Rules are anchored at plain strings and bounded behind them,
so that any input costs linear time and a pattern is only compiled when its anchor occurs.
"""

from functools import lru_cache  # `re` has imported it anyway

from compact_guard.hook import (
    redaction_calls,
    redaction_commands,
    redaction_cues,
    redaction_encoded,
    redaction_names,
    redaction_nearby,
    redaction_numbers,
    redaction_pem,
    redaction_phrases,
    redaction_positions,
    redaction_structures,
    redaction_tables,
    redaction_told,
    redaction_unnamed,
    redaction_values,
    redaction_vendors,
    redaction_words,
)
from compact_guard.hook.redaction_anchors import Anchors, Index, Vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from compact_guard.hook.redaction import Span

EVERY = Anchors()
# Where nothing announces a secret, it is one unbroken word of this length: a token, base64.
UNANNOUNCED_CHARS_MIN = 12
_PLACES_MAX = 20  # of a cue in a text: whoever repeats it that often means it
_FAMILIES = (
    redaction_structures,
    redaction_commands,
    redaction_phrases,
    redaction_numbers,
    redaction_positions,
    redaction_calls,
    redaction_told,
)
_CUES = (
    ((redaction_words.LATIN,),),
    ((redaction_words.FOREIGN,),),
    ((redaction_unnamed.HINTS,),),
)
# Where none of their anchors is, only what tells by itself can be a secret.
TABLES = (
    redaction_pem.TABLE,
    redaction_vendors.TABLE,
    redaction_encoded.TABLE,
    *(family.TABLE for family in _FAMILIES),
    *_CUES,
    ((redaction_values.MEDIA,),),
)


def vocabulary(texts: "Iterable[str]") -> Vocabulary:
    """What the words of some texts tell of them."""
    return Vocabulary(_index(), _telling, texts)


@lru_cache(maxsize=1)
def _index() -> Index:
    return Index(TABLES)


def _telling(words: "Iterable[str]") -> "Iterator[str]":
    """The words that may be a secret though nothing announces them."""
    row = " ".join(["", *(word for word in words if len(word) >= UNANNOUNCED_CHARS_MIN), ""])
    start = end = 0
    for find in (redaction_vendors.telling, redaction_encoded.telling):
        for place in find(row):
            if not start <= place < end:  # of a long word, which may hold thousands
                start, end = row.rfind(" ", 0, place) + 1, row.find(" ", place)
                yield row[start:end]


def spans_in(text: str, present: Anchors = EVERY) -> "list[Span]":
    """Secrets as `(start, end, kind)`, in no order, possibly overlapping.

    `present`: the anchors that can occur in the text.
    """
    if present.tell_nothing:
        return []
    spans = _plain_spans(text, present)
    lowered = _lowered(text)
    # What base64 holds can have any anchor.
    spans += redaction_encoded.spans_in(text, lowered, present, _plain_spans)
    return spans


def _plain_spans(text: str, present: Anchors = EVERY) -> "list[Span]":
    lowered = _lowered(text)
    spans = [*redaction_pem.spans_in(text), *redaction_vendors.spans_in(text, present)]
    for family in _FAMILIES:
        if present.may_be_in(family.TABLE):
            spans += family.spans_in(text, lowered, present)
    if not any(map(present.may_be_in, _CUES)) and "0x" not in lowered:
        return spans
    cues = tuple(filter(lowered.__contains__, present.words(redaction_words.LATIN)))
    if not text.isascii():
        foreign = present.words(redaction_words.FOREIGN)
        cues += tuple(filter(lowered.__contains__, foreign))
    if "0x" in lowered:
        spans += redaction_unnamed.chain_keys(text, lowered)
    has_hints = any(map(lowered.__contains__, present.words(redaction_unnamed.HINTS)))
    said = tuple(cue for cue in cues if _is_said(text, lowered, cue))
    if said or has_hints:
        spans += redaction_names.spans_in(text, lowered, said)
        spans += redaction_tables.spans_in(text, lowered, said)
    # What is masked may have been all that made a cue a part of another word.
    announcing = cues if spans else said
    if announcing or has_hints:
        found = [(start, end) for start, end, _ in spans]
        unread, low = masked(text, found), masked(lowered, found)
        spans += redaction_nearby.spans_in(unread, low, announcing, has_hints)
    return spans


def _is_said(text: str, lowered: str, cue: str) -> bool:
    """False if the cue is nowhere more than a part of another word, as far as is looked."""
    at = lowered.find(cue)
    for _ in range(_PLACES_MAX):
        if at < 0 or redaction_cues.is_cue(text, lowered, cue, at):
            return at >= 0
        at = lowered.find(cue, at + 1)
    return True


def _lowered(text: str) -> str:
    """In lower case, every letter where it was."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def masked(text: str, stretches: "Iterable[tuple[int, int]]") -> str:
    """The text with stretches, which may overlap, made unreadable; every offset stays."""
    pieces, position = [], 0
    for start, end in sorted(stretches):
        if end > position:
            begin = max(start, position)
            pieces += [text[position:begin], redaction_values.MASK * (end - begin)]
            position = end
    return "".join([*pieces, text[position:]]) if pieces else text

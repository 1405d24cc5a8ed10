"""Where the secrets of one text are. Rules are anchored at plain strings and bounded behind them,
so that any input costs linear time and a pattern is only compiled when its anchor occurs.
"""

from compact_guard.hook import (
    redaction_commands,
    redaction_encoded,
    redaction_names,
    redaction_nearby,
    redaction_pem,
    redaction_phrases,
    redaction_structures,
    redaction_tables,
    redaction_unnamed,
    redaction_values,
    redaction_vendors,
    redaction_words,
)
from compact_guard.hook.redaction_anchors import Anchors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from compact_guard.hook.redaction import Span

EVERY = Anchors()
# Where nothing announces a secret, it is one unbroken word of this length: a token, base64.
UNANNOUNCED_CHARS_MIN = 12
_CUES = ((redaction_words.LATIN,), (redaction_words.FOREIGN,), (redaction_unnamed.HINTS,))
_ANNOUNCEMENTS = (
    *redaction_pem.TABLE,
    *redaction_structures.TABLE,
    *redaction_commands.TABLE,
    *redaction_phrases.TABLE,
    *redaction_encoded.TABLE,
    *_CUES,
)


def is_plain(text: str, present: Anchors) -> bool:
    """True if no rule can find anything in the text, told by its words alone."""
    words = text.lower().split()
    if max(map(len, words), default=0) >= UNANNOUNCED_CHARS_MIN:
        return False
    return not present.may_be_in(words, _ANNOUNCEMENTS)


def spans_in(text: str, present: Anchors = EVERY) -> "list[Span]":
    """Secrets as `(start, end, kind)`, in no order, possibly overlapping.

    `present`: the anchors that can occur in the text, from all texts that are redacted with it.
    """
    spans = _plain_spans(text, present)
    lowered = _lowered(text)
    # What base64 holds can have any anchor.
    spans += redaction_encoded.spans_in(text, lowered, present, _plain_spans)
    return spans


def _plain_spans(text: str, present: Anchors = EVERY) -> "list[Span]":
    lowered = _lowered(text)
    words = lowered.split()
    spans = [*redaction_pem.spans_in(text), *redaction_vendors.spans_in(text, present)]
    for family in (redaction_structures, redaction_commands, redaction_phrases):
        if present.may_be_in(words, family.TABLE):
            spans += family.spans_in(text, lowered, present)
    if not present.may_be_in(words, _CUES) and "0x" not in lowered:
        return spans
    cues = tuple(filter(lowered.__contains__, present.words(redaction_words.LATIN)))
    if not text.isascii():
        foreign = present.words(redaction_words.FOREIGN)
        cues += tuple(filter(lowered.__contains__, foreign))
    if "0x" in lowered:
        spans += redaction_unnamed.chain_keys(text, lowered)
    has_hints = any(map(lowered.__contains__, present.words(redaction_unnamed.HINTS)))
    if cues or has_hints:
        spans += redaction_names.spans_in(text, lowered, cues)
        spans += redaction_tables.spans_in(text, lowered, cues)
        found = [(start, end) for start, end, _ in spans]
        unread, low = masked(text, found), masked(lowered, found)
        spans += redaction_nearby.spans_in(unread, low, cues, has_hints)
    return spans


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

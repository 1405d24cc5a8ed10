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


def spans_in(text: str, present: Anchors = EVERY) -> "list[Span]":
    """Secrets as `(start, end, kind)`, in no order, possibly overlapping.

    `present`: the anchors that can occur in the text, from all texts that are redacted with it.
    """
    lowered = _lowered(text)
    # What base64 holds can have any anchor.
    encoded = redaction_encoded.spans_in(text, lowered, present, _plain_spans)
    return [*_plain_spans(text, present), *encoded]


def _plain_spans(text: str, present: Anchors = EVERY) -> "list[Span]":
    lowered = _lowered(text)
    spans = [
        *redaction_pem.spans_in(text),
        *redaction_vendors.spans_in(text, present),
        *redaction_structures.spans_in(text, lowered, present),
        *redaction_commands.spans_in(text, lowered, present),
        *redaction_phrases.spans_in(text, lowered, present),
    ]
    cues = tuple(cue for cue in present.words(redaction_words.LATIN) if cue in lowered)
    if not text.isascii():
        foreign = present.words(redaction_words.FOREIGN)
        cues += tuple(cue for cue in foreign if cue in lowered)
    if cues:
        spans += redaction_names.spans_in(text, lowered, cues)
        found = [(start, end) for start, end, _ in spans]
        spans += redaction_nearby.spans_in(masked(text, found), masked(lowered, found), cues)
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

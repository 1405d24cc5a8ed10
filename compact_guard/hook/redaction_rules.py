"""Where the secrets of one text are. Rules are anchored at plain strings and bounded behind them,
so that any input costs linear time and a pattern is only compiled when its anchor occurs.
"""

from compact_guard.hook import (
    redaction_names,
    redaction_nearby,
    redaction_pem,
    redaction_structures,
    redaction_values,
    redaction_vendors,
    redaction_words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from compact_guard.hook.redaction import Span


def spans_in(text: str) -> "list[Span]":
    """Secrets as `(start, end, kind)`, in no order, possibly overlapping."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
    spans = [
        *redaction_pem.spans_in(text),
        *redaction_vendors.spans_in(text),
        *redaction_structures.spans_in(text, lowered),
    ]
    cues = tuple(cue for cue in redaction_words.LATIN if cue in lowered)
    if not text.isascii():
        cues += tuple(cue for cue in redaction_words.FOREIGN if cue in lowered)
    if cues:
        spans += redaction_names.spans_in(text, lowered, cues)
        found = [(start, end) for start, end, _ in spans]
        spans += redaction_nearby.spans_in(masked(text, found), masked(lowered, found), cues)
    return spans


def masked(text: str, stretches: "Iterable[tuple[int, int]]") -> str:
    """The text with stretches, which may overlap, made unreadable; every offset stays."""
    pieces, position = [], 0
    for start, end in sorted(stretches):
        if end > position:
            begin = max(start, position)
            pieces += [text[position:begin], redaction_values.MASK * (end - begin)]
            position = end
    return "".join([*pieces, text[position:]]) if pieces else text

"""Take secrets out of texts before anything touches the disk.

Every text is redacted whole or not at all: an exception in a rule costs that text, never a leak.
"""

from compact_guard.hook import redaction_rules, redaction_views

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Span = tuple[int, int, str]

ECHO_CHARS_MIN = 8  # shorter values would take harmless words with them
ECHO_VALUES_MAX = 200  # each costs one pass over every text


class Redacted:
    """`texts` in the order given, None for one that could not be redacted; counts for the log."""

    def __init__(self) -> None:
        self.texts: list[str | None] = []
        self.count_redactions = 0
        self.count_failures = 0


def redact_all(texts: "Iterable[str]") -> Redacted:
    """Redact texts together: a secret named in one is removed where it stands bare in another."""
    redacted = Redacted()
    values: dict[str, str] = {}
    for text in texts:
        try:
            spans = find_spans(text)
            values.update(_echo_values(text, spans))
            redacted.count_redactions += len(spans)
            redacted.texts.append(_replaced(text, spans))
        except Exception:
            redacted.count_failures += 1
            redacted.texts.append(None)
    for value, kind in sorted(values.items(), key=lambda item: -len(item[0]))[:ECHO_VALUES_MAX]:
        for index, clean in enumerate(redacted.texts):
            if clean is not None and value in clean:
                redacted.count_redactions += clean.count(value)
                redacted.texts[index] = clean.replace(value, placeholder(kind))
    return redacted


def redact(text: str) -> str:
    """One text on its own. Raises whatever a rule raises: the caller must then drop the text."""
    spans = find_spans(text)
    clean = _replaced(text, spans)
    for value, kind in _echo_values(text, spans).items():
        clean = clean.replace(value, placeholder(kind))
    return clean


def placeholder(kind: str) -> str:
    """What stands where a secret stood; tells nothing of it but its kind."""
    return f"[redacted:{kind}]"


def find_spans(text: str) -> list[Span]:
    """Secrets as merged, ordered `(start, end, kind)`, none of them touching a placeholder."""
    spans = list(redaction_rules.spans_in(text))
    view = redaction_views.plain_view(text)
    if view is not None:
        spans += [
            (view.source_start(start), view.source_end(end), kind)
            for start, end, kind in redaction_rules.spans_in(view.text)
        ]
    marks = _placeholder_spans(text) if "[redacted:" in text else []
    return _merged([span for span in spans if not _touches(span, marks)])


def _placeholder_spans(text: str) -> list[tuple[int, int]]:
    found, start = [], text.find("[redacted:")
    while start >= 0:
        end = text.find("]", start, start + 40)
        if end >= 0:
            found.append((start, end + 1))
        start = text.find("[redacted:", start + 1)
    return found


def _touches(span: Span, marks: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in marks)


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], end), before[2])
        elif end > start:
            merged.append((start, end, kind))
    return merged


def _replaced(text: str, spans: list[Span]) -> str:
    pieces, position = [], 0
    for start, end, kind in spans:
        pieces += [text[position:start], placeholder(kind)]
        position = end
    return "".join([*pieces, text[position:]])


def _echo_values(text: str, spans: list[Span]) -> dict[str, str]:
    """Values worth looking for elsewhere, in the spellings they may have there."""
    values: dict[str, str] = {}
    for start, end, kind in spans:
        value = text[start:end]
        if len(value) < ECHO_CHARS_MIN or value.isspace() or "[redacted:" in value:
            continue
        if not any(letter.isspace() for letter in value):
            values[value] = kind
            values[redaction_views.percent_encoded(value)] = kind
    return values

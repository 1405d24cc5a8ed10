"""Take secrets out of texts before anything touches the disk.

Every text is redacted whole or not at all: an exception in a rule costs that text, never a leak.
"""

from compact_guard.hook import (
    redaction_library,
    redaction_public,
    redaction_rules,
    redaction_values,
    redaction_views,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from compact_guard.hook.redaction_anchors import Anchors, Vocabulary

Span = tuple[int, int, str]

_TOKEN = "[A-Za-z0-9]{1,65536}"
_MARK = "[redacted:"
_MARK_CHARS_MAX = 40
_WORD_CHARS_MAX = 24
PASSES_MAX = 6  # two are the rule: what a placeholder uncovers, and nothing more
ECHO_CHARS_MIN = 8  # shorter values would take harmless words with them
ECHO_VALUES_MAX = 200  # each costs one pass over every text


class Unstable(Exception):
    """Every pass over the text finds something more: it cannot be called redacted."""


class Redacted:
    """`texts` in the order given, None for one that could not be redacted; counts for the log."""

    def __init__(self) -> None:
        self.texts: list[str | None] = []
        self.count_redactions = 0
        self.count_failures = 0
        self.vocabulary: Vocabulary | None = None  # of the texts: most words come again


def redact_all(texts: "Iterable[str]") -> Redacted:
    """Redact texts together: a secret named in one is removed where it stands bare in another."""
    redacted = Redacted()
    values: dict[str, str] = {}
    texts = list(texts)
    redacted.vocabulary = vocabulary = redaction_rules.vocabulary(texts)
    for text in texts:
        try:
            clean, count = _fixed_point(text, values, vocabulary)
        except Exception:
            redacted.count_failures += 1
            redacted.texts.append(None)
            continue
        redacted.count_redactions += count
        redacted.texts.append(clean)
    for index, found in enumerate(redacted.texts if values else ()):
        if found is None:
            continue
        try:
            redacted.texts[index], count = _without_echoes(found, values, vocabulary)
            redacted.count_redactions += count
        except Exception:
            redacted.count_failures += 1
            redacted.texts[index] = None
    return redacted


def redact(text: str, vocabulary: "Vocabulary | None" = None) -> str:
    """One text on its own. Raises whatever a rule raises: the caller must then drop the text.

    `vocabulary`: of texts whose words it repeats; learns those that it does not.
    """
    values: dict[str, str] = {}
    vocabulary = vocabulary or redaction_rules.vocabulary([])
    clean, _ = _fixed_point(text, values, vocabulary)
    return _without_echoes(clean, values, vocabulary)[0]


def _fixed_point(text: str, values: dict[str, str], vocabulary: "Vocabulary") -> tuple[str, int]:
    """The text in which nothing more is found, and how many spans were; `values` learns them."""
    count = 0
    for _ in range(PASSES_MAX):
        spans = find_spans(text, vocabulary)
        if not spans:
            return text, count
        values.update(_echo_values(text, spans))
        text = _replaced(text, spans)
        count += len(spans)
    raise Unstable


def _without_echoes(text: str, values: dict[str, str], vocabulary: "Vocabulary") -> tuple[str, int]:
    """The text without the values that were found here or elsewhere, again a fixed point."""
    count = 0
    longest_first = sorted(values.items(), key=lambda item: -len(item[0]))[:ECHO_VALUES_MAX]
    for value, kind in longest_first:
        if value in text:
            count += text.count(value)
            text = text.replace(value, placeholder(kind))
    return _fixed_point(text, {}, vocabulary)[0] if count else text, count


def placeholder(kind: str) -> str:
    """What stands where a secret stood; tells nothing of it but its kind."""
    return f"[redacted:{kind}]"


def find_spans(text: str, vocabulary: "Vocabulary | None" = None) -> list[Span]:
    """Secrets as merged, ordered `(start, end, kind)`, none of them touching a placeholder.

    `vocabulary`: what words tell of a text; without it every rule is tried.
    """
    look = vocabulary.look if vocabulary is not None else _every_anchor
    present = look(text)
    is_plain = present.tell_nothing and redaction_views.is_plain(text)
    if is_plain and not redaction_library.is_used():
        return []
    public = list(redaction_public.public_spans(text, present))
    marks = sorted([*placeholder_spans(text), *public])
    readable = redaction_rules.masked(text, marks)
    # A placeholder ends a word that may be a token, and has no anchor when it is masked.
    present = look(readable) if public else present
    spans = [*redaction_rules.spans_in(readable, present), *redaction_library.spans_in(readable)]
    view = redaction_views.plain_view(readable)
    if view is not None:
        spans += [
            (_behind_word(text, view.source_start(start)), view.source_end(end), kind)
            for start, end, kind in redaction_rules.spans_in(view.text, look(view.text))
            if end > start and redaction_views.GAP not in view.text[start:end]
        ]
    whole = [(start, _token_end(readable, end), kind) for start, end, kind in spans]
    found = _between(_merged(whole), marks)
    return [span for span in found if not text[span[0] : span[1]].isspace()]


def _every_anchor(_: str) -> "Anchors":
    return redaction_rules.EVERY


def _behind_word(text: str, start: int) -> int:
    """A word or a name ends with its line, and is no part of a token in the next one."""
    end = text.find("\n", start, start + _WORD_CHARS_MAX)
    head = text[start : max(end, start)]
    is_constant = "_" in head and head.isupper() and head.replace("_", "").isalpha()
    word = head.replace("-", "").replace("/", "")
    return end + 1 if is_constant or (word.isalpha() and word.islower()) else start


def _token_end(text: str, end: int) -> int:
    """Every rule is bounded; what is longer goes whole, or its rest would look like a secret."""
    if not text[end - 1 : end].isalnum():
        return end
    while (rest := redaction_values.compiled(_TOKEN).match(text, end)) is not None:
        end = rest.end()
    return end


def placeholder_spans(text: str) -> list[tuple[int, int]]:
    """Where placeholders stand, as `(start, end)`: nobody may cut a text inside of one."""
    found, start = [], text.find(_MARK)
    while start >= 0:
        end = text.find("]", start + len(_MARK), start + _MARK_CHARS_MAX)
        kind = text[start + len(_MARK) : end]
        if end >= 0 and kind.replace("-", "").isalnum() and kind.isascii():
            found.append((start, end + 1))
        start = text.find(_MARK, start + 1)
    return found


def _between(spans: list[Span], marks: list[tuple[int, int]]) -> list[Span]:
    """Spans without the placeholders in them."""
    if not marks:
        return spans
    pieces: list[Span] = []
    index = 0
    for start, end, kind in spans:
        while index < len(marks) and marks[index][1] <= start:
            index += 1
        position, following = start, index
        while following < len(marks) and marks[following][0] < end:
            if marks[following][0] > position:
                pieces.append((position, marks[following][0], kind))
            position = marks[following][1]
            following += 1
        if end > position:
            pieces.append((position, end, kind))
    return pieces


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
        if _is_worth_looking_for(value):
            for spelling in redaction_views.spellings(value):
                values[spelling] = kind
    return values


def _is_worth_looking_for(value: str) -> bool:
    """Not a word or a name: replacing one everywhere would take harmless text with it."""
    if len(value) < ECHO_CHARS_MIN or _MARK in value or not value.isprintable():
        return False
    return redaction_values.has_digit(value) and len(value.split()) == 1

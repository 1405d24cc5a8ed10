"""Keys that are written as rows of numbers: `[40, 86, …]`, `{0x2b, 0x7e, …}`, `<<17, 203, …>>`.

A row of bytes is as often a picture's or a public key's: what is said in front of it decides,
and that its numbers repeat as seldom as those of chance do.
"""

from compact_guard.hook import redaction_cues as cues
from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_NUMBER = "(?:0[xX][0-9a-fA-F]{1,2}|[0-9]{1,3})"
_ROW = (
    rf"[\[{{(<][\[{{(<\s]{{0,16}}({_NUMBER}(?:,\s{{0,16}}{_NUMBER}){{15,127}})"
    r",?\s{0,16}[\]})>]"
)
_WORDS = ("key", "secret", "seed", "wallet", "private", "solana", "id.json", "password", "token")
TABLE = ((_WORDS,),)  # without one of its anchors nothing is found
_BEFORE_CHARS = 120
_PUBLIC = ("public", "pub", "verif", "hash", "digest", "signature", "address")
_NUMBERED = frozenset((
    "count", "counts", "size", "sizes", "ids", "length", "lengths", "usage", "frames", "codes",
    "hash", "times", "stats", "indices", "offsets",
))  # fmt: skip
_SIZES = (16, 24, 32, 48, 64, 96, 128)  # of keys, in bytes
_DIFFERENT_MIN = 0.6  # of the numbers; chance leaves 0.78 of 128 different
_BYTE = 256


def spans_in(text: str, lowered: str, present: "Anchors") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    anchors = [word for word in present.words(_WORDS) if word in lowered]
    if not anchors or "," not in text:
        return
    for match in values.compiled(_ROW).finditer(text):
        start, end = match.span(1)
        before = lowered[max(0, match.start() - _BEFORE_CHARS) : match.start()]
        if _is_announced(before, anchors) and _is_key(match[1]):
            yield start, end, "key"


def _is_announced(before: str, anchors: list[str]) -> bool:
    """The last word in front that says what it is says that it is secret."""
    nearest = max(map(before.rfind, anchors))
    name = before[max(0, nearest - cues.KEY_KIND_CHARS) :]
    if nearest < 0 or any(word in name for word in _PUBLIC):
        return False
    return _NUMBERED.isdisjoint(cues.parts(before[nearest:]))


def _is_key(row: str) -> bool:
    """As many bytes as keys have, in no order."""
    numbers = [int(number, 0 if "x" in number.lower() else 10) for number in row.split(",")]
    if len(numbers) not in _SIZES or max(numbers) >= _BYTE:
        return False
    return len(set(numbers)) >= len(numbers) * _DIFFERENT_MIN and numbers != sorted(numbers)

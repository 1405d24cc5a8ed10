"""Secrets made of words and numbers that only their announcement tells: PINs, seeds, codes."""

from compact_guard.hook import redaction_values as values
from compact_guard.hook.redaction_anchors import matches_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_PIN = (
    r"(?<![a-z])(?:pin|passcode|otp|2fa code|access code)(?: code)?"
    r"(?: is| are|:|=| ist| est| es)[ ]{1,2}([0-9]{4,10})(?![0-9a-z.:])"
)
_TOTP = (
    r"(?:seed|2fa|totp|setup key|secret key)[^\n]{0,40}?(?<![a-z0-9])"
    r"([a-z2-7]{16,64}|[a-z2-7]{4}(?: [a-z2-7]{4}){3,15})(?![a-z0-9])"
)
# (strings at which it begins, kind, pattern on the text in lower case)
RULES = (
    (("pin", "passcode", "otp", "2fa code", "access code"), "pin", _PIN),
    (("seed", "2fa", "totp", "setup key", "secret key"), "totp-seed", _TOTP),
)
_SEED_CUES = (
    "seed", "mnemonic", "recovery phrase", "wallet", "seed-", "backup phrase", "фраз", "助记词",
)  # fmt: skip
_SEED_WORDS = r"[^\n]{0,48}?(?<![a-z])((?:[a-z]{3,8}[ ,]{1,2}){11,24}[a-z]{3,8})(?![a-z])"
_NO_SEED_WORDS = frozenset((
    "the", "and", "for", "with", "that", "this", "are", "was", "not", "you", "from", "have", "has",
    "can", "but", "our", "his", "her", "they", "them", "then", "your", "its", "any", "all", "will",
    "must", "which", "were", "been", "who", "how", "why", "these", "those", "when",
))  # fmt: skip
_CODE_CUES = (
    "recovery code", "backup code", "scratch code", "emergency code", "one-time code", "reset code",
    "wiederherstellungscode", "резервные коды", "коды восстановления", "恢复码", "备用码",
    "恢复代码",
)  # fmt: skip
_CODES_BEGIN = r"[^\n:：]{0,60}+(?:[:：]|\n)"
_CODE = (
    r"[\s,;|]{0,12}+(?:[-*•][ \t]{1,3}|[0-9]{1,2}[.)][ \t]{1,3}|[\"'`])?"
    r"([0-9]{3,8}(?: [0-9]{3,8}){1,3}|[a-z0-9]{4,12}(?:-[a-z0-9]{3,12}){0,4})"
    r"(?![a-z0-9_@/])[\"'`]?"
)
_CODES_MAX = 24


def spans_in(text: str, lowered: str, present: "Anchors") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    for anchors, kind, pattern in present.rules(RULES):
        for match in matches_at(lowered, anchors, pattern):
            if values.has_digit(match[1]):
                yield match.start(1), match.end(1), kind
    for cue in present.words(_SEED_CUES):
        yield from _seed_phrases(text, lowered, cue)
    for cue in present.words(_CODE_CUES):
        for begin in matches_at(lowered, (cue,), f"{cue}{_CODES_BEGIN}"):
            yield from _codes(lowered, begin.end())


def _codes(lowered: str, position: int) -> "Iterator[Span]":
    """One code after another, all of one shape, or a single one that is no word."""
    found: list[tuple[int, int]] = []
    shape: list[int] = []
    for _ in range(_CODES_MAX):
        match = values.compiled(_CODE).match(lowered, position)
        groups = [len(group) for group in match[1].replace("-", " ").split()] if match else []
        if match is None or (shape and groups != shape):
            break
        shape = groups
        found.append(match.span(1))
        position = match.end()
    if any(values.has_digit(lowered[start:end]) and end - start > 5 for start, end in found):
        for start, end in found:
            yield start, end, "recovery-code"


def _seed_phrases(text: str, lowered: str, cue: str) -> "Iterator[Span]":
    position = 0
    while (start := lowered.find(cue, position)) >= 0:
        position = start + len(cue)
        match = values.compiled(_SEED_WORDS).match(text, position)
        if match and _NO_SEED_WORDS.isdisjoint(match[1].replace(",", " ").split()):
            yield match.start(1), match.end(1), "seed-phrase"
            position = match.end()

"""Whether a word that may announce a secret does: its edges, its name, what it announces."""

from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words

_WORDS = r"[A-Z]{0,40}[a-z]{1,40}|[A-Z]{1,40}|[0-9]{1,20}"
_NAME_CHARS_MAX = 40
_NAME_SIGNS = frozenset("_-.")


def is_cue(text: str, lowered: str, cue: str, start: int) -> bool:
    """False if the cue is only a part of another word: `key` in `monkey`, `pass` in `compass`."""
    if not (cue[0].isascii() and cue[0].isalpha()) and cue not in words.LATIN:
        return True
    end = start + len(cue)
    tail_end = end
    while tail_end < end + 8 and _is_latin(lowered[tail_end : tail_end + 1]):
        if text[tail_end].isupper() and not text[tail_end - 1].isupper():
            break
        tail_end += 1
    tail = lowered[end:tail_end]
    joined = _is_latin(lowered[start - 1 : start]) and (
        text[start].islower() or text[start - 1].isupper()
    )
    if cue == "key" and lowered[max(0, start - 12) : start].rstrip(" _-").endswith(words.NO_KEYS):
        return False
    if cue in words.LOOSE or len(cue) < 5:
        if joined and not (
            cue == "key" and lowered[max(0, start - 6) : start].endswith(words.KEYS)
        ):
            return False
        return not tail or (cue == "pass" and tail in words.ENDINGS)
    return tail in words.ENDINGS


def qualified(lowered: str, cue: str, start: int) -> str:
    """What kind of key it is decides how much is believed: an api key, a secret key."""
    if cue != "key":
        return cue
    before = lowered[max(0, start - 12) : start].rstrip(" _-")
    return "apikey" if before.endswith(words.KEYS) else cue


def speaks_about(text: str, start: int, end: int) -> bool:
    """True if the name around a cue is no secret's name: a public key, a token's type."""
    left = start
    while left > max(0, start - _NAME_CHARS_MAX) and _is_name_letter(text[left - 1]):
        left -= 1
    while end < start + _NAME_CHARS_MAX and _is_name_letter(text[end : end + 1]):
        end += 1
    return is_about(text[left:end])


def kind_of(cue: str) -> str:
    """The placeholder's word for what a cue announces."""
    if any(part in cue for part in words.PASSWORDS) and "secret" not in cue:
        return "password"
    if any(part in cue for part in ("key", "ключ", "密钥", "キー", "clé", "schlüssel")):
        return "key"
    return "token" if any(part in cue for part in ("token", "токен", "令牌", "jwt")) else "secret"


def is_about(name: str) -> bool:
    """True if a name has a part that says it only speaks about a secret: a path, a length."""
    parts = [part.lower() for part in values.compiled(_WORDS).findall(name)]
    return not words.ABOUT.isdisjoint(parts)


def _is_name_letter(letter: str) -> bool:
    return letter in _NAME_SIGNS or (letter.isascii() and letter.isalnum())


def _is_latin(letter: str) -> bool:
    return letter.isalpha() and ord(letter) < 0x250

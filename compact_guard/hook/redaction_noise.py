"""Tokens of makers that nobody knows: too random for a name, whatever stands in front of it."""

from compact_guard.hook import redaction_encoded
from compact_guard.hook import redaction_marks as marks
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values

_NO_EDGES = ("/", "(", "@", "=", "+", "%")
_LETTERS_AND_HEX = r"(?!sha|md5|git|rev|tx|id|cid)[a-z]{2}[0-9a-f]{36,40}"
_LETTERS_AND_HEX_CHARS = range(38, 43)
_STELLAR, _STELLAR_CHARS = "S[A-D][A-Z2-7]{54}|S[A-Z2-7]{55}", 56  # G… is the address
_ACCOUNT, _ACCOUNT_CHARS = r"[A-Z]{2}[0-9a-f]{32}", 34
_LETTERS_CHARS_MIN = 20
_LONG_NOISE_CHARS, _BASE64URL_CHARS_MIN = 80, 40
_NUMBER_AND_SYMBOL = ("0x", "0X", "ZN", "_ZN")
_NOISE_CHARS_MIN, _NOISE_CHARS_MAX = 32, 200
_NO_BASE58, _ADDRESS_CHARS = frozenset("0OIl_"), 46
_PUBLIC_WORDS = frozenset(("pk", "pub", "public", "id", "hash", "sha", "cache", "build", "nonce"))


def is_token(token: str, following: str) -> bool:
    """True if nothing else looks so; `following`: the character behind it, which may tell."""
    if len(token) == _STELLAR_CHARS and values.compiled(_STELLAR).fullmatch(token):
        return True
    return _is_noise(token, following) or _has_words_and_noise(token) or _is_marked_hex(token)


def _is_odd(tail: str) -> bool:
    if len(tail) >= _LETTERS_CHARS_MIN and tail.isalpha() and passwords.is_scrambled(tail):
        return True
    return tail.isalnum() and values.is_mixed(tail) and values.is_random(tail, 14)


def _is_marked_hex(token: str) -> bool:
    """`st.4f2a….90bc…`, `cs4f2a…`: a word or two letters in front of long numbers."""
    word, *parts = token.split(".")
    if len(parts) > 1:
        return word.isalpha() and all(values.is_hex(part, 16) for part in parts)
    if len(token) not in _LETTERS_AND_HEX_CHARS:
        return False
    match = values.compiled(_LETTERS_AND_HEX).fullmatch(token)
    return match is not None and not values.is_hex(token) and values.has_digit(token[-8:])


def _has_words_and_noise(token: str) -> bool:
    prefix, tail = _split(token)
    parts = prefix.replace("-", "_").lower().split("_")
    if not parts[0][:1].isalpha() or not all(part.isalnum() and len(part) <= 12 for part in parts):
        return False
    if (
        values.is_media(tail)
        or placeholders.is_placeholder(tail)
        or not _PUBLIC_WORDS.isdisjoint(parts)
    ):
        return False
    is_marked = not marks.SECRET_WORDS.isdisjoint(parts)
    if values.is_uuid(tail):
        return is_marked
    if is_marked and _is_odd(tail):
        return True
    if values.is_hex(tail, 32) or tail.lower() == tail:
        is_marked = is_marked or "_" in token[: len(prefix) + 1]
        return is_marked and len(tail) >= 32 and _is_solid(tail)
    return _is_random_tail(tail)


def _is_noise(token: str, following: str) -> bool:
    """An unbroken run that is too long and too random to be a name, an address or a file."""
    if token.startswith(_NUMBER_AND_SYMBOL):
        return False
    if len(token) == _ACCOUNT_CHARS and values.compiled(_ACCOUNT).fullmatch(token):
        return False
    solid = token.replace("_", "", 1)
    if len(token) >= _LONG_NOISE_CHARS or _is_base64url(token):
        solid = token.replace("_", "").replace("-", "")
    if not (_NOISE_CHARS_MIN <= len(token) <= _NOISE_CHARS_MAX and solid.isalnum()):
        return False
    if following in _NO_EDGES or not values.is_mixed(token) or redaction_encoded.decoded(token):
        return False
    is_address = len(token) <= _ADDRESS_CHARS and not _NO_BASE58.intersection(token)
    return not is_address and values.is_random(token, 24) and not placeholders.is_placeholder(token)


def _is_base64url(token: str) -> bool:
    """Long enough that it may have any sign of it, and no title with dashes between words."""
    pieces = token.replace("-", "_").split("_")
    is_long = len(token) >= _BASE64URL_CHARS_MIN and len(pieces) <= len(token) // 8
    return is_long and passwords.is_irregular(max(pieces, key=len))


def _is_random_tail(tail: str) -> bool:
    longest = max(tail.replace("-", "_").split("_"), key=len)
    is_long = len(tail) >= 20 and len(longest) >= 10 and values.is_mixed(longest)
    return is_long and values.is_random(tail, 18)


def _is_solid(tail: str) -> bool:
    return tail.isalnum() and values.is_random(tail, 24)


def _split(token: str) -> tuple[str, str]:
    """The words in front, and the rest; at most three words, none longer than twelve letters."""
    position = 0
    for _ in range(3):
        found = min(
            (at for sign in "_-" if (at := token.find(sign, position, position + 13)) > position),
            default=-1,
        )
        if found < 0 or (values.has_digit(token[position:found]) and found - position > 4):
            break
        if position and not token[position:found].islower():
            break
        position = found + 1
    if values.is_uuid(token[-36:]):
        position = max(position, len(token) - 36)
    return token[: max(position - 1, 0)], token[position:]

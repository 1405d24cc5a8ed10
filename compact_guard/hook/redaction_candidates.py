"""Words that may be secrets: how surely, by themselves, and where they begin and end."""

from functools import lru_cache

from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NOT, MADE_UP, PERHAPS, SURELY = 0, 1, 2, 3
_CANDIDATE = r"[A-Za-z0-9!#$%&*+\-./@^_~]{6,512}={0,3}"
LINE_NOISE = r"[A-Za-z0-9!@#$%^&*(\-_=+)]{20,128}(?![^\s\"'`<>,;，。、”」|])"
_WHOLE_NOISE_CHARS_MIN = 20
_NOISE = passwords.LINE_NOISE | frozenset("()=")
_NOISE_CHARS_MIN = 8  # of a part of it: shorter ones are a sentence's
_PARAMETER = r"&(?=[A-Za-z_][\w.\-]{0,40}=|amp)"  # where the next one of a query begins
_FRONT_CHARS_MAX, _FRONT_SIGNS_MIN = 64, 3
_FRONT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+-@^_~")
# Brackets belong to a value in the middle of which they stand.
_REST = r"[!#-%(-+\--:=?-\[\]-_a-~]{0,8192}"
_EXPRESSIONS = ("a-zA-Z", "A-Za-z", "A-Z0-9", "a-z0-9", "0-9a-f")
_CHARS_MIN, _USER_CHARS_MAX = 6, 16
_NAME_TAIL_CHARS_MAX = 10
_PHRASE_JOINTS_MIN = 3
_WORDS_KNOWN_MAX = 8_192  # a conversation repeats its words


def candidates_in(text: str) -> "Iterator[tuple[int, int, int]]":
    """Words that may be secrets where something announces them, as `(start, end, level)`."""
    position = 0
    for match in values.compiled(_CANDIDATE).finditer(text):
        begin, token = match.start(), match.group()
        if begin < position:
            continue  # a part of what was told already
        if _may_be_noise(text, begin, match.end()) and (noise := _noise_around(text, begin)):
            yield *noise, SURELY
            position = max(noise[1], match.end())
            continue
        if "&" in token and not text[match.end() : match.end() + 1].isspace():
            token = values.compiled(_PARAMETER).split(token, 1)[0]
        if token.count("/") == 1 and (user := _user_before(token)):
            begin, token = begin + user, token[user:]
        level = _level_of_word(token)
        if level != NOT:
            yield *_trimmed(text, begin, begin + len(token)), level


def _may_be_noise(text: str, begin: int, end: int) -> bool:
    """Whether noise is long enough of which a candidate is a part: nearly always it is not."""
    if end - begin < _NOISE_CHARS_MIN:
        return False
    is_long = end - begin >= _WHOLE_NOISE_CHARS_MIN
    return is_long or text[end : end + 1] in _NOISE or text[begin - 1 : begin] in _NOISE


def _noise_around(text: str, begin: int) -> tuple[int, int] | None:
    """Where the noise of letters and signs begins and ends of which a candidate is a part."""
    floor = max(0, begin - _FRONT_CHARS_MAX)
    while begin > floor and text[begin - 1] in passwords.LINE_NOISE:
        begin -= 1
    match = values.compiled(LINE_NOISE).match(text, begin)
    if match is None or not passwords.is_line_noise(match.group()):
        return None
    return begin, match.end()


@lru_cache(maxsize=_WORDS_KNOWN_MAX)
def _level_of_word(token: str) -> int:
    """Signs at a word's ends are the sentence's, or the password's."""
    level = level_of(token.strip("+-*.!?~"))
    return level or (PERHAPS if values.is_strong_password(token) else NOT)


def level_of(token: str) -> int:
    """How surely a word alone looks like a secret."""
    if not (values.has_digit(token) or values.has_sign(token)):
        return _level_of_letters(token)
    if len(token) < _CHARS_MIN or any(letters in token for letters in _EXPRESSIONS):
        return NOT
    is_number = values.is_hex(token) or values.is_uuid(token) or values.is_phrase(token)
    if is_number and not token.isdigit():
        return PERHAPS
    if values.is_media(token) or passwords.is_member(token) or placeholders.is_placeholder(token):
        return NOT
    level = NOT if values.is_harmless(token) or _is_name(token) else _level_of_noise(token)
    return level or (MADE_UP if passwords.may_be_password(token) else NOT)


def _level_of_noise(token: str) -> int:
    if values.has_id_prefix(token) or values.is_strong_password(token):
        return SURELY
    if values.is_random(token, 14) and "@" not in token:
        return SURELY
    return PERHAPS if values.is_password(token) or values.is_random(token, 8) else NOT


def _level_of_letters(token: str) -> int:
    if is_words(token):
        return NOT if placeholders.is_placeholder(token) else MADE_UP
    token = max(token.replace("-", "_").split("_"), key=len)
    if len(token) < 8 or not values.has_inner_capital(token) or not token.isalpha():
        return NOT
    if len(token) > 11 and values.is_random(token, 12, digits=False):
        return PERHAPS
    return MADE_UP if passwords.is_scrambled(token) else NOT


def is_words(token: str) -> bool:
    """`willow-copper-lantern-orbit`: four words or more, which dice may have chosen."""
    if token.count("-") < _PHRASE_JOINTS_MIN or not token.islower():
        return False
    return all(len(part) > 2 and part.isalpha() for part in token.split("-"))


def _user_before(token: str) -> int:
    """How long the name in `admin/Xk3v9Qm2` is, with its dash; 0 for a path."""
    user, _, password = token.partition("/")
    is_pair = user.isalpha() and user.islower() and len(user) < _USER_CHARS_MAX
    return len(user) + 1 if is_pair and "." not in password and level_of(password) else 0


def _is_name(token: str) -> bool:
    """`api-token-32l3b`: a thing's name that says what the thing is."""
    parts = token.split("-")
    is_short = len(parts) > 1 and parts[0].isalpha() and len(parts[-1]) <= _NAME_TAIL_CHARS_MAX
    return is_short and not words.THINGS.isdisjoint(parts)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the list's dash in front and the full stop behind."""
    while start < end and text[start] in "+-*.~?/":
        start += 1
    while end > start and text[end - 1] in ".!?*~":
        end -= 1
    return start, end


def full_start(text: str, start: int, end: int) -> int:
    """Signs that end no word may stand in front: `3y7)(j@e1s3*fd#` is one password."""
    front = start
    while front > max(0, start - _FRONT_CHARS_MAX) and text[front - 1] in _FRONT:
        front -= 1
    if front == start:
        return start
    signs = sum(not letter.isalnum() for letter in text[front:end])
    return front if signs >= _FRONT_SIGNS_MIN and text[front] not in "()-*" else start


def full_end(text: str, end: int) -> int:
    """Where a value ends that a rule saw only the beginning of."""
    rest = values.compiled(_REST).match(text, end)
    if rest is None:
        return end
    is_remark = rest.group().endswith("(") and not text[rest.end() : rest.end() + 1].isascii()
    return end + len(rest.group().rstrip(".:!?*)]}~|(" if is_remark else ".:!?*)]}~|"))

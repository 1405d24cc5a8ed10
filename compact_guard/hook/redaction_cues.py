"""Whether a word that may announce a secret does: its edges, its name, what it announces."""

from functools import lru_cache  # `re` has imported it anyway

from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words

_WORDS = r"[A-Z]{0,40}[a-z]{1,40}|[A-Z]{1,40}|[0-9]{1,20}"
_NAME_CHARS_MAX = 40
KEY_KIND_CHARS, _TAIL_CHARS = 16, 8
_GLUED = ("pass", "pwd", "pw")  # ends of names: SSHPASS=, dbpw:
_OWNERS = ("user", "root", "admin", "proxy", "mail", "smtp", "ldap", "ftp", "sql")
_NO_PASSES = ("by", "com", "tres", "over", "sur", "under", "im", "low", "high", "band", "mul")
_SHORT_CHARS, _NOISE_SIGNS = 3, frozenset("0123456789+/")
_USERS = ("user/", "username/", "login/", "name/", "email/", "id/")  # a pair's first name
_PASS_PRODUCTS = ("last", "kee", "proton", "nord", "com", "by")
_CACHE_CHARS = 32
_NAME_SIGNS = frozenset("_-.")
_DIGEST = r"(?i:sha|md|blake|rmd)[0-9A-Za-z\-]{1,8} ?\([^()\n]{1,128}\) ?= ?$"
_DIGEST_CHARS = 150


def is_cue(text: str, lowered: str, cue: str, start: int) -> bool:
    """False if the cue is only a part of another word: `key` in `monkey`, `pass` in `compass`."""
    if not (cue[0].isascii() and cue[0].isalpha()) and cue not in words.LATIN:
        return True
    end = start + len(cue)
    tail = _word_behind(text, lowered, end)
    joined = _is_latin(lowered[start - 1 : start]) and (
        text[start].islower() or text[start - 1].isupper()
    )
    if cue not in words.LOOSE and len(cue) > 4:
        return tail in words.ENDINGS
    before = lowered[max(0, start - KEY_KIND_CHARS) : start].rstrip(" _-")
    is_in_noise = lowered[start - 1 : start] in _NOISE_SIGNS and not before.endswith(_USERS)
    if len(cue) <= _SHORT_CHARS and cue != "key" and is_in_noise:
        return False  # base64
    is_cached = cue == "key" and _is_of_cache(lowered[max(0, start - _CACHE_CHARS) : start])
    if is_cached or _is_of_another_kind(cue, before, lowered[start - 1 : start] != " "):
        return False
    if joined and cue in _GLUED and lowered[end : end + 1] in ("=", ":"):
        word = text[max(0, start - KEY_KIND_CHARS) : start]
        word = word[len(word.rstrip(values.ALPHANUMERIC)) :]
        return not before.endswith(_NO_PASSES) and not values.has_inner_capital(word)
    is_compound = (cue == "key" and before.endswith(words.KEYS)) or (
        cue in _GLUED and before.endswith(_OWNERS)
    )
    is_part = joined and not is_compound
    return not is_part and (not tail or (cue in words.PASSWORDS and tail in words.ENDINGS))


def _is_of_cache(before: str) -> bool:
    return "cache" in before.rpartition("\n")[2]


def _is_of_another_kind(cue: str, before: str, is_glued: bool) -> bool:
    """A cache's key, a folder called `auth`."""
    if before.endswith("/") and cue in words.LOOSE and is_glued:
        return not before.endswith(_USERS)
    if cue == "pass" and before.endswith(_PASS_PRODUCTS):
        return True
    return cue == "key" and before.endswith(words.NO_KEYS)


def _word_behind(text: str, lowered: str, end: int) -> str:
    """The letters that a cue's own word goes on with; a capital begins a word of its own."""
    position = end
    while position < end + _TAIL_CHARS and _is_latin(lowered[position : position + 1]):
        if text[position].isupper() and not text[position - 1].isupper():
            break
        position += 1
    return lowered[end:position]


def qualified(lowered: str, cue: str, start: int) -> str:
    """What kind of key it is decides how much is believed: an api key, a secret key."""
    if cue == "pass" and lowered[start - 1 : start] in ("_", "-"):
        return "passwd"
    if cue != "key":
        return cue
    before = lowered[max(0, start - 12) : start].rstrip(" _-")
    is_more = before.endswith(words.KEYS) and not before.endswith(("license", "licence"))
    return "apikey" if is_more else cue


def speaks_about(text: str, start: int, end: int) -> bool:
    """True if the name around a cue is no secret's name: a public key, a token's type."""
    left, cue_end = start, end
    while left > max(0, start - _NAME_CHARS_MAX) and _is_name_letter(text[left - 1]):
        left -= 1
    while end < start + _NAME_CHARS_MAX and _is_name_letter(text[end : end + 1]):
        end += 1
    return is_about(text[left:end], text[cue_end:end])


@lru_cache(maxsize=256)
def kind_of(cue: str) -> str:
    """The placeholder's word for what a cue announces."""
    if any(part in cue for part in words.PASSWORDS) and "secret" not in cue:
        return "password"
    if any(part in cue for part in ("key", "ключ", "密钥", "キー", "clé", "schlüssel")):
        return "key"
    return "token" if any(part in cue for part in ("token", "токен", "令牌", "jwt")) else "secret"


def is_about(name: str, behind: str) -> bool:
    """True if a name has a part that says it only speaks about a secret: a path, a length.

    Some parts say so only `behind` the cue: `passwordStore`, but not `storePassword`.
    """
    if not words.ABOUT.isdisjoint(parts(name)):
        return True
    return not words.ABOUT_BEHIND.isdisjoint(parts(behind))


def parts(name: str) -> list[str]:
    """The words of a name in any of the usual spellings, in lower case."""
    return [part.lower() for part in values.compiled(_WORDS).findall(name)]


def in_arn(text: str, start: int) -> bool:
    """True inside of a cloud resource's name, which is no secret."""
    at = text.rfind("arn:", max(0, start - 120), start)
    return at >= 0 and " " not in text[at:start]


def is_digest(text: str, start: int) -> bool:
    """True behind `SHA512 (file) = `, as tools print checksums."""
    head = text[max(0, start - _DIGEST_CHARS) : start]
    return head.endswith(("= ", ")=")) and values.compiled(_DIGEST).search(head) is not None


def _is_name_letter(letter: str) -> bool:
    return letter in _NAME_SIGNS or (letter.isascii() and letter.isalnum())


def _is_latin(letter: str) -> bool:
    return letter.isalpha() and ord(letter) < 0x250

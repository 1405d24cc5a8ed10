"""Whether what is assigned to a name that may be a secret's is a secret."""

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_cues as cues
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_REGEX_MARKS = ("[^", "(?", "[A-Z", "[a-z", "0-9]", "0-9A-", "a-zA-", "\\w", "\\d", "\\s")
_REFERENCE = (
    r"[A-Z]{2,24}(?:_[A-Z]{1,24}){1,8}|[a-z]{0,24}(?:[A-Z][a-z]{2,24}){2,8}"  # a constant, a class
)
_PAIR_NAMES = ("userpwd", "userpass", "user_pass", "creds", "credentials", "proxyuserpwd")
_MINIFIED = (":!0", ":!1")  # true and false, in few letters
_COOKIE_NAME_CHARS_MAX = 40
_LABEL_CHARS_MAX = 12
_LETTERS_CHARS_MIN = 16


def is_secret(value: str, cue: str, name: str, match: "re.Match[str]") -> bool:
    """True if this value of a `name` with a `cue` in it is a secret; `match`: what is between."""
    if len(value) < 4 or values.is_media(value):
        return False
    is_password = cues.kind_of(cue) == "password" and cue not in ("login", "logon")
    if (match["column"] or match["loose"] or "").isspace():
        least = candidates.MADE_UP if is_password else candidates.SURELY
        return passwords.is_wild(value) or candidates.level_of(value) >= least
    if ":" in value and name.lower().endswith(_PAIR_NAMES):
        value = value.partition(":")[2]
    return _is_value(value, is_password, cue, name, match)


def _is_value(value: str, is_password: bool, cue: str, name: str, match: "re.Match[str]") -> bool:
    if value.isdigit():
        return len(value) >= 6 and is_password and (not match["loose"] or name.isupper())
    if is_password and candidates.is_words(value):
        return True
    is_own_name = cue in value.lower() and not values.has_digit(value.rstrip("0123456789"))
    is_own_name &= not values.is_mixed(value)
    if match["sep"] in ("==", "===") and not match["open"] and value.isidentifier():
        return False  # two names are compared
    if is_own_name or _is_code(value) or _is_named_otherwise(value, cue, name):
        return False
    is_constant = name.isupper() and bool(match["sep"] or match["typed"])  # `DB_PASSWORD=`
    if match["loose"] or cue in words.LOOSE:
        is_odd = _is_odd(value, is_password) and is_constant and not match["loose"]
        return is_odd or _is_believable(value, cue, name)
    is_constant &= match["sep"] == "=" or is_password
    return is_constant or is_strong(value) or _is_written_as_value(value, cue, match)


def _is_odd(value: str, is_password: bool) -> bool:
    if is_password and values.is_mixed(value):
        return True
    return is_strong(value) and not values.is_harmless(value)


def _is_named_otherwise(value: str, cue: str, name: str) -> bool:
    """`Set-Cookie: lang=de`, `jwt: kid=…`, a key's UUID: other rules know what is secret there."""
    chars_max = _COOKIE_NAME_CHARS_MAX if cue == "cookie" else _LABEL_CHARS_MAX
    if (cue in words.LOOSE or cue == "dsn") and "=" in value[:chars_max].rstrip("="):
        return True
    if values.is_uuid(value):
        return name.lower().endswith(("key_id", "keyid", "key-id"))
    return cues.parts(name)[-1:] == ["id"] and not values.is_random(value)


def _is_written_as_value(value: str, cue: str, match: "re.Match[str]") -> bool:
    """`password = "unbelievable"`: the quotes, or the length, say that it is one."""
    if value.isalpha() and value.islower() and cues.kind_of(cue) != "password":
        return False
    if match["open"].strip("\\*") and (match["typed"] or match["sep"] in ("=", ":", ":=", "=>")):
        return "." not in value and len(value) >= 8
    is_prose = match.group().endswith((": ", "：")) or not (match["sep"] or match["typed"])
    return len(value) >= 16 and not is_prose


def _is_believable(value: str, cue: str, name: str) -> bool:
    """Random, or what a person makes up: enough where the name alone proves little."""
    if cues.kind_of(cue) == "password" and passwords.may_be_password(value):
        return True
    if values.is_harmless(value):
        return values.is_uuid(value) and cue not in words.ABOUT_IDS and name.lower() != "key"
    if values.is_hex(value.rpartition("-")[2]) or values.is_random(value, 12):
        return cue != "key" or len(value) >= 16
    if len(value) >= _LETTERS_CHARS_MIN and passwords.is_scrambled(value):
        return True
    return cue != "key" and (values.is_password(value) or values.is_phrase(value))


def is_strong(value: str) -> bool:
    """Not a word of prose: long enough, and letters mixed with digits or signs."""
    if len(value) < 6:
        return False
    signs = sum(not letter.isalnum() and letter not in "-_./:'|" for letter in value)
    return values.has_digit(value) or (signs > 0 and len(value) >= 8)


def _is_code(value: str) -> bool:
    """An expression or a path rather than a literal: `self.token`, `a/b/c.py`, `60*24`."""
    if values.is_base64(value) or passwords.is_dotted_noise(value):
        return False
    value = value.replace("?.", ".").rstrip("=!") or value
    if _begins_as_code(value) or value.endswith(_MINIFIED):
        return True
    if values.compiled(_REFERENCE).fullmatch(value) or passwords.is_member(value):
        return True
    plain = value.replace(".", "").replace("_", "").replace("/", "").replace(":", "")
    is_dotted = "." in value and all(part.isidentifier() for part in value.split("."))
    is_name = (plain.isalpha() and ("." in value or "/" in value)) or (
        is_dotted and not values.is_random(value, 16) and values.is_harmless(value)
    )
    return is_name or value.replace("*", "").isdigit()


def _begins_as_code(value: str) -> bool:
    if value[0] in "([{" or any(mark in value for mark in _REGEX_MARKS):
        return True
    if value[0] in "$/~.*+-" and not values.has_digit(value):
        return True
    return value.startswith(("/", "~/", "./", "../", "http://", "https://"))

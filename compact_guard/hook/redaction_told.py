"""Passwords and codes that a line ends with or begins with, and says so somewhere else in it.

`A temporary password is generated for root@localhost: …`, `493021 is your sign-in code`.
"""

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values
from compact_guard.hook.redaction_anchors import matches_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_PASSWORDS = (
    "password", "passwd", "passphrase", "passwort", "kennwort", "mot de passe", "contraseña",
    "senha", "пароль", "пароля", "парол", "hasło", "wachtwoord", "lösenord", "密码", "密碼",
    "パスワード", "비밀번호", "şifre", "mật khẩu", "heslo", "jelszó", "salasana",
)  # fmt: skip
_LAST = (
    r"[^\n]{0,100}?(?:[:：=→>]|->| is| to| ist| est| es| é| è)[ \t]{1,3}"
    r"([^\s\"'`]{8,64})[ \t]{0,4}(?:\r?\n|$)"
)
_CODE = (
    r"(?:[a-z]-)?([0-9]{4,8}) is your (?:[\w.\-]{1,20} ){0,3}?(?:verification|security|log-?in"
    r"|sign-?in|access|confirmation|authentication|one-time|activation|2fa|otp|passcode|pin)"
)
_CODE_ANCHORS, _CODE_CHARS = (" is your ",), 12
_CARD_CODE = r"cv[vc]2?(?: ?(?:code|number|is|:|=)){0,2} {0,2}([0-9]{3,4})(?![0-9.])"
_CARD_CODES = ("cvv", "cvc")
# `"ann" * "…" *`: a server's list of secrets, a program's list of logins.
_LISTED = r": (?:eap|xauth|ntlm|psk) ['\"]([^\s'\"]{4,128})['\"]"
_LISTS = (": eap ", ": xauth ", ": ntlm ", ": psk ")
# `A3B9Z-…`: groups of one length, wherever a licence is spoken of.
_PRODUCT_KEY = r"(?<![A-Za-z0-9\-])[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){2,7}(?![A-Za-z0-9\-])"
_LICENCES = (
    "license", "licence", "activation", "serial", "product key", "lizenz", "licencia",
    "лицензи", "ліценз", "активаци", "序列号", "激活", "ライセンス", "라이선스",
)  # fmt: skip
_LICENCE_CHARS = 200
# `100:…@sip.example.net`: an address with a login, and without a scheme.
_HOST = r"@(?:[a-z0-9\-]{1,63}\.){1,6}[a-z]{2,12}(?![\w@.])"
_HOSTS, _LOGIN_CHARS = ("@",), 80
_BY_HEART = r"(?:admin|administrator|root|sysadmin):([^\s:/'\"]{8,64})(?!\S)"
_KNOWN = ("admin:", "administrator:", "root:", "sysadmin:")  # users whom everybody has


def _is_wild(value: str) -> bool:
    return passwords.is_wild(value) and not placeholders.is_placeholder(value)


def _is_made_up(value: str) -> bool:
    return values.has_digit(value) and candidates.level_of(value) != candidates.NOT


# (strings at which it begins, letters in front of that, kind, pattern, what is believed)
RULES = (
    (_PASSWORDS, 0, "password", _LAST, _is_wild),
    (_CODE_ANCHORS, _CODE_CHARS, "pin", _CODE, str.isdigit),
    (_CARD_CODES, 0, "pin", _CARD_CODE, str.isdigit),
    (_LISTS, 0, "password", _LISTED, values.has_digit),
    (_KNOWN, 0, "password", _BY_HEART, _is_made_up),
)
TABLE = (*RULES, (_LICENCES,), (_HOSTS,))  # without one of its anchors nothing is found


def spans_in(text: str, lowered: str, present: "Anchors") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    for anchors, before, kind, pattern, is_believed in present.rules(RULES):
        for match in matches_at(lowered, anchors, pattern, before):
            start = match.start(1)
            value = text[start : match.end(1)].rstrip(".,;")
            if is_believed(value):
                yield start, start + len(value), kind
    licences = present.words(_LICENCES)
    if licences and "-" in text:
        yield from _product_keys(text, lowered, licences)
    yield from _logins(text, lowered, present.words(_HOSTS))


def _product_keys(text: str, lowered: str, licences: "tuple[str, ...]") -> "Iterator[Span]":
    for match in values.compiled(_PRODUCT_KEY).finditer(text):
        groups = match.group().split("-")
        numbers = sum(map(values.has_digit, groups))
        is_key = len(set(map(len, groups))) == 1 and numbers > 1 and not groups[0].isdigit()
        before = lowered[max(0, match.start() - _LICENCE_CHARS) : match.start()]
        if is_key and any(map(before.__contains__, licences)):
            yield match.start(), match.end(), "license-key"


def _logins(text: str, lowered: str, hosts: "tuple[str, ...]") -> "Iterator[Span]":
    for match in matches_at(lowered, hosts, _HOST):
        before = text[max(0, match.start() - _LOGIN_CHARS) : match.start()]
        user, colon, password = (before.split() or [""])[-1].strip("\"'`(<").rpartition(":")
        is_login = bool(colon) and user.replace(":", "").isalnum() and password[:1] != "/"
        least = candidates.MADE_UP if ":" in user else candidates.PERHAPS
        if is_login and candidates.level_of(password) >= least:
            yield match.start() - len(password), match.start(), "password"

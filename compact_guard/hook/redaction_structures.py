"""Secrets that a format of its own surrounds: URLs, headers, cookies, command lines, files."""

from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

_AUTHORIZATION = (
    r"authorization['\"`\\]{0,4}\s{0,3}[:=]\s{0,3}['\"`\\]{0,4}(?:[a-z][a-z0-9\-]{2,15}[ \t]{1,4})?"
    r"([a-z0-9_\-.~+/]{8,4096}={0,3})"
)
_SCHEME = r"(?<![a-z])(?:bearer|basic|apikey|token)[ \t]{1,4}([a-z0-9_\-.~+/]{16,4096}={0,3})"
_SIGNED = r"(?:response|signature|mac)=\"?([a-z0-9+/%_\-~]{24,1024}={0,2})"
_USER = (
    r"(?<![\w\-])(?:-[a-z]{0,3}u|-a|--user|--proxy-user)[ =]{0,2}['\"]?"
    r"[^\s:'\"/]{1,64}:([^\s'\"]{3,256})"
)
_OPTION = (
    r"--[a-z\-]{0,24}?(?:password|passwd|passphrase|pass|token|secret|api-?key|access-?key)"
    r"(?:[ \t]{1,3}|=)['\"]?(?![a-z_\-]{1,40}(?:[\s,.)'\"]|$)|-)([^\s'\"]{4,512})"
)
_CLIENT = r"(?:mysql|mariadb)[a-z]{0,8}(?: [^\n|;]{0,80})? -p['\"]?([^\s'\"]{4,256})"
_LOGIN = (
    r"(?:login|ldap[a-z]{3,8}|sendemail|smbclient)[^\n|;]{0,100}? -(?:p|w|xp)[ =]?['\"]?"
    r"([^\s'\"\-][^\s'\"]{3,256})"
)
_PGPASS = r":(?:[0-9]{4,5}|\*):[^\s:/]{1,64}:[^\s:/]{1,64}:([^\s:'\"]{4,128})"
_PIPED = (
    r"(?:echo|printf)[ \t]{1,2}(?:-n |['\"]?%s['\"]? )?['\"]?([^\s'\"|]{8,512})['\"]?[ \t]{0,2}"
    r"[|>][^\n]{0,80}?"
    r"(?:secret|password|passwd|token|login|key|auth)"
)
_PIN = (
    r"(?<![a-z])(?:pin|passcode|otp|2fa code|access code)(?: code)?"
    r"(?: is| are|:|=| ist| est| es)[ ]{1,2}([0-9]{4,10})(?![0-9a-z.:])"
)
_TOTP = r"(?:seed|2fa|totp)[^\n]{0,40}?(?<![a-z0-9])([a-z2-7]{16,64})(?![a-z0-9])"
_PORTS = (":5432:", ":3306:", ":5433:", ":6432:", ":*:", ":1433:", ":27017:", ":26257:", ":5439:")
# (strings at which it begins, kind, pattern on the text in lower case, must it have a digit)
_RULES = (
    (("://",), "url-password", r"://[^\s/:@'\"<>]{0,64}:([^\s/@'\"<>]{3,256})@", False),
    (("://",), "url-token", r"://([a-z0-9_\-.]{16,256})@", True),
    (("thin:",), "url-password", r"thin:[^\s/:@]{1,64}/([^\s@'\"]{3,128})@", False),
    (("bearer", "basic", "token ", "apikey "), "authorization", _SCHEME, True),
    (("authorization",), "authorization", _AUTHORIZATION, True),
    (("signature=", "response=", "mac="), "signature", _SIGNED, True),
    (("-u", "-su", "-ku", "-sku", "--user", "--proxy-user", "-a "), "password", _USER, False),
    (("--",), "password", _OPTION, False),
    (("sshpass",), "password", r"sshpass -p ?['\"]?([^\s'\"]{4,256})", False),
    (("mysql", "mariadb"), "password", _CLIENT, False),
    (("login", "ldap", "sendemail", "smbclient"), "password", _LOGIN, True),
    (_PORTS, "password", _PGPASS, False),
    (("hooks.slack.com/",), "webhook", r"hooks\.slack\.com/services/([a-z0-9_\-/]{20,120})", True),
    (("/api/webhooks/",), "webhook", r"/api/webhooks/([a-z0-9_\-/]{30,160})", True),
    (("/webhook",), "webhook", r"/webhook[a-z0-9]{0,4}/([a-z0-9@_\-/]{30,320})", True),
    (("/hooks/catch/",), "webhook", r"/hooks/catch/([a-z0-9_\-/]{12,160})", False),
    (("/hooks/",), "webhook", r"/hooks/([a-z0-9_\-/]{12,160})", True),
    (("/bot",), "telegram-token", r"/bot([0-9]{6,12}:[a-z0-9_\-]{20,60})", True),
    (("echo ", "printf "), "secret", _PIPED, True),
    (("pin", "passcode", "otp", "2fa code", "access code"), "pin", _PIN, False),
    (("seed", "2fa", "totp"), "totp-seed", _TOTP, True),
)
_COOKIES = r"(?:cookie2?['\"]{0,2}[:=]\s{0,2}['\"]?|(?<![\w\-])-b ['\"]?)"
_COOKIE = r"([\w.\-]{1,64})=([^;\s\"',]{12,4096})"
_COOKIE_HEADER_CHARS_MAX = 4_096
_SEED_CUES = (
    "seed",
    "mnemonic",
    "recovery phrase",
    "wallet",
    "seed-",
    "backup phrase",
    "фраз",
    "助记词",
)
_SEED_WORDS = r"[^\n]{0,48}?(?<![a-z])((?:[a-z]{3,8}[ ,]{1,2}){11,24}[a-z]{3,8})(?![a-z])"
_NO_SEED_WORDS = frozenset((
    "the", "and", "for", "with", "that", "this", "are", "was", "not", "you", "from", "have", "has",
    "can", "but", "our", "his", "her", "they", "them", "then", "your", "its", "any", "all", "will",
    "must", "which", "were", "been", "who", "how", "why", "these", "those", "when",
))  # fmt: skip
_BASE64 = r"(?<![A-Za-z0-9+/=_\-])[A-Za-z0-9+/]{14,400}={0,2}(?![A-Za-z0-9+/=_\-])"


def spans_in(text: str, lowered: str) -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    for anchors, kind, pattern, digits in _RULES:
        for match in values.matches_at(lowered, anchors, pattern):
            start, end = match.span(1)
            value = text[start:end]
            # `guest:guest@`: a default that everybody knows.
            is_default = text.startswith(f"/{value}:", start - len(value) - 2)
            if _is_secret(value, digits) and not is_default:
                yield start, end, kind
    yield from _cookies(text, lowered)
    if any(cue in lowered for cue in _SEED_CUES):
        yield from _seed_phrases(text, lowered)
    if "Og" in text or ("O" in text and ("=" in text or "6" in text)):
        yield from _user_and_password(text)


def _is_secret(value: str, digits: bool) -> bool:
    if values.is_placeholder(value) or value.startswith(("${", "$(", "%(", "{", "<", "-")):
        return False
    if digits and values.is_harmless(value) and not values.is_phrase(value):
        return False
    return not digits or values.has_digit(value)


def _cookies(text: str, lowered: str) -> "Iterator[Span]":
    position = 0
    for match in values.matches_at(lowered, ("cookie", "-b "), _COOKIES):
        if match.end() < position:
            continue  # inside a header that is read already
        limit = match.end() + _COOKIE_HEADER_CHARS_MAX
        line_end = text.find("\n", match.end(), limit)
        position = line_end if line_end >= 0 else min(limit, len(text))
        for pair in values.compiled(_COOKIE).finditer(text, match.end(), position):
            if values.is_random(pair[2], 12) or values.is_hex(pair[2]) or values.is_uuid(pair[2]):
                yield pair.start(2), pair.end(2), "cookie"


def _seed_phrases(text: str, lowered: str) -> "Iterator[Span]":
    pattern = values.compiled(_SEED_WORDS)
    for cue in _SEED_CUES:
        position = 0
        while (start := lowered.find(cue, position)) >= 0:
            position = start + len(cue)
            match = pattern.match(text, position)
            if match and _NO_SEED_WORDS.isdisjoint(match[1].replace(",", " ").split()):
                yield match.start(1), match.end(1), "seed-phrase"
                position = match.end()


def _user_and_password(text: str) -> "Iterator[Span]":
    """Base64 of `user:password`, as it stands in Basic headers and Docker's settings."""
    for match in values.compiled(_BASE64).finditer(text):
        if _reads_as_pair(match.group()):
            yield match.start(), match.end(), "authorization"


def _reads_as_pair(encoded: str) -> bool:
    if len(encoded) % 4 or not values.has_digit(encoded):
        return False
    import binascii  # an extension that only this rule needs

    try:
        plain = binascii.a2b_base64(encoded).decode("ascii")
    except ValueError:
        return False
    user, colon, password = plain.partition(":")
    if not colon or not plain.isprintable() or " " in plain or len(password) < 4:
        return False
    return user.replace("_", "").replace("-", "").replace(".", "").replace("@", "").isalnum()

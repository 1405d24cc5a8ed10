"""Secrets that a function is given: `login("ann", "…")`, `new Pusher("8477178", "…")`."""

from compact_guard.hook import redaction_commands as commands
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_unnamed as unnamed
from compact_guard.hook import redaction_values as values
from compact_guard.hook.redaction_anchors import matches_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

# `connect("db", "ann", "…")`: a string behind another one that is no word or name.
_LOGIN = (
    r"(?:auth(?:entication|enticate)?[\"']?[=:]? ?|login|sign_?in|credentials?|connect(?:ion)?|pdo"
    r"|wifi\.begin|database|mysqli|bind_s|userpass|impersonate)[(\[]([^\n()]{8,240})"
)
_LOGINS = (
    "auth=(", "auth(", "auth: [", "auth: (", 'auth": [', "login(", "credentials(", "credential(",
    "connect(", "connection(", "authentication(", "authenticate(", "pdo(", "signin(", "sign_in(",
    "wifi.begin(", "database(", "mysqli(", "bind_s(", "userpass(", "impersonate(",
)  # fmt: skip
_USERS = ("login(", "auth(", "begin(", "ssid", "user")
_LETTERS_CHARS_MIN = 12  # of a password without a number; `PostgreSQL` is none
_STRING = r"['\"]([^\s'\"]{1,128})['\"]"
# A person's password is set, checked or hashed.
_PASSWORD_CALL = (
    r"(?:password|passwd|passphrase)\("
    r"(?:[^\n()\"',]{1,40}, ?|['\"][^'\"\n]{0,80}['\"], ?){0,2}?"
    r"[bu]?(?=['\"][^'\"]{0,127}[0-9!@#$%^&*])['\"]([^\s'\"]{6,128})['\"]"
)
_PASSWORD_CALLS = ("password(", "passwd(", "passphrase(")
_HASH_CALL = (
    r"(?:bcrypt|argon2|scrypt|pbkdf2|hashpw|checkpw|password_hash|password = [a-z_.]{1,24}hash)"
    r"[\w.]{0,24}\([bu]?['\"]([^\s'\"]{6,128})['\"]"
)
_HASH_CALLS = (
    "bcrypt", "argon2", "scrypt", "pbkdf2", "hashpw(", "checkpw(", "password_hash(", "password = ",
)  # fmt: skip
# What encrypts or signs is given its key.
_CRYPTO_CALL = (
    r"[a-z_.]{0,24}\((?:[^\n()\"']{0,40}|['\"][a-z0-9\-]{1,24}['\"], ?)[bB]?['\"]"
    r"((?:0x)?[a-z0-9+/_\-]{16,256}={0,2})['\"]"
)
_CRYPTO_CALLS = (
    "fernet(", "createcipher", "createdecipher", "createhmac(", "wallet(", "hmac.", "aes.new(",
    "secretkeyspec(", "toaccount(", "fromsecretkey(", "from_key(", "privatekey(", "secretbox(",
    "signingkey(", "keypair.from", "hmacsha",
)  # fmt: skip
# (strings at which it begins, pattern on the text in lower case, what is believed)
RULES = (
    (_PASSWORD_CALLS, _PASSWORD_CALL, commands.ODD),
    (_HASH_CALLS, _HASH_CALL, commands.ODD),
    (_CRYPTO_CALLS, _CRYPTO_CALL, commands.ODD),
)
# What a service's client is made with: nothing tells but that it is a number, or noise.
_CLIENTS = (
    "client(", "sdk(", "keypair.", "signer(", *unnamed.MAKERS,
)  # fmt: skip
_ARGUMENTS = r"[a-z0-9_.]{3,40}\(([^\n()]{8,240})"
_ARGUMENT = r"(?:^|, ?)[bB]?['\"]([A-Za-z0-9_\-.+/=]{20,256})['\"]"
TABLE = (*RULES, (_CLIENTS,), (_LOGINS,))  # without one of its anchors nothing is found


def spans_in(text: str, lowered: str, present: "Anchors") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    for anchors, pattern, belief in present.rules(RULES):
        for match in matches_at(lowered, anchors, pattern):
            start, end = match.span(1)
            if commands.is_secret(text[start:end], belief):
                yield start, end, "password"
    yield from _logins(text, lowered, present.words(_LOGINS))
    for match in matches_at(lowered, present.words(_CLIENTS), _ARGUMENTS):
        start = match.start(1)
        for argument in values.compiled(_ARGUMENT).finditer(text[start : match.end(1)]):
            if values.is_hex(argument[1], 20) or values.is_noise(argument[1]):
                yield start + argument.start(1), start + argument.end(1), "key"


def _logins(text: str, lowered: str, anchors: "tuple[str, ...]") -> "Iterator[Span]":
    for match in matches_at(lowered, anchors, _LOGIN):
        first = match.start(1)
        strings = list(values.compiled(_STRING).finditer(text[first : match.end(1)]))
        # Behind the user; who may stand there by the name of a variable.
        is_login = text[first] not in "'\"" and any(map(match.group().__contains__, _USERS))
        for string in strings[0 if is_login else 1 :]:
            is_long = len(string[1]) >= _LETTERS_CHARS_MIN and passwords.is_scrambled(string[1])
            is_name = string[1].isalpha() and not is_long
            if not is_name and commands.is_secret(string[1], commands.ODD):
                yield first + string.start(1), first + string.end(1), "password"

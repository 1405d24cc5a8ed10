"""Secrets made of words and numbers that only their announcement tells: PINs, seeds, codes."""

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_values as values
from compact_guard.hook.redaction_anchors import matches_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_NUMBERED = (
    "pin", "puk", "passcode", "otp", "2fa code", "access code", "sms code", "verification code",
    "security code", "confirmation code", "login code", "door code", "gate code", "alarm code",
    "unlock code", "entry code", "building code", "lock code", "activation code", "pairing code",
    "auth code", "authentication code", "mfa code", "ihr code", "votre code", "tu código",
    "seu código", "one-time code",
    "пин", "код подтверждения", "код доступа", "验证码", "驗證碼", "認証コード", "인증번호",
    "bestätigungscode", "code de vérification", "código de verificación",
)  # fmt: skip
_PIN = (
    r"(?:(?<![a-z])p(?:in|uk)(?![a-z])|passcode|otp"
    r"|(?:2fa|access|sms|verification|security|confirmation"
    r"|login|door|gate|alarm|unlock|entry|building|lock|activation|pairing|auth|authentication|mfa"
    r"|ihr|votre|one-time) code|(?:tu|seu) código|пин|код (?:подтверждения|доступа)|验证码"
    r"|驗證碼|認証コード|인증번호|bestätigungscode|code de vérification|código de verificación)"
    r"(?:[- ]?(?:code|код))?"
    r"(?:(?: [^\n0-9:=：.;!?]{2,28}?)?"
    r"(?: is:?| are| was| ist| lautet| est| es| è| é| jest| je| är| er| to| це| это|[ ]?[:=：—]"
    r"|是|为|は|는)[ ]{0,2}"
    r"|[ ]?)([0-9]{4,10})(?![0-9a-z:]|\.[0-9a-z])"
)
_TOTP = (
    r"(?:seed|2fa|totp|setup key|secret key)[^\n]{0,40}?(?<![a-z0-9])"
    r"([a-z2-7]{16,64}|[a-z2-7]{4}(?: [a-z2-7]{4}){3,15})(?![a-z0-9])"
)
# "Log in as ann with …", "unlock the archive with …".
_WITH = (
    r"(?:log(?:ged)?[ -]?[io]n|sign(?:ed)?[ -]?in|unlock|decrypt|unzip|extract|connecte|entra con"
    r"|accede|anmeld|einlogg|зайди|заходи|войди|логин|увійди|zaloguj|accedi)[^\n]{0,60}?"
    r"(?: (?:with|using|and|/|mit|und|avec|et|con|y|e|с|и|z|i)|as [\w.]{2,24}(?= ?/ ?)) "
    r"?/? ?['\"`]?([^\s'\"`/]{6,128})"
)
# `VPN: ann / …`
_PAIR = (
    r"(?<![a-z/])(?:vpn|wi-?fi|wlan|ssid|rdp|account|login|user(?:name)?)[a-z ]{0,24}"
    r"(?:[:|] ?| (?=[\w.@]{2,32} ?[/]))['\"`]?[a-z][\w.@+\-]{1,32}['\"`]?"
    r"(?: ?[/|] ?|, | [-–—] )['\"`]?([^\s'\"`|,;:(){}=<>]{6,128})"
)
_ALGORITHM = "(?:aes|sha|rsa|md|tls|ssl|ed|gcm)-?[0-9]"
_PAIR_CUES = ("vpn", "wifi", "wi-fi", "wlan", "ssid", "rdp", "account", "login", "user")
_WITH_CUES = ("log in", "login", "logged in", "log on", "sign in", "signed in", "unlock", "decrypt",
              "unzip", "extract", "connecte", "entra con", "accede", "anmeld", "einlogg", "зайди",
              "заходи", "войди", "логин", "увійди", "zaloguj", "accedi")  # fmt: skip
_PASSPHRASE = (
    r"(?:passphrase|pass phrase)[^\n:=]{0,30}(?: is|:|=) ?['\"`]?"
    r"((?:[a-z]{3,12}[ \-]){3,11}[a-z]{3,12})(?:['\"`]|\.?[ \t]{0,2}(?:\n|$))"
)
# (strings at which it begins, kind, pattern on the text in lower case)
RULES = (
    (_NUMBERED, "pin", _PIN),
    (("seed", "2fa", "totp", "setup key", "secret key"), "totp-seed", _TOTP),
)
_PHRASE_CUES = ("passphrase", "pass phrase")
_SEED_CUES = (
    "24 words", "12 words", "ledger", "trezor", "metamask", "24 слова", "12 слов", "24 wörter",
    "12 wörter", "24 mots", "24 palabras", "12 palabras",
    "seed", "mnemonic", "recovery phrase", "wallet", "seed-", "backup phrase", "фраз", "助记词",
)  # fmt: skip
# In a row, or numbered in a list; the first may stand below what announces them.
_SEED_WORDS = (
    r"(?:[^\n]{0,48}?(?<![a-z0-9])|[^\n]{0,48}+\n{1,2}[ \t>]{0,8})(?:1[.):]? ?)?"
    r"((?:[a-z]{3,8}(?:[ ,]{1,2}|\n)(?:[0-9]{1,2}[.):]? ?)?){11,24}[a-z]{3,8})(?![a-z])"
)
NO_SEED_WORDS = frozenset((
    "the", "and", "for", "with", "that", "this", "are", "was", "not", "you", "from", "have", "has",
    "can", "but", "our", "his", "her", "they", "them", "then", "your", "its", "any", "all", "will",
    "must", "which", "were", "been", "who", "how", "why", "these", "those", "when",
    "word", "words", "required", "missing", "never", "please", "stored", "empty", "wrong",
    "invalid", "needed", "asked", "same", "set", "long", "unknown", "default", "protected",
    "hidden", "enter", "should", "least", "characters", "cannot", "login", "name", "user", "field",
    "given", "incorrect", "confirm", "try", "again", "use", "new", "old", "password", "short",
))  # fmt: skip
# Google's app passwords: four times four letters, shown with blanks.
_APP_CUES = (
    "app password", "app-password", "app-specific password", "application password",
    "app passwort", "app-passwort", "mot de passe d'application", "contraseña de aplicación",
    "senha de app", "пароль приложения", "gmail password", "smtp password", "应用专用密码",
    "アプリ パスワード", "アプリパスワード", "앱 비밀번호",
)  # fmt: skip
_APP_PASSWORD = (
    r"[^\n:：=]{0,48}?(?: is| ist| est| es| é|[ ]?[:：=→])[ ]{0,2}['\"`]?"
    r"((?:[a-z]{4}[ \-]){3}[a-z]{4})(?![a-z])"
)
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
# Without one of its anchors nothing is found.
TABLE = (
    *RULES, (_WITH_CUES,), (_PAIR_CUES,), (_PHRASE_CUES,), (_SEED_CUES,), (_CODE_CUES,),
    (_APP_CUES,),
)  # fmt: skip


def spans_in(text: str, lowered: str, present: "Anchors") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    for anchors, kind, pattern in present.rules(RULES):
        for match in matches_at(lowered, anchors, pattern):
            value = text[match.start(1) : match.end(1)]
            is_one_case = value in (value.lower(), value.upper())  # no name in code
            if is_one_case and (values.has_digit(value) or passwords.is_hard(value)):
                yield match.start(1), match.end(1), kind
    yield from _credentials(text, lowered, present.words(_WITH_CUES), _WITH)
    yield from _credentials(text, lowered, present.words(_PAIR_CUES), _PAIR)
    yield from _passphrases(lowered, present.words(_PHRASE_CUES))
    for cue in present.words(_APP_CUES):
        yield from _app_passwords(lowered, cue)
    for cue in present.words(_SEED_CUES):
        yield from _seed_phrases(text, lowered, cue)
    for cue in present.words(_CODE_CUES):
        for begin in matches_at(lowered, (cue,), f"{cue}{_CODES_BEGIN}"):
            yield from _codes(lowered, begin.end())


def _passphrases(lowered: str, cues: "tuple[str, ...]") -> "Iterator[Span]":
    for match in matches_at(lowered, cues, _PASSPHRASE):
        if NO_SEED_WORDS.isdisjoint(match[1].replace("-", " ").split()):
            yield match.start(1), match.end(1), "passphrase"


def _app_passwords(lowered: str, cue: str) -> "Iterator[Span]":
    for match in matches_at(lowered, (cue,), f"{cue}{_APP_PASSWORD}"):
        groups = match[1].replace("-", " ").split()
        is_spoken = not NO_SEED_WORDS.isdisjoint(groups)
        if not is_spoken and passwords.is_hard("".join(groups)):
            yield match.start(1), match.end(1), "app-password"


def _credentials(
    text: str, lowered: str, cues: "tuple[str, ...]", pattern: str
) -> "Iterator[Span]":
    for match in matches_at(lowered, cues, pattern):
        start, end = match.span(1)
        value = text[start:end].rstrip(".,;:!?)")
        is_algorithm = values.compiled(_ALGORITHM).match(value.lower()) is not None
        if not is_algorithm and candidates.level_of(value) != candidates.NOT:
            yield start, start + len(value), "password"


def _codes(lowered: str, position: int) -> "Iterator[Span]":
    """One code after another, all of one shape, or a single one that is no word."""
    found: list[tuple[int, int]] = []
    shape: list[tuple[int, bool]] = []
    for _ in range(_CODES_MAX):
        match = values.compiled(_CODE).match(lowered, position)
        groups = [_shape_of(group) for group in match[1].replace("-", " ").split()] if match else []
        if match is None or (shape and groups != shape):
            break
        shape = groups
        found.append(match.span(1))
        position = match.end()
    if any(values.has_digit(lowered[start:end]) and end - start > 5 for start, end in found):
        for start, end in found:
            yield start, end, "recovery-code"


def _shape_of(group: str) -> tuple[int, bool]:
    return len(group), group.isdigit()


def _seed_phrases(text: str, lowered: str, cue: str) -> "Iterator[Span]":
    position = 0
    while (start := lowered.find(cue, position)) >= 0:
        position = start + len(cue)
        match = values.compiled(_SEED_WORDS).match(text, position)
        if match and NO_SEED_WORDS.isdisjoint(match[1].replace(",", " ").split()):
            yield match.start(1), match.end(1), "seed-phrase"
            position = match.end()

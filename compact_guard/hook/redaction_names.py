"""Secrets that are called by a name: NAME=value, "name": "value", "the password is …"."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

# A name is found first; what follows is matched from there, every part bounded.
_ANCHORS = (
    "pass", "pwd", "secret", "token", "cred", "key", "cookie", "session", "sig=", "dsn",
    "парол", "токен", "ключ", "密码", "密碼", "口令", "密钥", "令牌",
)  # fmt: skip
_NAME = (
    r"(?i)(?P<strict>(?<![a-z])(?:sig(?==)|dsn)|pass(?:word|wd|phrase|code)|pwd"
    r"|secret(?:[_-]?key)?|credentials?|token(?!s|iz)|cookie|session[_-]?id|cred(?![a-z])"
    r"|(?:api|access|account|app|auth|private|secret|signing|encryption|service|master|admin"
    r"|license|shared[_-]?access|storage|webhook|deploy|consumer|client|jwt|openai|azure|anthropic"
    r"|google|aws|stripe|datadog|cloudflare|mailgun|heroku|django|flask|fernet|hmac)"
    r"[_ -]?(?:api[_ -]?)?key(?!s|[a-z]))"
    r"|(?P<loose>[a-z0-9]key(?=[\"' ]{0,2}[:=])|(?<![a-z])key(?![a-z])|_key(?![a-z]))"
    r"|(?P<foreign>парол[а-я]{0,3}|токен[а-я]{0,3}|ключ[а-я]{0,3}|密码|密碼|口令|密钥|令牌)"
)
_SUFFIX = (
    r"(?:[_-]?(?:id|value|base64|b64|hex|prod|production|staging|stage|dev|test|live|main|primary"
    r"|secondary|old|new|hash|[0-9]{1,2}))?"
)
_BETWEEN = (
    r"(?i)" + _SUFFIX + r"[\"'`*\])）]{0,4}"
    r"(?P<sep>\s{0,4}(?::=|=>|==?|[:：]|->|→)\s{0,4}"
    r"|\s{1,3}(?:is|was|are|to|as)(?:\s{1,2}(?:now|still|set to|just|simply))?\s{0,2}:?\s{1,3}"
    r"|\s{0,2}(?:是|为|為|：|改成|设为)\s{0,3}|\s{0,2}(?:—|-|–|это)\s{1,3})"
    r"(?P<quote>[\"'`*]{0,3})"
)
_FOREIGN_BETWEEN = (
    r"[\"'`*\])）]{0,3}\s{0,3}(?:[:=：—–-]|это|是|为|為|改成|设为|就是)?\s{0,3}"
    r"(?P<quote>[\"'`*「“«]{0,3})"
)
_TYPE = (
    r"\s{0,2}:\s{0,2}(?:str|string|String|bytes)(?:\s{0,2}\|\s{0,2}None)?\s{0,2}=\s{0,2}"
    r"(?P<quote>[\"'`])"
)
_QUOTED = r"[^\"'`\s\\]{4,4096}"
_BARE = r"[^\s\"'`<>(){}\[\],;&|，。；、）」”»\\\x1a]{4,4096}"
_PLACEHOLDERS = frozenset((
    "none", "null", "nil", "true", "false", "undefined", "string", "str", "bytes", "int", "bool",
    "optional", "any", "secret", "password", "passwd", "pass", "token", "changeme", "change_me",
    "example", "placeholder", "redacted", "hidden", "required", "empty", "value", "user",
    "username", "root", "admin", "test", "dummy", "todo", "tbd", "foo", "bar", "bearer", "basic",
    "missing", "invalid", "expired", "unset",
))  # fmt: skip
_PLACEHOLDER_MARKS = (
    "${", "$(", "{{", "<", "***", "xxx", "your", "...", "…", "••", "[redacted", "process.env",
    "os.environ", "getenv", "env.", "secrets.", "example", "changeme", "change-me", "placeholder",
    "insert", "%(", "vault:", "op://", "arn:", "file:", "/run/",
)  # fmt: skip
# Brackets and signs belong to a value that runs to the next white space, up to a next name=.
_REST = r"(?:(?![;&,|]\w{1,40}=)[^\s\"'`\\\x1a，。；、）」”»]){0,4096}"
_NESTED_NAMES_MAX = 16
_patterns: dict[str, re.Pattern[str]] = {}


def spans_in(text: str, lowered: str) -> "Iterator[Span]":
    """Values of secret names as `(start, end, kind)`. `lowered` is the text in lower case."""
    if not any(anchor in lowered for anchor in _ANCHORS):
        return
    position, refused_end, refused = 0, 0, 0
    name = _pattern(_NAME)
    while (match := name.search(text, position)) is not None:
        start, end, kind = _value_span(text, match)
        if kind:
            yield start, end, kind
        # A name inside a refused value gets its chance, but not thousands in one long run.
        refused = refused + 1 if match.end() < refused_end else 0
        if not kind and refused == 0:
            refused_end = end
        position = end if kind or refused > _NESTED_NAMES_MAX else match.end()


def _value_span(text: str, name: re.Match[str]) -> "Span":
    """The value's place; its kind is empty if it is no secret."""
    foreign = name.lastgroup == "foreign"
    between = _pattern(_FOREIGN_BETWEEN if foreign else _BETWEEN).match(text, name.end())
    typed = None if foreign else _pattern(_TYPE).match(text, name.end())
    between = typed or between
    if between is None:
        return name.end(), name.end(), ""
    value = _pattern(_QUOTED if between["quote"] else _BARE).match(text, between.end())
    if value is None:
        return name.end(), name.end(), ""
    end = value.end()
    if not between["quote"] and (name.group().isupper() or between.group().endswith(" ")):
        if _is_called(text, value):
            return value.start(), end, ""
        rest = _pattern(_REST).match(text, end)
        end = rest.end() if rest else end
    whole = text[value.start() : end]
    end = _trimmed_end(text, value.start(), end)
    content = text[value.start() : end]
    if len(content) < 4 or is_placeholder(content) or is_placeholder(whole):
        return value.start(), end, ""
    is_secret = _is_secret(content, name, between)
    return value.start(), end, _kind(name.group()) if is_secret else ""


def _is_called(text: str, value: re.Match[str]) -> bool:
    """`key = load_key(file)`: the result of a call is no literal."""
    is_name = not has_digit(value.group()) and value.group().replace(".", "_").isidentifier()
    return is_name and text.startswith("(", value.end())


def _is_secret(value: str, name: re.Match[str], between: re.Match[str]) -> bool:
    if value.isdigit() and len(value) < 6:
        return False
    if name.lastgroup == "loose":
        return len(value) >= 16 and _is_mixed(value) and not _is_plain_identifier(value)
    assigned = any(mark in between.group() for mark in ("=", ":", "：", "→", "->"))
    prose = name.lastgroup == "foreign" or not assigned or between.group().endswith(": ")
    if between["quote"] and assigned and "." not in value:
        return _is_strong(value) or name.group().isupper() or len(value) >= 8
    if name.group().isupper() and assigned:
        return not _is_code(value)
    if prose:
        return _is_strong(value) and not _is_code(value)
    return (_is_strong(value) or len(value) >= 16) and not _is_code(value)


def _is_strong(value: str) -> bool:
    """Not a word of prose: long enough, and letters mixed with digits or signs."""
    if len(value) < 6:
        return False
    signs = sum(not letter.isalnum() and letter not in "-_./:'" for letter in value)
    return has_digit(value) or (signs > 0 and len(value) >= 8)


def _is_mixed(value: str) -> bool:
    return has_digit(value) and any(letter.isalpha() for letter in value)


def _is_code(value: str) -> bool:
    """An expression or a path rather than a literal: `self.token`, `a/b/c.py`, `60*24`."""
    if value[0] in "$/~.*+-" and not has_digit(value):
        return True
    plain = value.replace(".", "").replace("_", "").replace("/", "").replace(":", "")
    is_name = plain.isalpha() and ("." in value or "/" in value)
    return is_name or value.replace("*", "").isdigit()


def _is_plain_identifier(value: str) -> bool:
    """A hash, a UUID, a path or a dotted name: keys of caches and maps, not of doors."""
    bare = value.replace("-", "").lower()
    is_hash = all(letter in "0123456789abcdef" for letter in bare)
    return is_hash or "/" in value or "." in value or ":" in value


def is_placeholder(value: str) -> bool:
    """Stands for a secret in documentation or templates, or was redacted before."""
    lowered = value.lower()
    if any(mark in lowered for mark in _PLACEHOLDER_MARKS):
        return True
    lowered = lowered.strip("\"'`*.,;:!?")
    if lowered in _PLACEHOLDERS:
        return True
    if len(set(lowered)) <= 2:
        return True
    return value.startswith("$") and value[1:].replace("_", "").isalpha()


def has_digit(value: str) -> bool:
    """True if a digit is in it."""
    return any("0" <= letter <= "9" for letter in value)


def _trimmed_end(text: str, start: int, end: int) -> int:
    """Without the full stop or comma that belongs to the sentence."""
    while end > start and text[end - 1] in ".,:;?*)」”":
        end -= 1
    return end


def _kind(name: str) -> str:
    lowered = name.lower()
    if any(word in lowered for word in ("pass", "pwd", "парол", "密码", "密碼", "口令")):
        return "password"
    if any(word in lowered for word in ("key", "ключ", "密钥")):
        return "key"
    return "token" if any(word in lowered for word in ("token", "токен", "令牌")) else "secret"


def _pattern(source: str) -> re.Pattern[str]:
    if source not in _patterns:
        _patterns[source] = re.compile(source)
    return _patterns[source]

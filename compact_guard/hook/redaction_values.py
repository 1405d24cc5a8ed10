"""What a value looks like: random, made up by a person, a placeholder, or a harmless id."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MASK = "\x1a"  # stands for what no rule may read: it is in no value
_LOWER, _UPPER = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALPHANUMERIC = f"{_LOWER}{_UPPER}0123456789"
_CLASSES = str.maketrans(_ALPHANUMERIC, "a" * 26 + "A" * 26 + "0" * 10)
# A word, with or without a capital, is one run; random text changes class every second letter.
_RUN = re.compile("A?a{1,4096}|A{1,4096}|0{1,4096}")
_RUNS_PER_LETTER = 0.3
_HEX = frozenset("0123456789abcdefABCDEF")
_SIGNS = frozenset("!$%*#^&@~?+")
# Base64 of images, fonts, archives and of public keys begins like this.
MEDIA = (
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "d09GM", "JVBERi", "PHN2Zy", "AAAAC3Nza", "AAAAB3Nza",
    "AAAAE2Vj", "MFkwEwYH", "MCowBQYDK2", "T2dnUw", "UEsDB", "H4sI", "AGFzb",
)  # fmt: skip
_MEDIA = (*MEDIA, "MII")
_ID_PREFIXES = frozenset((
    "msg", "req", "resp", "toolu", "srvtoolu", "call", "chatcmpl", "cmpl", "run", "thread", "asst",
    "file", "org", "proj", "user", "usr", "evt", "event", "pi", "pm", "in", "ch", "cus", "sub",
    "price", "prod", "acct", "txn", "cs", "seti", "si", "ii", "card", "ba", "po", "tr", "batch",
    "gen", "rs", "fc", "item", "conv", "sess", "session", "job", "task", "step", "trace", "span",
    "img", "image", "sha", "sha1", "sha256", "sha384", "sha512", "md5", "commit", "chunk", "main",
    "index", "vendor", "app", "ami", "vpc", "subnet", "sg", "vol", "snap", "eni", "rtb", "igw",
    "i", "eks", "arn", "pk", "css", "sc", "jsx", "id", "uid", "uuid", "team", "ws", "inst", "dpl",
    "prj", "deployment", "checkpoint", "inv", "invoice", "order", "group", "grp", "agent", "node",
    "cache", "layer", "pod", "build", "ft", "ftjob", "modr", "vs", "upload", "part", "text",
    "embd", "rev", "tx", "ref", "blob", "tree", "object", "obj", "doc", "page", "comment", "ctr",
    "webkitformboundary", "boundary", "cid", "bafybei", "ca", "reasoning", "msgbatch", "container",
    "wf", "workflow", "exec", "attempt", "conversation", "message", "request", "response",
))  # fmt: skip
_DOUBTFUL_PREFIXES = frozenset((
    "pk", "fc", "cs", "sc", "ca", "rs", "ch", "si", "ii", "ba", "po", "tr", "in", "vs", "ws",
))  # fmt: skip
_HARMLESS = (
    r"v?[0-9]{1,4}\.[0-9]{1,4}(?:\.[0-9]{1,4})?(?:[\-+._][\w.\-+]{0,60})?"
    r"|v?[0-9][0-9.,:_/\-+TZ%]{0,60}"
    r"(?:-?(?:rc|alpha|beta|dev|post|build)[.\-+]?[0-9]{0,6})?[a-z]{0,3}"
    r"|[A-Za-z]{2,24}[-_.]?[0-9]{1,3}[a-z]{0,4}"  # utf8, oauth2, argon2id, item-12
    r"|[\w.+\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,6}"
    r"|[A-Z]{0,10}[\-#][0-9]{1,9}"  # a ticket
    r"|0x[0-9A-Fa-f]{1,40}|#[0-9A-Fa-f]{3,8}"
    r"|(?:[A-Z][a-z]{1,20}){2,8}+[0-9]{0,3}(?:[A-Z][a-z]{1,20}){0,8}"
    r"|[\w\-.@]{1,128}\.[a-z][a-z0-9]{0,4}"  # a file, a host
    r"|[A-Za-z]{1,24}[0-9]{0,3}(?:[_.:\-][A-Za-z]{0,24}+(?:[0-9]{1,3}+[A-Za-z]{0,3}+)?+){1,12}"
)
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_PLACEHOLDERS = frozenset((
    "none", "null", "nil", "true", "false", "undefined", "string", "str", "bytes", "int", "bool",
    "optional", "any", "secret", "password", "passwd", "pass", "token", "changeme", "change_me",
    "example", "placeholder", "redacted", "hidden", "required", "empty", "value", "user",
    "username", "root", "admin", "test", "dummy", "foo", "bar", "bearer", "basic", "missing",
    "invalid", "expired", "unset", "default", "inherit", "include", "n/a", "na", "tbd", "apikey",
    "api_key", "key", "abc123", "password123", "test123", "secret123", "tiger", "disabled",
    "enabled",
))  # fmt: skip
_PLACEHOLDER_MARKS = (
    "${", "$(", "{{", "}}", "***", "xxxx", "your-", "your_", "yourp", "yourk", "yours", "yourt",
    "...", "…", "••", "process.env", "os.environ", "getenv", "example", "changeme", "change-me",
    "change_me", "placeholder", "replace-me", "replace_me", "replaceme", "replace-with", "insert-",
    "insert_", "%(", "vault:", "op://", "arn:aws", "file:", "/run/secrets", "dummy", "redacted",
    "secrets.", "for-test", "test-token", "test-key", "test_key", "test_token", "fake-", "fake_",
    "-here", "_here",
)  # fmt: skip
_patterns: dict[str, re.Pattern[str]] = {}


def compiled(source: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed: most texts need few of them."""
    if source not in _patterns:
        _patterns[source] = re.compile(source)
    return _patterns[source]


def matches_at(
    text: str, anchors: "Iterable[str]", pattern: str, before: int = 0
) -> "Iterator[re.Match[str]]":
    """Matches that begin at an anchor, or with the word of `before` letters or less it stands in.

    Tried once or twice per anchor, so that the cost is in proportion to the text.
    """
    expression: re.Pattern[str] | None = None
    for anchor in anchors:
        position = 0
        while (at := text.find(anchor, position)) >= 0:
            position = at + len(anchor)
            expression = expression or compiled(pattern)
            for start in _starts(text, at, before):
                match = expression.match(text, start)
                if match is not None:
                    yield match
                    position = max(position, match.end())
                    break


def _starts(text: str, at: int, before: int) -> "Iterator[int]":
    """Where the word begins that stands in front of a place, read with and without dashes."""
    if before == 0:
        yield at
        return
    head = text[max(0, at - before) : at]
    yield at - len(head) + len(head.rstrip(_ALPHANUMERIC))
    yield at - len(head) + len(head.rstrip(_ALPHANUMERIC + "_-"))


def has_digit(value: str) -> bool:
    """True if an ASCII digit is in it."""
    return "0" in value.translate(_CLASSES)


def has_sign(value: str) -> bool:
    """True if a sign is in it that no word and no number has."""
    return not _SIGNS.isdisjoint(value)


def is_random(value: str, fewest: int = 12, digits: bool = True) -> bool:
    """True if letters and digits alternate as no word or name does."""
    classes = value.translate(_CLASSES)
    if (digits and "0" not in classes) or ("a" not in classes and "A" not in classes):
        return False
    runs = _RUN.findall(classes)
    alphanumeric = sum(map(len, runs))
    if alphanumeric < fewest or len(value) - alphanumeric > alphanumeric // 3:
        return False
    numbers = sum(run[0] == "0" for run in runs)
    if alphanumeric >= 24 and numbers >= 3 and value.isalnum():
        return True  # a long unbroken string with numbers all over is no name
    if len(runs) < alphanumeric * _RUNS_PER_LETTER:
        return False
    if "A" in classes and sum(len(run) for run in runs if run[-1] == "a" and len(run) > 2) * 3 > (
        alphanumeric * 2
    ):
        return False
    words = sum(len(run) for run in runs if len(run) > 5 and run[-1] == "a")
    return words * 2 <= alphanumeric or classes.count("0") * 6 >= alphanumeric >= 24


def is_mixed(value: str) -> bool:
    """True if small letters, capitals and digits are all in it."""
    classes = value.translate(_CLASSES)
    return "a" in classes and "A" in classes and "0" in classes


def is_hex(value: str, fewest: int = 20) -> bool:
    """True for a hexadecimal number of some length: as often a hash as a secret."""
    return len(value) >= fewest and _HEX.issuperset(value)


def is_uuid(value: str) -> bool:
    """True for an id of the usual form, which some vendors use as a key."""
    return len(value) == 36 and compiled(_UUID).fullmatch(value) is not None


def is_password(value: str) -> bool:
    """True if a person or a generator may have made it up, and nobody would write it as a word."""
    classes = value.translate(_CLASSES)
    digits = classes.count("0")
    if len(value) < 8 or digits < 2 or len(value) - digits < 2 or is_harmless(value):
        return False
    if "a" in classes and "A" in classes:
        return True
    return not _SIGNS.isdisjoint(value) or is_random(value, 8)


def is_strong_password(value: str) -> bool:
    """True if it can be told from names and ids even in the middle of a sentence."""
    return is_mixed(value) and not _SIGNS.isdisjoint(value) and is_password(value)


def is_phrase(value: str) -> bool:
    """`mango-pepper-saddle-841`: three words or more, and a number."""
    parts = value.replace("_", "-").split("-")
    words = [part for part in parts if part.isalpha() and len(part) > 2]
    return len(words) >= 3 and parts[-1].isdigit() and len(parts[-1]) >= 2


def is_harmless(value: str) -> bool:
    """A version, date, path, address, file, name in code, hash with its label, or id."""
    if has_id_prefix(value):
        return not (has_doubtful_prefix(value) and is_random(value[3:], 16))
    if is_uuid(value) or value.startswith(_MEDIA):
        return True
    if "/" in value and not is_random(value, 16 if value[0] != "/" else 40):
        return True
    if "/" in value and (value[0] in "~." or "." in value):
        return True
    return compiled(_HARMLESS).fullmatch(value) is not None and not is_random(value, 16)


def has_id_prefix(value: str) -> bool:
    """`msg_…`, `sha256-…`: what the prefix says is no secret."""
    prefix, sign, _ = value.replace("-", "_").partition("_")
    return bool(sign) and prefix.lower() in _ID_PREFIXES


def has_doubtful_prefix(value: str) -> bool:
    """`pk_…`, `fc-…`: an id of one vendor and a key of another."""
    prefix, sign, _ = value.replace("-", "_").partition("_")
    return bool(sign) and prefix in _DOUBTFUL_PREFIXES


def is_media(value: str) -> bool:
    """Base64 of an image, a font, a certificate or a public key."""
    return value.startswith(_MEDIA)


def is_placeholder(value: str) -> bool:
    """Stands for a secret in documentation or templates, or was redacted before."""
    lowered = value.lower()
    if any(mark in lowered for mark in _PLACEHOLDER_MARKS):
        return True
    if value[:1] in "<%" and value[-1:] in ">%":
        return True
    bare = lowered.strip("\"'`*.,;:!?<>[]")
    letters = set(bare.replace("-", ""))
    if bare in _PLACEHOLDERS or len(letters) <= 1 or (len(letters) == 2 and not has_digit(bare)):
        return True
    name = value[1:].replace("_", "").rstrip("0123456789")
    return value.startswith("$") and (name.isalpha() or not name)

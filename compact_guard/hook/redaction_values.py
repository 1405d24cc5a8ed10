"""What a value looks like: random, made up by a person, a placeholder, or a harmless id."""

import re

MASK = "\x1a"  # stands for what no rule may read: it is in no value
_LOWER, _UPPER = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALPHANUMERIC = f"{_LOWER}{_UPPER}0123456789"
_CLASSES = str.maketrans(ALPHANUMERIC, "a" * 26 + "A" * 26 + "0" * 10)
# A word, with or without a capital, is one run; random text changes class every second letter.
_RUN = re.compile("A?a{1,4096}|A{1,4096}|0{1,4096}")
_RUNS_PER_LETTER = 0.3
_HEX = frozenset("0123456789abcdefABCDEF")
_SIGNS = frozenset("!$%*#^&@~?+")
# Base64 of images, fonts, archives and of public keys begins like this.
MEDIA = (
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "d09GM", "JVBERi", "PHN2Zy", "AAAAC3Nza", "AAAAB3Nza",
    "AAAAE2Vj", "MFkwEwYH", "MCowBQYDK2", "T2dnUw", "UEsDB", "H4sI", "AGFzb",
    "LS0tLS1CRUdJTiBDRVJU", "LS0tLS1CRUdJTiBQVUJM",
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
    r"|[a-z]{1,20}+[0-9]{1,4}(?:[A-Z][a-z]{2,20}+){1,4}"  # x509Certificate
    r"|(?:[A-Z][a-z]{1,20}){2,8}+[0-9]{0,3}(?:[A-Z][a-z]{1,20}){0,8}"
    r"|[\w\-.@]{1,128}\.[a-z][a-z0-9]{0,4}"  # a file, a host
    r"|[A-Za-z]{1,24}[0-9]{0,3}(?:[_.:\-][A-Za-z]{0,24}+(?:[0-9]{1,3}+[A-Za-z]{0,3}+)?+){1,12}"
)
_JOINING = r"(?!index)[a-z0-9]{6}\.(?=[a-z]{0,15}[0-9])[a-z0-9]{16}"  # a cluster's token
_CONSONANTS = "[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{6}"  # more in a row than words have
_JOINING_CHARS = 23
# An address of memory; what a message, a call or an account is called.
_NUMBERED = "0[xX][0-9A-Fa-f]{1,16}|(?!SK)[A-Z]{2}[0-9a-f]{32}"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_patterns: dict[str, re.Pattern[str]] = {}


def compiled(source: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed: most texts need few of them."""
    if source not in _patterns:
        _patterns[source] = re.compile(source)
    return _patterns[source]


def has_digit(value: str) -> bool:
    """True if an ASCII digit is in it."""
    return "0" in value.translate(_CLASSES)


def has_sign(value: str) -> bool:
    """True if a sign is in it that no word and no number has."""
    return not _SIGNS.isdisjoint(value)


def is_random(value: str, fewest: int = 12, digits: bool = True) -> bool:
    """True if letters and digits alternate as no word or name does."""
    if len(value) == _JOINING_CHARS and compiled(_JOINING).fullmatch(value):
        return True
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
        return _is_unspeakable(value, fewest)
    word_letters = sum(len(run) for run in runs if run[-1] == "a" and len(run) > 2)
    words = sum(len(run) for run in runs if len(run) > 5 and run[-1] == "a")
    is_camel_case = "A" in classes and word_letters * 3 > alphanumeric * 2
    is_numbered = classes.count("0") * 6 >= alphanumeric >= 24
    return not is_camel_case and (words * 2 <= alphanumeric or is_numbered)


def _is_unspeakable(value: str, fewest: int) -> bool:
    """In one case, so that its letters do not alternate, but with a number amid consonants."""
    if (
        not value.isalnum()
        or len(value) < max(fewest, 16)
        or value not in (value.lower(), value.upper())
    ):
        return False
    digits_inside = has_digit(value.rstrip("0123456789"))
    return digits_inside and compiled(_CONSONANTS).search(value) is not None


def count_runs(value: str) -> int:
    """How many words, numbers and rows of capitals it is made of."""
    return len(_RUN.findall(value.translate(_CLASSES)))


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
    if len(value) < 8 or digits < 1 or len(value) - digits < 2 or is_harmless(value):
        return False
    if digits < 2:  # one is enough for what a generator makes
        return len(value) > 9 and "a" in classes and not (_SIGNS - {"+"}).isdisjoint(value)
    if "a" in classes and "A" in classes:
        return True
    return not _SIGNS.isdisjoint(value) or is_random(value, 8)


def count_signs(value: str) -> int:
    """How many of its characters are signs that no word and no number has."""
    return sum(letter in _SIGNS for letter in value)


def has_inner_capital(value: str) -> bool:
    """True if it is neither in one case nor a word that begins with a capital."""
    inner = value[1:]
    return inner != inner.lower() and not value.isupper()


def is_strong_password(value: str) -> bool:
    """True if it can be told from names and ids even in the middle of a sentence."""
    return is_mixed(value) and not _SIGNS.isdisjoint(value) and is_password(value)


def is_phrase(value: str) -> bool:
    """`mango-pepper-saddle-841`: three words or more, and a number."""
    parts = value.replace("_", "-").split("-")
    words = [part for part in parts if part.isalpha() and len(part) > 2]
    numbers = [part for part in parts if part.isdigit() and len(part) >= 2]
    is_whole = len(words) + len(numbers) == len(parts)
    return len(words) >= 3 and len(numbers) == 1 and (is_whole or parts[-1].isdigit())


def is_harmless(value: str) -> bool:
    """A version, date, path, address, file, name in code, hash with its label, or id."""
    if has_id_prefix(value):
        return not (has_doubtful_prefix(value) and is_random(value[3:], 16))
    if is_uuid(value) or value.startswith(_MEDIA) or compiled(_NUMBERED).fullmatch(value):
        return True
    if "/" in value and not is_random(value, 16 if value[0] != "/" else 40):
        return not is_base64(value)
    if "/" in value and (value[0] in "~." or "." in value):
        return True
    if compiled(_HARMLESS).fullmatch(value) is None or is_random(value, 16):
        return False
    return not (value.isalnum() and is_random(value, 12, digits=False))


def is_base64(value: str) -> bool:
    """`/R7I2ERncCrjvOsPEP0tOT==`: no path has such parts."""
    plain = value.rstrip("=").replace("/", "").replace("+", "")
    is_whole = len(value) % 4 == 0 and len(value) >= 20 and value.count("/") <= len(value) // 8
    return is_whole and plain.isalnum() and is_mixed(plain) and is_random(plain, 16)


def has_id_prefix(value: str) -> bool:
    """`msg_…`, `sha256-…`: what the prefix says is no secret."""
    prefix, sign, _ = value.replace("-", "_").partition("_")
    if not sign or not (prefix.islower() or prefix.isupper()):
        return False
    return prefix.lower() in _ID_PREFIXES


def has_doubtful_prefix(value: str) -> bool:
    """`pk_…`, `fc-…`: an id of one vendor and a key of another."""
    prefix, sign, _ = value.replace("-", "_").partition("_")
    return bool(sign) and prefix in _DOUBTFUL_PREFIXES


def is_noise(value: str) -> bool:
    """A long number or noise, of which no part is a word: what stands in a credential's place."""
    if is_media(value):
        return False
    return is_uuid(value) or is_hex(value, 32) or is_random(value, 18)


def is_media(value: str) -> bool:
    """Base64 of an image, a font, a certificate or a public key."""
    return value.startswith(_MEDIA)

"""What stands in a secret's place in documentation, templates and redacted texts."""

from functools import lru_cache  # `re` has imported it anyway

from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words

_PLACEHOLDERS = frozenset((
    "none", "null", "nil", "true", "false", "undefined", "string", "str", "bytes", "int", "bool",
    "optional", "any", "secret", "password", "passwd", "pass", "token", "changeme", "change_me",
    "example", "placeholder", "redacted", "hidden", "required", "empty", "value", "user",
    "username", "root", "admin", "test", "dummy", "foo", "bar", "bearer", "basic", "missing",
    "invalid", "expired", "unset", "default", "inherit", "include", "n/a", "na", "tbd", "apikey",
    "api_key", "key", "abc123", "password123", "test123", "secret123", "tiger", "disabled",
    "enabled", "same-origin", "omit", "text", "varchar", "plaintext", "hashed", "encrypted",
    "your", "mypassword", "mysecret", "apikeyhere", "unknown", "generated", "ask-me", "prompt",
))  # fmt: skip
_PLACEHOLDER_MARKS = (
    "${", "$(", "{{", "}}", "***", 
    "...", "…", "••", "process.env", "os.environ", "getenv", "example", "changeme", "change-me",
    "change_me", "placeholder", "replace-me", "replace_me", "replaceme", "replace-with", "insert-",
    "insert_", "%(", "!vault", "vault:", "op://", "arn:aws", "file:", "/run/secrets", "dummy",
    "redacted", "secrets.", "for-test", "test-token", "test-key", "test_key", "test_token",
    "&lt;",
)  # fmt: skip
_SHORT_MARKS = (  # noise may hold them by chance
    "your-", "your_", "yourp", "yourk", "yours", "yourt", "fake-", "fake_", "-here", "_here",
    "xxxx",
)  # fmt: skip
_NOISE_CHARS = 20
_TEMPLATE_MARKS = (  # in a template's words, but by chance or taste in a secret with numbers, too
    "enter-", "enter_", "fill-", "fill_", "put-", "put_", "my-", "my_", "todo", "not-a-", "not_a_",
    "some-", "some_", "any-", "any_", "the-", "the_", "paste",
)  # fmt: skip
_NAMES = tuple(
    cue
    for cue in (*words.LATIN, *words.FOREIGN)
    if (len(cue) > 4 or not cue.isascii()) and cue != "pepper"  # a word that dice choose, too
)
_TYPES = ("privatekey", "publickey", "secretkey", "accesstoken", "password", "passwordhasher")
_JOINTS = str.maketrans("", "", "-_. ")


@lru_cache(maxsize=512)  # hostile texts repeat themselves
def is_placeholder(value: str) -> bool:
    """Stands for a secret in documentation or templates, or was redacted before."""
    lowered = value.lower()
    if _is_marked(value, lowered) or (value[:1] in "<%" and value[-1:] in ">%"):
        return True
    bare = lowered.strip("\"'`*.,;:!?<>[]()")
    letters = set(bare.replace("-", ""))
    if bare in _PLACEHOLDERS or len(letters) <= 1:
        return True
    if not values.has_digit(bare) and (len(letters) == 2 or _is_wording(bare)):
        return True
    if bare.endswith(_TYPES) and value.isalnum() and not value[:1].islower():
        return True  # a class
    name = value[1:].replace("_", "").rstrip("0123456789")
    return value.startswith("$") and (name.isalpha() or not name)


def _is_marked(value: str, lowered: str) -> bool:
    if any(map(lowered.__contains__, _PLACEHOLDER_MARKS)):
        return True
    if not any(mark in lowered for mark in _SHORT_MARKS):
        return False
    return not (values.is_mixed(value) and values.is_random(value, _NOISE_CHARS))


def _is_wording(value: str) -> bool:
    """`enter-password`, `tu_contraseña`: the words for a secret, in any language."""
    if not value.translate(_JOINTS).isalpha():
        return False
    spaced = value.replace("_", " ").replace("-", " ")
    return value.startswith(_TEMPLATE_MARKS) or any(
        name in value or name in spaced for name in _NAMES
    )

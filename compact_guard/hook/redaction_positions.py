"""Numbers where a tool takes its credential: `wandb login 4f2a…`, `codecov -t 1c4b…`.

A hexadecimal number or a UUID is as often an id: only what a command does with it tells.
"""

from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_unnamed as unnamed
from compact_guard.hook import redaction_values as values
from compact_guard.hook.redaction_anchors import matches_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_VALUE = r"['\"]?([A-Za-z0-9_\-.+/=]{20,256})(?![A-Za-z0-9_\-.+/=])"
_USER = r"(?:[\w.@\-]{2,64} )?"  # whose credential it is
_VERBS = (
    "login ", "authorize ", "authtoken ", "auth ", "set-token ", "set-key ", "set-api-key ",
    "token ", "apikey ", "api-key ", "activate ", "register ", "authenticate ", "connect ",
)  # fmt: skip
# A secret beside the name that says so: `--name db/password --value …`.
_OPTIONS = ("--value", "--secret-string", "--body", "--plaintext", "--content", "--string-value")
_OPTION = r"--[a-z\-]{4,16}[ =]{1,3}(?:'([^'\s]{6,512})'|\"([^\"\s]{6,512})\"|([^\s'\"]{6,512}))"
_SUBJECTS = ("password", "passwd", "secret", "token", "credential", "api-key", "apikey", "api_key")
_LETTERS = (" -t ", " -k ", " -a ", " -p ", " -s ")
_JSON_NAMES = ('"api":', '"pat":', '"auth":')
# Without one of its anchors nothing is found.
TABLE = ((_VERBS,), (_LETTERS,), (_JSON_NAMES,), (_OPTIONS,))
# A tool and perhaps a part of it, behind a prompt.
_COMMAND = r"(?:[^\n]{0,80}[$#!>%;&|`\"'(:] {0,3}|[ \t]{0,16})[\w./\-]{2,40}(?: [\w\-]{2,24}){0,2} "
_NO_TOOLS = frozenset((  # what commits and their messages begin with
    "fix", "fixes", "fixed", "broke", "merge", "revert", "reverts", "pick", "commit", "see",
    "after", "before", "in", "by", "at", "the", "show", "checkout",
))  # fmt: skip
_LINE_CHARS = 160
_HINTS = (*unnamed.MAKERS, "token", "auth", "upload", "login", "agent", "api", "key", "register")


def spans_in(text: str, lowered: str, present: "Anchors") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    for anchors, is_place, skipped in ((_VERBS, _is_command, _USER), (_LETTERS, _is_hinted, "")):
        for anchor in present.words(anchors):
            for match in matches_at(lowered, (anchor,), anchor + skipped + _VALUE):
                start, end = match.span(1)
                head = lowered[max(0, match.start() - _LINE_CHARS) : match.start()]
                if is_place(head.rpartition("\n")[2]) and values.is_noise(text[start:end]):
                    yield start, end, "token"
    for match in matches_at(lowered, present.words(_JSON_NAMES), r'"[a-z]{3,4}": ?' + _VALUE):
        if values.is_noise(text[match.start(1) : match.end(1)]):
            yield match.start(1), match.end(1), "token"
    yield from _beside_names(text, lowered, present.words(_OPTIONS))


def _beside_names(text: str, lowered: str, anchors: "tuple[str, ...]") -> "Iterator[Span]":
    for match in matches_at(lowered, anchors, _OPTION):
        start, end = match.span(match.lastindex or 0)
        head = lowered[max(0, start - _LINE_CHARS) : match.start()].rpartition("\n")[2]
        is_secret = any(map(head.__contains__, _SUBJECTS))
        value = text[start:end]
        if is_secret and passwords.is_odd(value) and not placeholders.is_placeholder(value):
            yield start, end, "secret"


def _is_command(head: str) -> bool:
    if not _NO_TOOLS.isdisjoint(head.split()):
        return False
    return values.compiled(_COMMAND).fullmatch(head) is not None


def _is_hinted(head: str) -> bool:
    return any(map(head.__contains__, _HINTS))

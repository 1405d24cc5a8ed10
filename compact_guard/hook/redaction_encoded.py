"""Secrets in base64: of `user:password`, of a key file, of anything that our rules know.

Kubernetes' manifests of `kind: Secret` hold nothing else: there every value goes.
"""

from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_BASE64 = r"(?<![A-Za-z0-9+/=_\-])[A-Za-z0-9+/]{14,16384}={0,2}(?![A-Za-z0-9+/=_\-])"
_PAIR_CHARS_MAX = 400
_NESTED_CHARS_MIN = 24  # shorter than a token of any vendor
_NESTED_CHARS_MAX = 4_096  # longer ones are documents
_YAML_LINE = r"[ \t>|+\-]{0,40}[\w.\-/]{1,128}:(?!//)"
_JSON_LINE = r"[ \t]{0,40}(?:\"[\w.\-/]{1,128}\":|[{}\[\]],?[ \t]{0,4}\r?\n)"
_MANIFESTS = ("kind: secret", '"kind":"secret"', '"kind": "secret"')
TABLE = ((_MANIFESTS,),)  # without one of its anchors only long words are read
_MANIFEST_LINES_MAX = 200
_LINE_CHARS_MAX = 20_000
_STRING_ENDS = ('", "', '","', '"}')  # the manifest was a string in JSON
_LINE_END = r"[,\"' \t]{0,4}(?:\r?\n|$)"
_SECTION = r"[ \t]{0,40}['\"]?(?:data|stringdata)['\"]?:"
_ENTRY = r"[ \t>]{0,40}[\"']?([\w.\-/]{1,128})[\"']?:[ \t]{1,8}[\"']?([^\s\"',]{4,16384})"


def spans_in(
    text: str, lowered: str, present: "Anchors", rules: "Callable[[str], list[Span]]"
) -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`; `rules` finds those of a decoded text."""
    if present.has_telling:
        yield from _nested(text, rules)
    for mark in present.words(_MANIFESTS):
        yield from _manifests(text, lowered, mark, _YAML_LINE if mark[0] == "k" else _JSON_LINE)


def _nested(text: str, rules: "Callable[[str], list[Span]]") -> "Iterator[Span]":
    refused: set[str] = set()
    for match in values.compiled(_BASE64).finditer(text):
        encoded = match.group()
        if encoded in refused:
            continue
        kind = _kind_of(encoded, rules)
        if kind:
            yield match.start(), match.end(), kind
        else:
            refused.add(encoded)


def telling(words: str) -> "Iterator[int]":
    """Where words stand in a row of them that may be encoded."""
    for match in values.compiled(_BASE64).finditer(words):
        if decoded(match.group()):
            yield match.start()


def _kind_of(encoded: str, rules: "Callable[[str], list[Span]]") -> str:
    plain = decoded(encoded)
    if len(encoded) <= _PAIR_CHARS_MAX and _is_pair(plain):
        return "authorization"
    if len(encoded) < _NESTED_CHARS_MIN or len(plain) < len(encoded) // 2:
        return ""
    if "PRIVATE KEY" in plain:
        return "private-key"
    found = rules(plain) if len(encoded) <= _NESTED_CHARS_MAX else []
    return found[0][2] if found else ""


def decoded(encoded: str) -> str:
    """What it stands for if that is plain text, else nothing."""
    if encoded.isalpha() or encoded.isdigit() or encoded.islower() or encoded.isupper():
        return ""
    import binascii  # an extension that only this rule needs

    whole = encoded.rstrip("=")
    try:
        plain = binascii.a2b_base64(whole[: len(whole) // 4 * 4] + _rest(whole)).decode("ascii")
    except ValueError:
        return ""
    return plain if plain.replace("\n", "").replace("\r", "").isprintable() else ""


def _rest(whole: str) -> str:
    """The last letters, padded; a text that was cut off may end with one letter too many."""
    rest = whole[len(whole) // 4 * 4 :]
    return rest + "=" * (4 - len(rest)) if len(rest) > 1 else ""


def _is_pair(plain: str) -> bool:
    """`user:password`, as Basic headers and Docker's settings hold it."""
    user, colon, password = plain.partition(":")
    if not colon or " " in plain or "\n" in plain or len(password) < 4:
        return False
    return user.replace("_", "").replace("-", "").replace(".", "").replace("@", "").isalnum()


def _manifests(text: str, lowered: str, mark: str, line: str) -> "Iterator[Span]":
    """The values under `data:` and `stringData:`, in front of the kind or behind it."""
    position = 0
    while (at := lowered.find(mark, position)) >= 0:
        position = at + len(mark)
        # Not SecretStore or SecretProviderClass; and a manifest has lines.
        if values.compiled(_LINE_END).match(text, position) is None:
            continue
        start = lowered.rfind("\n", max(0, at - _LINE_CHARS_MAX), at) + 1
        first = _first_line(text, start, line)
        position = max(position, _last_line_end(text, start, line))
        yield from _entries(text, lowered, first, position)


def _first_line(text: str, start: int, line: str) -> int:
    """Where the lines of a manifest begin whose kind stands in the line at `start`."""
    begins = values.compiled(line)
    for _ in range(_MANIFEST_LINES_MAX):
        floor = max(0, start - _LINE_CHARS_MAX)
        before = text.rfind("\n", floor, max(0, start - 1)) + 1
        if before >= start or before < floor or not begins.match(text, before):
            break
        start = before
    return start


def _last_line_end(text: str, start: int, line: str) -> int:
    begins = values.compiled(line)
    for _ in range(_MANIFEST_LINES_MAX):
        end = text.find("\n", start, start + _LINE_CHARS_MAX)
        end = end if end >= 0 else min(len(text), start + _LINE_CHARS_MAX)
        if any((last := text.find(mark, start, end)) >= 0 for mark in _STRING_ENDS):
            return last
        if not begins.match(text, end + 1):
            return end
        start = end + 1
    return start


def _entries(text: str, lowered: str, start: int, end: int) -> "Iterator[Span]":
    entry, section = values.compiled(_ENTRY), values.compiled(_SECTION)
    depth = -1  # how far the section is indented; -1 outside of one
    while start < end:
        line_end = text.find("\n", start, end)
        line_end = line_end if line_end >= 0 else end
        indent = line_end - start - len(text[start:line_end].lstrip())
        if section.match(lowered, start, line_end):
            depth = indent
        elif indent <= depth:
            depth = -1
        match = entry.match(text, start, line_end) if indent > depth >= 0 else None
        if match and not placeholders.is_placeholder(match[2]):
            yield match.start(2), match.end(2), "secret"
        start = line_end + 1

"""Tokens that tell by themselves: a vendor's mark, or the structure that vendors' marks have."""

from compact_guard.hook import redaction_cues as cues
from compact_guard.hook import redaction_marks as marks
from compact_guard.hook import redaction_noise as noise
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words
from compact_guard.hook.redaction_anchors import matches_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_BY_HEAD: dict[str, list[tuple[str, str, int]]] = {}
_HEAD_CHARS = 2
_UPPER_MARKS = frozenset(("AKIA", "ASIA", "ABIA", "ACCA", "LTAI"))
_PATH_SIGNS = ("/", "\\", "@", "#", "+", ",", "%")
_LABEL_CHARS = 40
_LABEL_SIGNS = str.maketrans("\"'`:=&?<>([{-._*\\", " " * 17)
_ID_ENDINGS, _IDS = (
    ("Id", "ID"),
    frozenset(("id", "ids", "gclid", "fbclid", "msclkid", "x5t", "kid", "jti")),
)
_PUBLIC_PARTS = frozenset(("match", "nonce", "state", "challenge", "site"))
_HARMLESS = words.HARMLESS_BEFORE - {"error"}
_RUN = r"[A-Za-z0-9_\-.~]{12,8192}"
_PADDING = r"[A-Za-z0-9_\-.~+/]{0,8192}={0,3}"


def _index() -> dict[str, list[tuple[str, str, int]]]:
    """Marks by their first letters, longest first: one look-up refuses nearly every word."""
    if not _BY_HEAD:
        for kind, row in marks.MARKS.items():
            for mark in row.split(" "):
                entry = (mark, kind, marks.FEWEST_BEHIND.get(mark, marks.FEWEST))
                _BY_HEAD.setdefault(mark[:_HEAD_CHARS], []).append(entry)
        for entries in _BY_HEAD.values():
            entries.sort(key=lambda entry: -len(entry[0]))
    return _BY_HEAD


def spans_in(text: str, present: "Anchors") -> "Iterator[Span]":
    """Vendors' tokens as `(start, end, kind)`."""
    index = _index()
    refused: set[str] = set()
    for match in values.compiled(_RUN).finditer(text):
        run = match.group()
        if run in refused or (run[:_HEAD_CHARS] not in index and not _may_hold_token(run)):
            continue
        found = list(_in_run(text, match.start(), run, index))
        if not found:
            refused.add(run)
        yield from found
    for anchors, before, kind, pattern in present.rules(marks.SHAPES):
        for match in matches_at(text, anchors, pattern, before):
            yield match.start(), match.end(), kind


def _may_hold_token(run: str) -> bool:
    return "." in run or run[0] in "-_~" or (len(run) >= 20 and values.has_digit(run))


def _in_run(
    text: str, start: int, run: str, index: dict[str, list[tuple[str, str, int]]]
) -> "Iterator[Span]":
    """A run may begin with a list's dash or a diff's sign, and hold a token behind a dot."""
    offset = len(run) - len(run.lstrip("-._~"))
    end = len(run.rstrip(".-~"))
    for number in range(4):
        token = run[offset:end]
        if len(token) < marks.FEWEST:
            return
        kind = _marked_kind(token, index) or (
            "" if number else _structured_kind(token, text, start)
        )
        if kind:
            tail = values.compiled(_PADDING).match(text, start + end) if end == len(run) else None
            yield (
                start + offset,
                tail.end() if tail and _ends_padded(tail.group()) else start + end,
                kind,
            )
            return
        dot = run.find(".", offset, end)
        if dot < 0:
            return
        offset = dot + 1


def _ends_padded(tail: str) -> bool:
    """Base64 has signs that are in no name; behind a token they belong to it up to the padding."""
    if tail[:1] not in ("+", "/", "=") or tail[-1:] == ".":
        return False
    return "//" not in tail or values.is_mixed(tail.rpartition("//")[2])


def _marked_kind(token: str, index: dict[str, list[tuple[str, str, int]]]) -> str:
    if token[0] in "MNO" and values.compiled(marks.DISCORD).fullmatch(token):
        return "discord-token"
    for mark, kind, fewest in index.get(token[:_HEAD_CHARS], ()):
        if token.startswith(mark):
            tail = token[len(mark) :]
            if len(tail) < fewest or placeholders.is_placeholder(tail):
                continue
            if mark in _UPPER_MARKS:
                return kind if len(tail) < 32 and _is_unbroken(tail, mark) else ""
            if _looks_random(tail):
                return kind
    return ""


def _is_unbroken(tail: str, mark: str) -> bool:
    return tail.isalnum() and (mark == "LTAI" or tail.isupper())


def _looks_random(tail: str) -> bool:
    """Not words joined by dashes (`sk-learn-like-names-are-fine`)."""
    pieces = tail.replace("-", "_").replace(".", "_").split("_")
    if len(pieces) > 4 and tail.islower() and not values.is_uuid(tail[-36:]):
        return False
    longest = max(pieces, key=len)
    if values.has_digit(tail):
        is_id = values.is_uuid(tail[-36:]) or values.is_hex(longest, 24)
        is_noise = values.is_random(longest, 10) or values.is_random(tail, 10)
        return is_id or is_noise or passwords.is_irregular(longest)
    if len(longest) < marks.FEWEST_LETTERS:
        return False
    return values.is_random(longest, 16, digits=False) or passwords.is_scrambled(longest)


def _structured_kind(token: str, text: str, start: int) -> str:
    """`abc_live_8fK2…`: a short word or two, a dash, and a long random tail."""
    if len(token) < 20 or text[start - 1 : start] in _PATH_SIGNS or values.has_id_prefix(token):
        return ""
    if _is_identifier(text, start) or passwords.is_member(token):
        return ""
    following = text[start + len(token) : start + len(token) + 1]
    return "token" if noise.is_token(token, following) else ""


def _is_identifier(text: str, start: int) -> bool:
    """`X-Amz-Cf-Id: …`, `&gclid=…`, `"etag": "…"`: its name says that it is no secret."""
    before = text[max(0, start - _LABEL_CHARS) : start].translate(_LABEL_SIGNS).split()
    if not before:
        return False
    label = before[-2] if before[-1].isdigit() and len(before) > 1 else before[-1]
    if not _PUBLIC_PARTS.isdisjoint(cues.parts(" ".join(before[-2:]))):
        return True
    return label.endswith(_ID_ENDINGS) or label.lower() in _IDS or label.lower() in _HARMLESS

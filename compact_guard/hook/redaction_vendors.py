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
_SIGNED = ("sig", "signature", "hmac", "code", "ticket", "session", "sid", "pass", "hash", "q", "t")
_DEFINING = frozenset(("def", "class", "func", "function", "fn", "interface", "struct", "enum"))
_PUBLIC_PARTS = frozenset(("match", "nonce", "state", "challenge", "site"))
_HARMLESS = words.HARMLESS_BEFORE - {"error"}
_RUN = r"[A-Za-z0-9_\-.~]{12,8192}"
_UNMARKED_CHARS_MIN, _DISCORD_HEADS, _DOTS_MAX = 20, "MNO", 4
_ANCHOR_CHARS_MIN = 3  # shorter ones are in words of every kind
_BRIEF_SHAPES, TABLE = (
    tuple(
        row for row in marks.SHAPES if (len(min(row[0], key=len)) < _ANCHOR_CHARS_MIN) is is_brief
    )
    for is_brief in (True, False)
)
# A shape that goes on behind a blank begins in a word that tells of it.
_TWO_WORDS = (("AC",), 0, "", r"(?<![A-Za-z0-9])AC[0-9a-f]{32}(?![0-9a-f])")
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
    shapes = present.rules(TABLE)
    if present.has_telling:
        yield from _in_runs(text)
        shapes = (*_BRIEF_SHAPES, *shapes)
    for anchors, before, kind, pattern in shapes:
        for match in matches_at(text, anchors, pattern, before):
            yield match.start(), match.end(), kind


def _in_runs(text: str) -> "Iterator[Span]":
    index = _index()
    refused: set[str] = set()
    for match in values.compiled(_RUN).finditer(text):
        run = match.group()
        if run in refused or not _is_worth_reading(run, index):
            continue
        found = list(_in_run(text, match.start(), run, index))
        if not found:
            refused.add(run)
        yield from found


def telling(words: str) -> "Iterator[int]":
    """Where words stand in a row of them that may be tokens, whatever stands around them."""
    index = _index()
    for match in values.compiled(_RUN).finditer(words):
        run, start = match.group(), match.start()
        if _is_worth_reading(run, index) and any(
            _may_be_token(run[offset:end], _following(words, start, end - offset), index)
            for offset, end in _tokens_in(run)
        ):
            yield start
    for anchors, before, _, pattern in (*_BRIEF_SHAPES, _TWO_WORDS):
        for match in matches_at(words, anchors, pattern, before):
            yield match.start()


def _is_worth_reading(run: str, index: dict[str, list[tuple[str, str, int]]]) -> bool:
    """Whether a token can be in it: told at once, and nearly always it cannot."""
    if run[:_HEAD_CHARS] in index or "." in run or run[0] in "-_~":
        return True
    return len(run) >= _UNMARKED_CHARS_MIN and values.has_digit(run)


def _may_be_token(token: str, following: str, index: dict[str, list[tuple[str, str, int]]]) -> bool:
    """Whether it is one unless something in front of it says that it is none."""
    marked = index.get(token[:_HEAD_CHARS], ())
    if token[0] in _DISCORD_HEADS or any(token.startswith(mark) for mark, *_ in marked):
        return True
    return _is_structured(token, following)


def _tokens_in(run: str) -> "Iterator[tuple[int, int]]":
    """A run may begin with a list's dash or a diff's sign, and hold a token behind a dot."""
    offset = len(run) - len(run.lstrip("-._~"))
    end = len(run.rstrip(".-~"))
    for _ in range(_DOTS_MAX):
        if end - offset < marks.FEWEST:
            return
        yield offset, end
        dot = run.find(".", offset, end)
        if dot < 0:
            return
        offset = dot + 1


def _in_run(
    text: str, start: int, run: str, index: dict[str, list[tuple[str, str, int]]]
) -> "Iterator[Span]":
    for number, (offset, end) in enumerate(_tokens_in(run)):
        token = run[offset:end]
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


def _ends_padded(tail: str) -> bool:
    """Base64 has signs that are in no name; behind a token they belong to it up to the padding."""
    if tail[:1] not in ("+", "/", "=") or tail[-1:] == ".":
        return False
    return "//" not in tail or values.is_mixed(tail.rpartition("//")[2])


def _marked_kind(token: str, index: dict[str, list[tuple[str, str, int]]]) -> str:
    if token[0] in _DISCORD_HEADS and values.compiled(marks.DISCORD).fullmatch(token):
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
    if len(token) < _UNMARKED_CHARS_MIN or text[start - 1 : start] in _PATH_SIGNS:
        return ""
    if _is_identifier(text, start):
        return ""
    return "token" if _is_structured(token, _following(text, start, len(token))) else ""


def _is_structured(token: str, following: str) -> bool:
    if len(token) < _UNMARKED_CHARS_MIN or values.has_id_prefix(token):
        return False
    return not passwords.is_member(token) and noise.is_token(token, following)


def _following(text: str, start: int, length: int) -> str:
    return text[start + length : start + length + 1]


def _is_parameter(head: str) -> bool:
    """`watch?v=…&list=`: an address names the value, and not as a secret."""
    at = max(head.rfind("?"), head.rfind("&"))
    name = head[at + 1 :]
    is_name = at >= 0 and name.replace("_", "").replace("-", "").isalpha()
    return is_name and marks.SECRET_WORDS.union(_SIGNED).isdisjoint(cues.parts(name))


def _is_identifier(text: str, start: int) -> bool:
    """`X-Amz-Cf-Id: …`, `&gclid=…`, `"etag": "…"`: its name says that it is no secret."""
    before = text[max(0, start - _LABEL_CHARS) : start].translate(_LABEL_SIGNS).split()
    if not before:
        return False
    label = before[-2] if before[-1].isdigit() and len(before) > 1 else before[-1]
    if not _PUBLIC_PARTS.isdisjoint(cues.parts(" ".join(before[-2:]))):
        return True
    if text[start - 1] == "=" and _is_parameter(text[max(0, start - _LABEL_CHARS) : start - 1]):
        return True
    if before[-1] in _DEFINING:
        return True
    return label.endswith(_ID_ENDINGS) or label.lower() in _IDS or label.lower() in _HARMLESS

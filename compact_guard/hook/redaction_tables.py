"""Secrets in columns: the head of a table says once what stands in every row below it."""

from functools import lru_cache  # `re` has imported it anyway

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words
from compact_guard.hook.redaction_cues import is_cue, kind_of, qualified, speaks_about

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

_SIGNS = ("|", "\t", ",", ";", "│", "┃")  # between cells
_HEAD_CHARS_MAX, _NAME_CHARS_MAX, _LINE_CHARS_MAX = 400, 32, 4_096
_ROWS_MAX = 200
_NAME_END = r"[^|\t,;│┃\n=0-9]{0,32}[|\t,;│┃\n]"
_RULE = frozenset("-=+|: │┃┼─━╋├┤╪═\t\r")  # a line of nothing but these is no row
_EDGES = " \t\r\"'`*()"
_VALUE_CHARS_MIN = 6
_INSERT = r"insert into [^\s(]{1,80} ?\(([^()\n]{1,400})\)\s{0,4}values\s{0,4}(?=\()"
_INSERTED = r",?\s{0,8}\(([^()\n]{1,1000})\)"


def spans_in(text: str, lowered: str, cues: "tuple[str, ...]") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`; `cues` are those that occur in the text."""
    yield from _inserted(text, lowered, cues)
    ends_name = values.compiled(_NAME_END).match
    for cue in cues:
        position = 0
        while (at := lowered.find(cue, position)) >= 0:
            position = at + len(cue)
            table = _table(text, at, position) if ends_name(text, position) else None
            if table is None or not is_cue(text, lowered, cue, at):
                continue
            if not speaks_about(text, at, position):
                found, position = _column(text, table, qualified(lowered, cue, at))
                yield from found


def _inserted(text: str, lowered: str, cues: "tuple[str, ...]") -> "Iterator[Span]":
    """`INSERT INTO users (name, password) VALUES ('ann', '…')`."""
    position = 0
    while (at := lowered.find("insert into ", position)) >= 0:
        position = at + 1
        head = values.compiled(_INSERT).match(lowered, at)
        if head is None:
            continue
        names = head[1].split(",")
        secret = {
            index: cue for index, name in enumerate(names) for cue in cues if _is_column(name, cue)
        }
        position = head.end()
        for _ in range(_ROWS_MAX):
            row = values.compiled(_INSERTED).match(text, position)
            if row is None:
                break
            yield from _in_row(row, secret)
            position = row.end()


def _is_column(name: str, cue: str) -> bool:
    at = name.find(cue)
    return at >= 0 and is_cue(name, name, cue, at) and not speaks_about(name, at, at + len(cue))


def _in_row(row: "re.Match[str]", secret: dict[int, str]) -> "Iterator[Span]":
    start = row.start(1)
    for index, cell in enumerate(row[1].split(",")):
        value = cell.strip(_EDGES)
        if index in secret and _is_secret(value, secret[index]):
            begin = start + cell.index(value)
            yield begin, begin + len(value), kind_of(secret[index])
        start += len(cell) + 1


def _table(text: str, start: int, end: int) -> tuple[int, str, int, int] | None:
    """Where the row below a head begins, its cells' sign, how many there are, and which one it is.

    None if the cue at `start` stands in no short name between such signs.
    """
    begin = text.rfind("\n", max(0, start - _HEAD_CHARS_MAX), start) + 1
    line_end = text.find("\n", end, begin + _HEAD_CHARS_MAX)
    if line_end < 0 or text[line_end + 1 : line_end + 2] in ("", "\n"):
        return None
    head = text[begin:line_end]
    sign = _sign_between(head, text[line_end + 1 : _line_end(text, line_end + 1)])
    if not sign:
        return None
    index = text.count(sign, begin, start)
    name = head.split(sign)[index].strip(_EDGES)
    return (line_end + 1, sign, head.count(sign), index) if _is_name(name) else None


@lru_cache(maxsize=256)
def _sign_between(head: str, below: str) -> str:
    """What stands between the cells of a head and of the row below it, "" if nothing does."""
    for sign in _SIGNS:
        count = head.count(sign)
        is_one = sum(not cell.isspace() and cell != "" for cell in head.split(sign)) == 1
        if count == 0 or (is_one and not (count > 1 and below[:1] == "+")):
            continue
        if below.count(sign) == count or _RULE.issuperset(below):
            return sign
    return ""


def _is_name(cell: str) -> bool:
    return len(cell) <= _NAME_CHARS_MAX and not values.has_digit(cell) and "=" not in cell


def _line_end(text: str, start: int) -> int:
    ceiling = min(len(text), start + _LINE_CHARS_MAX)
    end = text.find("\n", start, ceiling)
    return end if end >= 0 else ceiling


def _column(text: str, table: tuple[int, str, int, int], cue: str) -> "tuple[list[Span], int]":
    """The secrets in one cell of each row, and where the rows end."""
    start, *cell = table
    found: list[Span] = []
    for _ in range(_ROWS_MAX):
        end = text.find("\n", start, start + _LINE_CHARS_MAX)
        if end < 0:
            end = _line_end(text, start)
        secret = _secret_in(text[start:end], *cell, cue)
        if secret is None:
            break
        if secret[1]:
            found.append((start + secret[0], start + secret[1], kind_of(cue)))
        start = end + 1
        if end >= len(text) or text.startswith("\n", start):
            break
    return found, start


@lru_cache(maxsize=256)
def _secret_in(row: str, sign: str, count: int, index: int, cue: str) -> tuple[int, int] | None:
    """Where the secret in one cell of a row begins and ends, `(0, 0)` if there is none.

    None if it is no row of a table of so many cells.
    """
    if row.count(sign) != count:
        return (0, 0) if _RULE.issuperset(row) else None
    cells = row.split(sign)
    value = cells[index].strip(_EDGES)
    if not _is_secret(value, cue):
        return 0, 0
    begin = sum(len(cell) + 1 for cell in cells[:index]) + cells[index].index(value)
    return begin, begin + len(value)


def _is_secret(value: str, cue: str) -> bool:
    if len(value) < _VALUE_CHARS_MIN or " " in value:
        return False
    if not (values.has_digit(value) or values.has_sign(value)):
        return False
    level = candidates.level_of(value)
    if cue in words.LOOSE:
        is_login = kind_of(cue) == "password" and level != candidates.NOT
        return level == candidates.SURELY or is_login
    if values.is_uuid(value):
        return cue not in words.ABOUT_IDS
    return level > (candidates.NOT if kind_of(cue) == "password" else candidates.MADE_UP)

"""Rows in a guard's own spelling, known by their form alone: what is like an accepted row is one.

Parsing and validating every line takes most of a night's reading. So the first row of each order
of fields goes through `ingest.parse_line`; from the contract's schema a regular expression is made
for that order, without any spelling that two readers could read differently. Of the lines that it
matches DuckDB reads the fields. Whatever else a line is, right or wrong, is for `ingest`.
"""

import hashlib
import re
from functools import cache
from typing import Any, NamedTuple

import orjson

from compact_guard.evaluator import ingest

# Bounds within which DuckDB and Python read the same: no leap day, no more than microseconds.
_DAY = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
_TIME = rf"[12][0-9]{{3}}-{_DAY}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{{1,6}})?Z"
_WHOLE = "(?:0|[1-9][0-9]{0,14})"
_FORMS = {
    "null": "null",
    "boolean": "(?:true|false)",
    "integer": _WHOLE,
    "number": rf"{_WHOLE}(?:\.[0-9]{{1,12}})?",
}

_ORDERS_MAX = 4  # per file: a guard has one, and every further one costs each line a look


class PlainLine(NamedTuple):
    """A line that is an accepted row, its fields yet to be read from `text`, but for `counts`."""

    file: str
    line_number: int
    line_bytes: int
    line_hash: str
    text: str
    counts: str


# How rows of one order of fields look, and what the contract's conditions ask about as those of
# them had it that were accepted. (A pattern is no key: hashing it costs more than matching.)
_Form = tuple[re.Pattern[bytes], set[tuple[bytes | None, ...]]]


class Reader:
    """Reads the lines of one file, and learns from those it knows what the next may look like."""

    def __init__(self) -> None:
        self._forms: list[_Form] = []
        self._asked = _asked_about()

    def read(self, text: bytes, file: str, number: int) -> ingest.Line | PlainLine:
        """One line without its line end, judged by the contract."""
        if len(text) <= ingest.LINE_BYTES_MAX:
            for pattern, accepted in self._forms:
                if match := pattern.fullmatch(text):
                    asked = match.group(*self._asked)
                    if asked in accepted:
                        return _plain_line(match, file, number)
                    line = ingest.parse_line(text, file, number)
                    if line.row is not None:
                        accepted.add(asked)
                    return line
        line = ingest.parse_line(text, file, number)
        if line.row is not None and len(self._forms) < _ORDERS_MAX:
            self._learn_order(text)
        return line

    def _learn_order(self, text: bytes) -> None:
        pattern = _pattern_like(text)
        if pattern is not None:
            self._forms.append((pattern, set()))


def _plain_line(match: re.Match[bytes], file: str, number: int) -> PlainLine:
    text, counts = match.string, match["counts"]
    return PlainLine(
        file,
        number,
        len(text),
        hashlib.sha256(text).hexdigest(),
        text.decode(),
        "{}" if counts == b"{}" else _in_order(counts),
    )


def _in_order(counts: bytes) -> str:
    """The counts in the spelling of `ingest.canonical`."""
    return orjson.dumps(orjson.loads(counts), option=orjson.OPT_SORT_KEYS).decode()


def _pattern_like(text: bytes) -> re.Pattern[bytes] | None:
    """What matches this row and all like it; None where its own spelling is not plain."""
    try:
        order = tuple(orjson.loads(text))
    except orjson.JSONDecodeError:
        return None
    if not {"counts", *_asked_about()} <= {*order} <= {*ingest.field_names()}:
        return None
    pattern = _pattern(order)
    return pattern if pattern.fullmatch(text) else None


@cache
def _pattern(order: tuple[str, ...]) -> re.Pattern[bytes]:
    """Lines with valid fields in this order, the counts and what conditions ask about as groups."""
    members = (f'"{name}": ?{_value(name)}' for name in order)
    return re.compile(rf"\{{{', ?'.join(members)}\}}".encode())


def _value(name: str) -> str:
    """The values of one field that need no second look."""
    if name == "recorded_at":
        return f'"{_TIME}"'
    form = _form(ingest.schema()["properties"][name])
    if name == "counts":
        return f"(?P<counts>{form})"
    if name in _asked_about():
        return f"(?P<{name}>{form})" if form[0] == '"' else f"(?:(?P<{name}>null)|{form})"
    return form


@cache
def _asked_about() -> tuple[str, ...]:
    """The fields whose values a condition of the contract looks at."""
    rules = ingest.schema()["allOf"]
    parts = [rule[part] for rule in rules for part in ("if", "then")]
    return tuple(sorted({name for part in parts for name in part["properties"]}))


def _form(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return f"(?:{'|'.join(_form(one) for one in schema['anyOf'])})"
    if "const" in schema or "enum" in schema:
        words = schema.get("enum", [schema.get("const")])
        return f'"(?:{"|".join(map(re.escape, words))})"'
    if schema["type"] == "object":
        member = f'"(?:{"|".join(schema["properties"])})": ?(?:null|{_FORMS["number"]})'
        return rf"\{{(?:{member}(?:, ?{member})*)?\}}"
    if schema["type"] == "string":
        return f'"(?:{schema["pattern"].removeprefix("^").removesuffix("$")})"'
    return _FORMS[schema["type"]]

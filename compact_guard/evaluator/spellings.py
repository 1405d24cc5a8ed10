"""How audit rows are written: the order of their fields, blanks, digits of a second.

A row in a known spelling can be cut into its fields without a parser, and written again, byte by
byte, from the columns of the warehouse.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

import orjson

from compact_guard.evaluator import ingest

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# What differs from row to row; the other fields hold words of which a log knows a few dozen.
HASHES = ("event_id", "session_hash", "transcript_hash", "turn_hash", "checkpoint_hash")
NUMBERS = ("transcript_bytes", "last_boundary_bytes", "duration_ms")
VARYING = (*HASHES, *NUMBERS, "recorded_at")

_SECONDS = {0: "%S", 3: "%S.%g", 6: "%S.%f"}  # digits of a second -> strftime
_TIME = re.compile(r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{3}|\d{6}))?Z")


class Spelling(NamedTuple):
    """How rows are written: their fields in order, with blanks or not, digits of a second."""

    field_names: tuple[str, ...]
    is_spaced: bool
    second_digits: int

    @property
    def comma(self) -> str:
        """What stands between two fields."""
        return ", " if self.is_spaced else ","

    @property
    def colon(self) -> str:
        """What stands between a name and its value."""
        return ": " if self.is_spaced else ":"

    @property
    def counts_opening(self) -> str:
        """What stands before the counts, which alone are an object."""
        return f'{self.comma}"counts"{self.colon}{{'

    @property
    def time_form(self) -> str:
        """The strftime form of a time."""
        return f"%Y-%m-%dT%H:%M:{_SECONDS[self.second_digits]}Z"

    @property
    def before_counts(self) -> tuple[str, ...]:
        """The names of the fields before the counts."""
        return self.field_names[: self.field_names.index("counts")]

    @property
    def behind_counts(self) -> tuple[str, ...]:
        """The names of the fields behind the counts."""
        return self.field_names[self.field_names.index("counts") + 1 :]

    def opening(self, name: str) -> str:
        """What stands before the value of a field in its piece of the line."""
        brace = "{" if name == self.field_names[0] else ""
        return f'{brace}"{name}"{self.colon}'

    def cut(self, text: str) -> dict[str, str]:
        """The pieces of a line, by field, the counts left out; none where it is no such line.

        `row_cutting` cuts in the same way, in SQL.
        """
        head, *tail = text.split(self.counts_opening)
        rest = tail[0].split("}") if len(tail) == 1 else []
        if len(rest) != 3 or rest[2]:
            return {}
        pieces = [*head.split(self.comma), *rest[1].split(self.comma)]
        names = [*self.before_counts, "", *self.behind_counts]
        if len(pieces) != len(names) or pieces[len(self.before_counts)]:
            return {}
        return {name: piece for name, piece in zip(names, pieces, strict=True) if name}


def spelling_of(text: str) -> Spelling | None:
    """The spelling of a line, if it is that of a row at all."""
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(record, dict) or not {"schema", "counts"} <= record.keys():
        return None
    time = _TIME.fullmatch(str(record.get("recorded_at")))
    if time is None or not record.keys() <= {*ingest.field_names()}:
        return None
    return Spelling(tuple(record), '": ' in text, len(time[1] or ""))


def number_of(connection: "DuckDBPyConnection", spelling: Spelling) -> int:
    """The number that raw_spellings knows a spelling by."""
    known = connection.execute(
        "select spelling from raw_spellings "
        "where field_names = ? and is_spaced = ? and second_digits = ?",
        [list(spelling.field_names), *spelling[1:]],
    ).fetchone()
    if known is None:
        known = connection.execute(
            "insert into raw_spellings select count(*) + 1, ?, ?, ? from raw_spellings "
            "returning spelling",
            [list(spelling.field_names), *spelling[1:]],
        ).fetchone()
    return int(known[0]) if known else 0


def written(spelling: Spelling) -> str:
    """SQL for the line that a row's columns give in a spelling."""
    parts = []
    for name in spelling.field_names:
        comma = "" if name == spelling.field_names[0] else spelling.comma
        parts += [f"'{comma}{spelling.opening(name)}'", _written_value(name, spelling)]
    return f"concat({', '.join(parts)}, '}}')"


def _written_value(name: str, spelling: Spelling) -> str:
    if name == "schema":
        return f"'\"{ingest.SCHEMA_NAME}\"'"
    if name == "recorded_at":
        return f"strftime({name}, '\"{spelling.time_form}\"')"
    if name == "counts":
        return _written_counts(spelling)
    if name in NUMBERS or name == "subagent":
        return f"coalesce({name}::varchar, 'null')"
    return f"case when {name} is null then 'null' else concat('\"', {name}, '\"') end"


def _written_counts(spelling: Spelling) -> str:
    if not spelling.is_spaced:
        return "counts"
    return """replace(replace(counts, '":', '": '), ',"', ', "')"""

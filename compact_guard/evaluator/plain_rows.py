"""Rows in a guard's own spelling: what DuckDB reads and can write again, byte by byte, is plain.

Parsing and validating each line in Python takes longer than all the rest of a night. So DuckDB
reads the fields of many lines at once, and writes each row again in the spelling of the first:
where that gives the very line, no second reader could have read it differently. Rows that differ
in nothing but hashes and numbers are judged by one of them. Whatever else a line is, right or
wrong, is for `ingest`.
"""

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from compact_guard.evaluator import ingest

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

SPELLINGS_MAX = 4  # per portion: a guard has one, and every further one costs each line a look

# What differs from row to row; the other fields hold words of which a log knows a few dozen.
_VARYING = (
    "event_id", "recorded_at", "session_hash", "transcript_hash", "turn_hash", "checkpoint_hash",
    "transcript_bytes", "last_boundary_bytes", "duration_ms", "counts",
)  # fmt: skip
_NUMBERS = ("transcript_bytes", "last_boundary_bytes", "duration_ms")
_HASHES = ("event_id", "session_hash", "transcript_hash", "turn_hash", "checkpoint_hash")

# The counts without their numbers: which there are, and in which order.
_SHAPE = (
    "case counts when '{}' then counts else regexp_replace(counts, ':[0-9][0-9.]*', ':', 'g') end"
)

_SECONDS = {0: "%S", 3: "%S.%g", 6: "%S.%f"}  # digits of a second -> strftime
_TIME = re.compile(r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{3}|\d{6}))?Z")


class Spelling(NamedTuple):
    """How rows are written: their fields in order, with blanks or not, digits of a second."""

    field_names: tuple[str, ...]
    is_spaced: bool
    second_digits: int


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


def read(
    connection: "DuckDBPyConnection", lines: "pd.DataFrame", types: dict[str, str]
) -> tuple[list[str], list[int]]:
    """Read the plain rows of `lines` (file, line_number, text) into temporary tables.

    `types` are the columns of raw_audit_lines; the tables hold them all but line_hash,
    reject_reason and thread. Returns the tables' names, and the places of the lines left.
    """
    texts = lines["text"]
    left, foreign = list(range(len(texts))), []
    if not all(map(str.isascii, texts)):
        left = [place for place in left if texts[place].isascii()]
        foreign = [place for place in range(len(texts)) if not texts[place].isascii()]
    tables: dict[Spelling, str] = {}
    place = 0
    while place < len(left) and len(tables) < SPELLINGS_MAX:
        spelling = spelling_of(texts[left[place]])
        if spelling is None or spelling in tables:
            place += 1
            continue
        tables[spelling] = f"plain_lines_{len(tables) + 1}"
        waiting = lines if len(left) - place == len(lines) else lines.take(left[place:])
        connection.register("waiting_lines", waiting.assign(place=left[place:]))
        plain = _read_spelled(connection, texts, spelling, tables[spelling], types)
        connection.unregister("waiting_lines")
        is_all = len(plain) == len(left) - place
        left[place:] = [] if is_all else [one for one in left[place:] if one not in plain]
    return list(tables.values()), sorted(left + foreign)


def _read_spelled(
    connection: "DuckDBPyConnection",
    texts: "pd.Series[str]",
    spelling: Spelling,
    table: str,
    types: dict[str, str],
) -> set[int]:
    """Read those of waiting_lines that are plain in one spelling; returns their places."""
    of_row = {name: types[name] for name in ingest.field_names() if name in types}
    fields = ", ".join(f"fields.{name}" for name in of_row if name != "subagent")
    connection.execute(
        f"create or replace temp table {table} as "
        "select place, file, line_number, strlen(text) as line_bytes, "
        f"{_number_of(connection, spelling)} as spelling, "
        f"coalesce(text = {written(spelling, 'fields.')} and {_checks('fields.')}, false) "
        f"and strlen(text) <= {ingest.LINE_BYTES_MAX} as is_plain, "
        f"{fields}, coalesce(fields.subagent, false) as subagent "
        f"from (select *, try(from_json(text, '{json.dumps(of_row)}')) as fields "
        "from waiting_lines)"
    )
    connection.execute(f"delete from {table} where not is_plain")
    _leave_out_invalid(connection, texts, table, of_row)
    places = connection.execute(f"select place from {table}").fetchnumpy()["place"]
    return set(places.tolist())


def _leave_out_invalid(
    connection: "DuckDBPyConnection", texts: "pd.Series[str]", table: str, of_row: dict[str, str]
) -> None:
    """Rows that are alike but for hashes and numbers are valid together: one is looked at."""
    alike = [name for name in of_row if name not in _VARYING]
    alike += [f"{name} is null" for name in _VARYING if name != "counts"]
    alike.append(_SHAPE)
    samples = connection.execute(
        f"select min(place) from {table} group by {', '.join(alike)}"
    ).fetchall()
    invalid = [place for (place,) in samples if not _is_row(texts[place])]
    if invalid:
        columns = ", ".join(alike)
        connection.execute(
            f"delete from {table} where row({columns}) in "
            f"(select row({columns}) from {table} where list_contains(?, place))",
            [invalid],
        )


def _is_row(text: str) -> bool:
    try:
        ingest.audit_row(text.encode())
        json.loads(text, object_pairs_hook=_each_once)
    except (ingest.Rejected, ValueError):
        return False
    return True


def _each_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a count that is there twice, two readers may take another one."""
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a name is there twice")
    return found


def _number_of(connection: "DuckDBPyConnection", spelling: Spelling) -> int:
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


def _checks(prefix: str) -> str:
    """What the contract asks of each row for itself, of the fields that vary."""
    properties = ingest.schema()["properties"]
    hashes = (
        f"coalesce(regexp_full_match({prefix}{name}, '{_pattern(properties[name])}'), true)"
        for name in _HASHES
    )
    numbers = (f"coalesce({prefix}{name} >= 0, true)" for name in _NUMBERS)
    return " and ".join([*hashes, *numbers])


def _pattern(schema: dict[str, Any]) -> str:
    text = next(one for one in schema.get("anyOf", [schema]) if one["type"] == "string")
    return str(text["pattern"]).removeprefix("^").removesuffix("$")


def written(spelling: Spelling, prefix: str = "") -> str:
    """SQL for the line that a row's columns give in a spelling."""
    comma, colon = (", ", ": ") if spelling.is_spaced else (",", ":")
    parts: list[str] = []
    opening = "{"
    for name in spelling.field_names:
        parts += [f"'{opening}\"{name}\"{colon}'", _written_value(name, prefix + name, spelling)]
        opening = comma
    return f"concat({', '.join(parts)}, '}}')"


def _written_value(name: str, column: str, spelling: Spelling) -> str:
    schema = ingest.schema()["properties"][name]
    if name == "schema":
        return f"'\"{ingest.SCHEMA_NAME}\"'"
    if name == "recorded_at":
        form = f'"%Y-%m-%dT%H:%M:{_SECONDS[spelling.second_digits]}Z"'
        return f"strftime({column}, '{form}')"
    if name == "counts":
        return _written_counts(column, spelling)
    if schema.get("type") in ("number", "integer", "boolean") or name in _NUMBERS:
        return f"coalesce({column}::varchar, 'null')"
    return f"case when {column} is null then 'null' else concat('\"', {column}, '\"') end"


def _written_counts(column: str, spelling: Spelling) -> str:
    if not spelling.is_spaced:
        return column
    return f"""replace(replace({column}, '":', '": '), ',"', ', "')"""

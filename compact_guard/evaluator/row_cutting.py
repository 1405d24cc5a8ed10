"""SQL that cuts lines in one spelling into the columns of rows, and tells which are plain.

Once the counts are taken out, whose names differ, a row has a piece per field, each at its place.
Splitting copies nothing, and costs a fifth of what parsing does. Words are compared with those of
row_forms; what varies is all of its piece, and what the contract allows.
"""

import re
from collections.abc import Iterator
from typing import Any

from compact_guard.evaluator import ingest, row_forms, spellings
from compact_guard.evaluator.row_forms import varying, worded
from compact_guard.evaluator.spellings import HASHES, NUMBERS, Spelling

# The hashes that all rows of a thread have in common. `plain_rows` looks at them, once for all.
OF_THREAD = ("session_hash", "transcript_hash")

LINES = """
lines as (
    select
        file,
        after_line + generate_subscripts(found, 1) as line_number,
        unnest(found) as line
    from (select *, string_split(text, chr(10)) as found from waiting_blocks)
)"""

_CUT = """
halved as (
    select *, string_split(line, '{counts_opening}') as halves from lines where line <> ''
),
closed as (select *, string_split(halves[2], '}}') as rest from halved),
cut as (
    select
        file, line_number, line,
        rest[1] as counted,
        string_split(halves[1], '{comma}') as before,
        string_split(rest[2], '{comma}') as behind,
        len(halves) = 2 and len(rest) = 3 and rest[3] = '' as is_closed
    from closed
),
pieced as (
    select
        file, line_number, line, counted, {pieces},
        is_closed and behind[1] = ''
        and len(before) = {count_before} and len(behind) = {count_behind} + 1 as is_cut
    from cut
)"""

# Numbers that every reader takes for the same.
_COUNT = r'"[a-z_]+"{colon}(?:null|(?:0|[1-9][0-9]{{0,14}})(?:\.[0-9]{{1,15}})?)'

_HEXADECIMAL = "0123456789abcdef"


def rows(spelling: Spelling, spelling_number: int, types: dict[str, str]) -> str:
    """SQL for a row per line of waiting_blocks that is not empty, with is_plain; the other columns
    mean something only there. `types` are the columns of raw_audit_lines."""
    values = {name: _value(spelling, name, types[name]) for name in varying(spelling)}
    values |= {"counts": _counts(spelling)}
    absent = [name for name in spellings.VARYING if name not in values]
    checks = ["count_names is not null", "is_cut", *_checks(spelling)]
    columns = [
        *("file", "line_number", "strlen(line) as line_bytes"),
        f"{spelling_number} as spelling",
        *(*values, *row_forms.word_names()),
        *(f"null::{types[name]} as {name}" for name in absent),
    ]
    return f"""
        with {LINES}, {_cut(spelling)},
        valued as (
            select *, {_named(values)}, {_count_names(spelling)} as own_count_names from pieced
        )
        select {", ".join(columns)}, coalesce({" and ".join(checks)}, false) as is_plain
        from valued left join row_forms
        on own_count_names = count_names and {" and ".join(_likeness(spelling))}
    """


def is_misshapen() -> str:
    """SQL for whether the hashes of a thread hold other characters than hashes do."""
    return " or ".join(f"not ({_consists_of(_pattern(name)[0], [name])})" for name in OF_THREAD)


def _cut(spelling: Spelling) -> str:
    pieces = {name: f"before[{place}]" for place, name in enumerate(spelling.before_counts, 1)}
    pieces |= {name: f"behind[{place}]" for place, name in enumerate(spelling.behind_counts, 2)}
    return _CUT.format(
        counts_opening=spelling.counts_opening,
        comma=spelling.comma,
        pieces=_named({f"{name}_piece": piece for name, piece in pieces.items()}),
        count_before=len(spelling.before_counts),
        count_behind=len(spelling.behind_counts),
    )


def _named(values: dict[str, str]) -> str:
    return ", ".join(f"{value} as {name}" for name, value in values.items())


def _value(spelling: Spelling, name: str, kind: str) -> str:
    """SQL for what a piece says; `_checks` tells whether it says just that."""
    piece, opening = f"{name}_piece", len(spelling.opening(name))
    if name in NUMBERS:
        return f"try_cast(substring({piece}, {opening + 1}) as {kind})"
    text = f"substring({piece}, {opening + 2}, strlen({piece}) - {opening + 2})"
    if name in HASHES:
        return f"case when ends_with({piece}, '\"') then {text} end"
    return f"try_cast({text} as {kind})"


def _counts(spelling: Spelling) -> str:
    """SQL for the counts, without blanks."""
    counted = "counted"
    if spelling.is_spaced:
        counted = """replace(replace(counted, '": ', '":'), ', "', ',"')"""
    return f"concat('{{', {counted}, '}}')"


def _count_names(spelling: Spelling) -> str:
    """SQL for the names of the counts where each of these is a number or null, and nothing else."""
    count = _COUNT.format(colon=spelling.colon)
    pattern = f"(?:{count}(?:{spelling.comma}{count})*)?"
    return (
        f"case when regexp_full_match(counted, '{pattern}') "
        "then json_keys(concat('{', counted, '}')) end"
    )


def _likeness(spelling: Spelling) -> Iterator[str]:
    """What a row has in common with its form, besides the names of its counts."""
    for place, name in enumerate(worded(spelling)):
        yield f"{name}_piece = piece_{place}"
    for place, name in enumerate(varying(spelling)):
        yield f"({name}_piece = '{spelling.opening(name)}null') = is_null_{place}"


def _checks(spelling: Spelling) -> Iterator[str]:
    """What the contract asks of the fields that vary, and that a value is all of its piece."""
    yield f"strlen(line) <= {ingest.LINE_BYTES_MAX}"
    alphabets: dict[str, list[str]] = {}
    for name in varying(spelling):
        piece, opening = f"{name}_piece", spelling.opening(name)
        if name == "recorded_at":
            yield f"strftime({name}, '{opening}\"{spelling.time_form}\"') = {piece}"
        elif name in NUMBERS:
            yield f"concat('{opening}', coalesce({name}::varchar, 'null')) = {piece}"
            yield f"coalesce({name} >= 0, true)"
        else:
            characters, least, most = _pattern(name)
            is_hash = f"strlen({name}) between {least} and {most}"
            yield (
                f"(starts_with({piece}, '{opening}\"') and {is_hash} or {piece} = '{opening}null')"
            )
            if name not in OF_THREAD:
                alphabets.setdefault(characters, []).append(name)
    yield from (_consists_of(characters, names) for characters, names in alphabets.items())


def _consists_of(characters: str, names: list[str]) -> str:
    """SQL for whether values hold these characters alone: added to them, they make the same set.

    Two thirds of what regular expressions cost.
    """
    return f"jaccard(concat('{characters}', {', '.join(names)}), '{characters}') = 1"


def _pattern(name: str) -> tuple[str, int, int]:
    """Which characters a hash consists of, and how many at least and at most."""
    schema: dict[str, Any] = ingest.schema()["properties"][name]
    text = next(one for one in schema.get("anyOf", [schema]) if one["type"] == "string")
    found = re.fullmatch(r"\^\[0-9a-f(-?)\]\{(\d+)(?:,(\d+))?\}\$", text["pattern"])
    if found is None:
        raise ValueError(f"the contract's pattern of {name} is not that of a hash")
    return _HEXADECIMAL + found[1], int(found[2]), int(found[3] or found[2])

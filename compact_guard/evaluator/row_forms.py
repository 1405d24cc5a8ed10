"""Rows that differ in nothing but hashes, times and numbers have one form, and are judged by one.

A guard writes a few dozen forms. Each is learned from a line that `ingest` accepted.
"""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from compact_guard.evaluator import ingest
from compact_guard.evaluator.spellings import VARYING, Spelling, spelling_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Form(NamedTuple):
    """What rows of one form have in common, as it is written, and the words that it says.

    `pieces` are the fields that do not vary, `is_null` is of those that do, both in the order of
    the spelling; `count_names` as the counts are written.
    """

    pieces: tuple[str, ...]
    is_null: tuple[bool, ...]
    count_names: tuple[str, ...]
    words: tuple[Any, ...]


def worded(spelling: Spelling) -> list[str]:
    """The fields of a spelling that hold words."""
    return [name for name in spelling.field_names if name not in (*VARYING, "counts")]


def varying(spelling: Spelling) -> list[str]:
    """The fields of a spelling that differ from row to row, the counts apart."""
    return [name for name in spelling.field_names if name in VARYING]


def word_names() -> list[str]:
    """The columns that a form gives, in the order of its `words`."""
    return [name for name in ingest.field_names() if name not in (*VARYING, "counts", "schema")]


def learned(texts: Iterable[str]) -> tuple[Spelling, list[Form]] | None:
    """The first spelling among these lines that some row is written in, with its forms."""
    spelling: Spelling | None = None
    found: dict[Form, None] = {}
    for text in texts:
        own = spelling_of(text)
        if own is not None and own == (spelling or own):
            for form in _form_of(text, own):
                spelling = own
                found[form] = None
    return None if spelling is None else (spelling, list(found))


def put_down(
    connection: "DuckDBPyConnection", spelling: Spelling, forms: list[Form], types: dict[str, str]
) -> None:
    """Make the temporary table row_forms: piece_0, ..., is_null_0, ..., count_names, words."""
    columns = {f"piece_{place}": "varchar" for place in range(len(worded(spelling)))}
    columns |= {f"is_null_{place}": "boolean" for place in range(len(varying(spelling)))}
    columns |= {"count_names": "varchar[]"} | {name: types[name] for name in word_names()}
    rows = [
        dict(
            zip(columns, (*form.pieces, *form.is_null, form.count_names, *form.words), strict=True)
        )
        for form in forms
    ]
    connection.execute(
        "create or replace temp table row_forms as "
        f"select unnest(from_json(?, '{json.dumps([columns])}'), max_depth := 2)",
        [orjson.dumps(rows).decode()],
    )


def _form_of(text: str, spelling: Spelling) -> Iterator[Form]:
    """The form of a line, if it is a row and each of its pieces says one word, plainly."""
    pieces = spelling.cut(text)
    try:
        row = ingest.audit_row(text.encode())
        record = json.loads(text, object_pairs_hook=_each_once)
    except (ingest.Rejected, ValueError):
        return
    names = worded(spelling)
    if all(pieces.get(name) == spelling.opening(name) + json.dumps(record[name]) for name in names):
        yield Form(
            tuple(pieces[name] for name in names),
            tuple(record[name] is None for name in varying(spelling)),
            tuple(record["counts"]),
            tuple(row[name] for name in word_names()),
        )


def _each_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a count that is there twice, two readers may take another one."""
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a name is there twice")
    return found

"""Put the lines of audit logs into raw_audit_lines, and write down which threads they touch.

DuckDB reads JSON of known types seven times faster than it takes rows from Python.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import orjson

from compact_guard.evaluator import ingest, plain_rows, spellings
from compact_guard.evaluator.plain_rows import Block

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Stretch(NamedTuple):
    """Lines of one file that follow each other, the first behind its line `after_line`.

    Each of `contents` is one line, or as many as `line_counts` says, without the end of the last
    one; undecodable bytes are lone surrogates.
    """

    file: str
    after_line: int
    contents: Sequence[str]
    line_counts: Sequence[int] | None = None

    @property
    def texts(self) -> list[str]:
        """Each line by itself, empty ones too."""
        return [line for content in self.contents for line in content.split("\n")]

    @property
    def line_count(self) -> int:
        """How many lines there are, empty ones too."""
        return sum(self.line_counts or [1] * len(self.contents))

    def blocks(self) -> Iterator[Block]:
        """Its contents, each at its place; empty lines are none."""
        after_line, counts = self.after_line, self.line_counts or [1] * len(self.contents)
        for content, count in zip(self.contents, counts, strict=True):
            if content:
                yield Block(self.file, after_line, content)
            after_line += count


def insert(
    connection: "DuckDBPyConnection",
    judged: Iterable[ingest.Line],
    stretches: Sequence[Stretch] = (),
) -> int:
    """Append lines, judged already or yet to be read, to raw_audit_lines; returns how many."""
    types = {
        name: kind
        for name, kind, *_ in connection.execute("describe raw_audit_lines").fetchall()
        if name != "thread"
    }
    blocks = [block for stretch in stretches for block in stretch.blocks()]
    tables, left = plain_rows.read(connection, blocks, types)
    _read_others(connection, [*judged, *_judged(left)], types)
    plain = "".join(
        f" union all by name select * exclude (is_plain) from {table}" for table in tables
    )
    connection.execute(f"create or replace temp view new_lines as select * from other_lines{plain}")
    count = _hand_over(connection)
    connection.execute("drop view new_lines")
    for table in (*tables, "other_lines"):
        connection.execute(f"drop table {table}")
    return count


def _judged(lines: Iterable[Block]) -> Iterator[ingest.Line]:
    """These lines, judged by the contract; blank ones are none."""
    for file, after_line, text in lines:
        content = text.encode("utf-8", "surrogateescape").rstrip(b"\r\n")
        if content.strip():
            yield ingest.parse_line(content, file, after_line + 1)


def _read_others(
    connection: "DuckDBPyConnection", lines: Sequence[ingest.Line], types: dict[str, str]
) -> None:
    """Put lines into the temporary table other_lines."""
    connection.execute(
        "create or replace temp table other_lines as "
        "select * exclude (thread) from raw_audit_lines limit 0"
    )
    if not lines:
        return
    of_line = {name: types[name] for name in ingest.Line._fields if name in types}
    of_row = {name: types[name] for name in ingest.field_names() if name in types}
    struct = ", ".join(f'"{name}" {kind}' for name, kind in of_row.items())
    with tempfile.NamedTemporaryFile(suffix=".jsonl", delete=False) as handed_over:
        try:
            handed_over.writelines(_as_json(line) for line in lines)
            handed_over.close()
            connection.execute(
                f"insert into other_lines by name select {', '.join(of_line)}, "
                f"{', '.join(f'row.{name}' for name in of_row)} "
                "from read_json(?, columns = ?, format = 'newline_delimited')",
                [handed_over.name, of_line | {"row": f"struct({struct})"}],
            )
        finally:
            os.unlink(handed_over.name)  # noqa: PTH108 - a name, not a path


def _hand_over(connection: "DuckDBPyConnection") -> int:
    """Move new_lines to raw_audit_lines, each with the number of its thread."""
    connection.execute(
        """
        insert into raw_threads
        select
            (select coalesce(max(thread), 0) from raw_threads) + row_number() over () as thread,
            session_hash,
            transcript_hash
        from (
            select distinct session_hash, transcript_hash from new_lines
            where session_hash is not null
            except
            select session_hash, transcript_hash from raw_threads
        )
        """
    )
    counted = connection.execute(
        """
        insert into raw_audit_lines by name
        select new_lines.*, raw_threads.thread from new_lines
        left join raw_threads
        on new_lines.session_hash = raw_threads.session_hash
        and new_lines.transcript_hash is not distinct from raw_threads.transcript_hash
        """
    ).fetchone()
    connection.execute(
        """
        insert into raw_threads_touched
        select distinct thread from raw_threads
        where (session_hash, coalesce(transcript_hash, '')) in (
            select session_hash, coalesce(transcript_hash, '') from new_lines
        )
        except
        select thread from raw_threads_touched
        """
    )
    _note_repeated(connection)
    return int(counted[0]) if counted else 0


def _note_repeated(connection: "DuckDBPyConnection") -> None:
    """An event that is there twice may be quarantined, and that needs the hash of its line."""
    [(count,)] = connection.execute(
        """
        insert into raw_events_repeated
        select event_id from raw_audit_lines
        where event_id in (select event_id from new_lines)
        group by event_id having count(*) > 1
        except
        select event_id from raw_events_repeated
        """
    ).fetchall()
    # Which of the copies is the event may be another one now.
    connection.execute(
        """
        insert into raw_threads_touched
        select thread from raw_audit_lines
        where thread is not null and event_id in (
            select event_id from new_lines
            intersect
            select event_id from raw_events_repeated
        )
        except
        select thread from raw_threads_touched
        """
    )
    if count:
        fill_hashes(connection)


def fill_hashes(connection: "DuckDBPyConnection") -> None:
    """The hashes of plain lines whose events are repeated, from their columns."""
    known = connection.execute("select * from raw_spellings").fetchall()
    for number, field_names, *form in known:
        line = spellings.written(spellings.Spelling(tuple(field_names), *form))
        connection.execute(
            f"update raw_audit_lines set line_hash = sha256({line}) "
            "where line_hash is null and spelling = ? "
            "and event_id in (select event_id from raw_events_repeated)",
            [number],
        )


def _as_json(line: ingest.Line) -> bytes:
    row = None if line.row is None else orjson.Fragment(ingest.canonical(line.row))
    return orjson.dumps(line._asdict() | {"row": row}, option=orjson.OPT_APPEND_NEWLINE)

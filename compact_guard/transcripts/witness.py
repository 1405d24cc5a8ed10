"""The second witness: what the agents' own transcripts prove, read as streams and kept as facts.

Nothing of a conversation's text is kept. What cannot be read is counted, never dropped.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard.errors import UsageError
from compact_guard.evaluator import bookmarks, scope, threads, warehouse
from compact_guard.evaluator.bookmarks import Bookmark
from compact_guard.progress import Advance, silent
from compact_guard.transcripts.discovery import find
from compact_guard.transcripts.facts import Fact
from compact_guard.transcripts.stretches import uncollected
from compact_guard.transcripts.transcript_file import File, TranscriptFile, read

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

__all__ = ["File", "TranscriptFile", "find", "load", "read"]

KIND = "transcript"

# What the readers make of a line: raise it when that changes, and every file at hand is read anew.
READING = "2"

_EVENTS_PER_BATCH = 100_000

_Columns = dict[str, Sequence[Any]]


class _Read(NamedTuple):
    bookmark: Bookmark
    transcript: TranscriptFile


def load(connection: "DuckDBPyConnection", paths: list[Path], advance: Advance = silent) -> int:
    """Read every transcript under `paths` that is new or changed into the raw tables.

    Afterwards exactly these are part of the evaluation, with those that were read here and are
    gone since: agents delete their transcripts after some weeks. Returns how many files there are.
    Raises UsageError when a path is missing or nothing may be read.
    """
    found = {scope.named(path): path for path in find(paths)}
    known = bookmarks.known(connection, KIND)
    changed = {
        name: path for name, path in found.items() if not _is_unchanged(path, known.get(name))
    }
    with uncollected():
        for batch in _batches(changed, advance):
            _replace(connection, batch)
    with warehouse.transaction(connection):
        before = scope.left_out(connection, KIND)
        gone = scope.settle(connection, KIND, paths, set(found))
        threads.touch_transcripts(connection, sorted(before ^ scope.left_out(connection, KIND)))
        if gone:
            _forget_moved(connection, gone)
    _demand_readable(connection, list(found))
    return len(found)


def _is_unchanged(path: Path, known: Bookmark | None) -> bool:
    # A transcript is read whole or not at all: its head needs no hash, and tells of the reading.
    if known is None or known.head_hash != READING:
        return False
    try:
        return bookmarks.is_unchanged(path, known)
    except OSError:
        return False


def _demand_readable(connection: "DuckDBPyConnection", found: list[str]) -> None:
    refused = connection.execute(
        "select count(*), min(file) from raw_transcript_files "
        "where reject_reason = 'no_access' and list_contains(?, file)",
        [found],
    ).fetchone()
    if refused and found and refused[0] == len(found):
        raise UsageError(f"cannot read {refused[1]}: mend its permissions or leave it out")


def _forget_moved(connection: "DuckDBPyConnection", gone: list[str]) -> None:
    """A file that is gone, and of which a copy as long is at hand, was moved."""
    connection.execute(
        """
        create or replace temp table moved as
        select gone.file from raw_transcript_files as gone
        where list_contains(?, gone.file) and (
            gone.reject_reason is not null
            or exists (
                select 1 from raw_transcript_files as present
                inner join raw_files
                    on present.file = raw_files.file and raw_files.kind = 'transcript'
                where not raw_files.is_gone
                and present.transcript_hash = gone.transcript_hash
                and present.complete_bytes >= gone.complete_bytes
            )
        )
        """,
        [gone],
    )
    moved = connection.execute("select file from moved").fetchall()
    threads.touch_transcripts(connection, [file for (file,) in moved])
    for table in ("raw_transcript_events", "raw_transcript_files", "raw_files"):
        connection.execute(f"delete from {table} where file in (select file from moved)")


def _batches(changed: dict[str, Path], advance: Advance) -> Iterator[list[_Read]]:
    """Files read one by one, handed on before their facts fill the memory."""
    batch: list[_Read] = []
    held = 0
    for name, path in changed.items():
        batch.append(_read_one(name, path))
        advance(batch[-1].transcript.file.file_bytes)
        held += len(batch[-1].transcript.events)
        if held >= _EVENTS_PER_BATCH:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _read_one(name: str, path: Path) -> _Read:
    """The status before reading: what is written meanwhile makes it another file tomorrow."""
    try:
        bookmark = bookmarks.look(name, path.stat())._replace(head_hash=READING)
    except OSError:
        bookmark = Bookmark(name, "", 0, 0, 0, 0)
    transcript = read(path)
    if transcript.file.reject_reason == "no_access":
        bookmark = bookmark._replace(seen_ns=0)  # never settled: tried again every time
    return _Read(bookmark, transcript._replace(file=transcript.file._replace(file=name)))


def _replace(connection: "DuckDBPyConnection", batch: list[_Read]) -> None:
    """These files instead of what was known of them, in one transaction."""
    names = [one.transcript.file.file for one in batch]
    with warehouse.transaction(connection):
        threads.touch_transcripts(connection, names)
        for table in ("raw_transcript_events", "raw_transcript_files"):
            connection.execute(f"delete from {table} where list_contains(?, file)", [names])
        _insert(connection, [one.transcript for one in batch])
        bookmarks.save(connection, KIND, [one.bookmark for one in batch])


def _insert(connection: "DuckDBPyConnection", batch: list[TranscriptFile]) -> None:
    counts = [len(transcript.events) for transcript in batch]
    events = _columns(Fact._fields, chain.from_iterable(one.events for one in batch))
    names = [one.file.file for one in batch]
    events["file"] = list(chain.from_iterable(map(repeat, names, counts)))
    events["event_number"] = list(chain.from_iterable(range(1, count + 1) for count in counts))
    tables = {
        "raw_transcript_files": _columns(File._fields, (one.file for one in batch)),
        "raw_transcript_events": events,
    }
    for table, columns in tables.items():
        connection.register("transcript_batch", _frame(columns))
        connection.execute(f"insert into {table} by name select * from transcript_batch")
        connection.unregister("transcript_batch")
    threads.touch_transcripts(connection, names)


def _columns(names: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> _Columns:
    """By column: a warehouse gets them so, and a row at a time costs as much as the rest."""
    values = tuple(zip(*rows, strict=True)) or ((),) * len(names)
    return dict(zip(names, values, strict=True))


def _frame(columns: _Columns) -> "pd.DataFrame":
    """Typed by column, for DuckDB guesses the type of an untyped one from a sample."""
    import pandas as pd

    return pd.DataFrame(
        {name: pd.array(values, dtype=_column_type(name)) for name, values in columns.items()}
    )


def _column_type(name: str) -> Any:
    if name.startswith(("is_", "records_")):
        return "boolean"
    if name.endswith("_at"):
        return "datetime64[us]"
    is_count = name.endswith(("_bytes", "_lines", "_read", "_number", "_offset", "_tokens"))
    return "Int64" if is_count else "string"

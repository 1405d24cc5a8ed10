"""The second witness: what the agents' own transcripts prove, read as streams and kept as facts.

Nothing of a conversation's text is kept. What cannot be read is counted, never dropped.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compact_guard.errors import UsageError
from compact_guard.transcript_facts import Fact
from compact_guard.transcript_file import File, TranscriptFile, read

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

__all__ = ["File", "TranscriptFile", "find", "load", "read"]

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")

_EVENTS_PER_BATCH = 100_000


def find(paths: list[Path]) -> list[Path]:
    """The transcripts under `paths` (files, or folders of SUFFIXES), sorted, each once.

    Folders that may not be listed are in it too, for `read` to account for them.
    Raises UsageError when a path is missing.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.is_dir() and not path.is_file():
            raise UsageError(f"no transcript at {path}: mend the path or leave it out")
        for file in _files_below(path) if path.is_dir() else [path]:
            if not file.is_symlink() or file.resolve() not in found:
                found[file.resolve()] = file
    return sorted(found.values())


def load(connection: "DuckDBPyConnection", paths: list[Path]) -> int:
    """Read every transcript under `paths` into the raw tables, replacing what was there.

    Returns how many files. Raises UsageError when a path is missing or nothing may be read.
    """
    connection.execute("delete from raw_transcript_files")
    connection.execute("delete from raw_transcript_events")
    files: list[File] = []
    for batch in _batches(find(paths)):
        _insert(connection, batch)
        files += [transcript.file for transcript in batch]
    if files and all(file.reject_reason == "no_access" for file in files):
        raise UsageError(f"cannot read {files[0].file}: mend its permissions or leave it out")
    return len(files)


def _files_below(folder: Path) -> Iterator[Path]:
    unlisted: list[Path] = []
    for parent, _, names in os.walk(
        folder, onerror=lambda error: unlisted.append(Path(error.filename))
    ):
        for name in names:
            if name.endswith(SUFFIXES) and Path(parent, name).is_file():
                yield Path(parent, name)
    yield from unlisted


def _batches(paths: list[Path]) -> Iterator[list[TranscriptFile]]:
    """Files read one by one, handed on before their facts fill the memory."""
    batch: list[TranscriptFile] = []
    held = 0
    for path in paths:
        batch.append(read(path))
        held += len(batch[-1].events)
        if held >= _EVENTS_PER_BATCH:
            yield batch
            batch, held = [], 0
    yield batch


def _insert(connection: "DuckDBPyConnection", batch: list[TranscriptFile]) -> None:
    events = [
        (transcript.file.file, number, *fact)
        for transcript in batch
        for number, fact in enumerate(transcript.events, start=1)
    ]
    tables = {
        "raw_transcript_files": _frame(File._fields, [transcript.file for transcript in batch]),
        "raw_transcript_events": _frame(("file", "event_number", *Fact._fields), events),
    }
    for table, frame in tables.items():
        connection.register("transcript_batch", frame)
        connection.execute(f"insert into {table} by name select * from transcript_batch")
        connection.unregister("transcript_batch")


def _frame(columns: tuple[str, ...], rows: list[Any]) -> "pd.DataFrame":
    """Typed by column, for DuckDB guesses the type of an untyped one from a sample."""
    import pandas as pd

    values = dict(zip(columns, zip(*rows, strict=True), strict=True)) if rows else {}
    return pd.DataFrame(
        {name: pd.array(values.get(name, ()), dtype=_column_type(name)) for name in columns}
    )


def _column_type(name: str) -> Any:
    if name.startswith(("is_", "records_")):
        return "boolean"
    if name.endswith("_at"):
        return "datetime64[us]"
    is_count = name.endswith(("_bytes", "_lines", "_read", "_number", "_offset", "_tokens"))
    return "Int64" if is_count else "string"

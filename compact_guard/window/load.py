"""From transcripts to tables: each file's scan, cached or fresh, into DuckDB, and the prices."""

import os
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from compact_guard.transcripts.stretches import uncollected
from compact_guard.window import prices
from compact_guard.window.scan import scan
from compact_guard.window.scan_cache import ScanCache
from compact_guard.window.usage import Event

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ROOT = "sql/window"

_ENCODER = msgspec.json.Encoder()
_KEY_BYTES = 9  # twelve characters: DuckDB keeps as many in place
_SAME_NAMES: dict[str, str] = {}
_EVENT_NAMES = {field.name: field.encode_name for field in msgspec.structs.fields(Event)}


class Stamped(NamedTuple):
    """A path and the fingerprint of what stands there."""

    path: Path
    fingerprint: str


def load(
    connection: "DuckDBPyConnection",
    files: Iterable[Stamped],
    cache: ScanCache,
    tell: Callable[[Path], None] = lambda path: None,
) -> None:
    """Fill raw_window_files and raw_window_events; `tell` hears of each file when it is done."""
    with _temporary_file() as file_rows, _temporary_file() as event_rows, uncollected():
        for stamped in files:
            content = cache.scan(stamped.path, stamped.fingerprint, partial(_content, stamped))
            file_row, _, events = content.partition(b"\n")
            file_rows.write(file_row + b"\n")
            event_rows.write(events)
            tell(stamped.path)
        file_rows.close()
        event_rows.close()
        insert(connection, "raw_window_files", file_rows.name)
        insert(connection, "raw_window_events", event_rows.name, _EVENT_NAMES)


def load_prices(connection: "DuckDBPyConnection", own: Path | None) -> None:
    """Fill raw_window_prices for the models that the events name. Raises UsageError."""
    wanted = connection.execute(
        "select distinct model, case when speed = 'fast' then 'fast' else 'standard' end "
        "from raw_window_events where model is not null"
    ).fetchall()
    found = prices.find(wanted, own)
    with _temporary_file() as rows:
        rows.write(_ENCODER.encode_lines(price._asdict() for price in found))
        rows.close()
        insert(connection, "raw_window_prices", rows.name)


def insert(
    connection: "DuckDBPyConnection", table: str, file: str, names: Mapping[str, str] = _SAME_NAMES
) -> None:
    """Replace a raw table's rows by those of a file with one JSON object per line.

    `names` are those that columns have in the file, where they are others.
    """
    described = connection.execute(f"describe {table}").fetchall()
    columns = {names.get(name, name): kind for name, kind, *_ in described}
    connection.execute(f"delete from {table}")
    if os.path.getsize(file):  # noqa: PTH202 - a name, not a path
        chosen = ", ".join(f"{names.get(name, name)} as {name}" for name, *_ in described)
        connection.execute(
            f"insert into {table} select {chosen} from read_json("
            "?, columns = ?, format = 'newline_delimited', maximum_object_size = 67108864)",
            [file, columns],
        )


def _content(stamped: Stamped) -> bytes:
    """One scan as JSON lines: its file, then its events."""
    found = scan(stamped.path)
    key = _key(stamped)
    for event in found.events:
        event.file_key = key
    file = msgspec.structs.replace(found.file, file_key=key)
    return _ENCODER.encode(file) + b"\n" + _ENCODER.encode_lines(found.events)


def _key(stamped: Stamped) -> str:
    """Joins the events of a file to it; two files with the same content have two keys."""
    name = os.fsencode(stamped.path) + stamped.fingerprint.encode()
    return urlsafe_b64encode(sha256(name).digest()[:_KEY_BYTES]).decode()


@contextmanager
def _temporary_file() -> Iterator[Any]:
    with tempfile.NamedTemporaryFile(suffix=".jsonl", delete=False) as file:
        try:
            yield file
        finally:
            file.close()
            os.unlink(file.name)  # noqa: PTH108 - a name, not a path

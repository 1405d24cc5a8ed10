"""The window study, as plain steps: find, scan, price, build the models, answer."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compact_guard.errors import UsageError
from compact_guard.evaluator import building, warehouse
from compact_guard.transcripts import witness
from compact_guard.window import (
    comparison,
    file_versions,
    load,
    rules,
    scan,
    scan_cache,
    study_json,
)
from compact_guard.window.load import Stamped
from compact_guard.window.scan_cache import ScanCache

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from compact_guard.window.settings_history import History

Tell = Callable[[Path], None]


@dataclass(frozen=True)
class Request:
    """What to study: transcripts or folders of them, own prices, and where scans are cached.

    `cache` None: everything is read anew and nothing is kept. `warehouse` None: in memory.
    `change` is when the window changed, naive UTC; None: proposed from what is seen.
    `policy` overrides the shipped rules.toml; `settings` are settings files whose history tells of
    the window, beside those of the transcripts' own home and projects.
    """

    paths: tuple[Path, ...]
    prices: Path | None = None
    cache: Path | None = None
    warehouse: Path | None = None
    change: datetime | None = None
    policy: Path | None = None
    settings: tuple[Path, ...] = ()


def answer(request: Request, tell: Tell = lambda path: None) -> bytes:
    """The JSON object of design.md section 8, as bytes.

    Nothing is computed anew where no file, price or line of code changed since the last time.
    Raises UsageError where a path is missing, a price cannot be used or nothing was readable.
    """
    with scan_cache.opened(request.cache) as cache:
        files = stamped(request)
        key = answer_key(request, files)
        found = _known_answer(cache, key)
        if found is None:
            history = on_record(request, files)
            with built(request, files, cache, tell) as connection:
                found = study_json.encoded(connection, compared(connection, request, history))
            _keep_answer(cache, key, history, found)
            cache.forget_missing()
        return found


def on_record(request: Request, files: list[Stamped]) -> "History":
    """Every change of window that settings, commands and sessions tell of."""
    from compact_guard.window import settings_history

    places = settings_history.Places(tuple(file.path for file in files), request.settings)
    return settings_history.look(places, os.environ)


def compared(
    connection: "DuckDBPyConnection", request: Request, history: "History"
) -> comparison.Comparison:
    """What the change of window did: the one given, on record, or seen."""
    demanded = rules.load(request.policy)
    return comparison.compare(connection, demanded, request.change, history.changes)


def _known_answer(cache: ScanCache, key: str) -> bytes | None:
    """The last one, unless a settings file that it rests on has changed since."""
    watched = cache.answer(f"{key} watched")
    if watched is None:
        return None
    files = [(agent, Path(os.fsdecode(bytes.fromhex(name)))) for agent, name in json.loads(watched)]
    return cache.answer(f"{key} {_settings_stamp(files)}")


def _keep_answer(cache: ScanCache, key: str, history: "History", found: bytes) -> None:
    watched = [(agent, os.fsencode(file).hex()) for agent, file in history.files]
    cache.keep_answer(f"{key} watched", json.dumps(watched).encode())
    cache.keep_answer(f"{key} {_settings_stamp(history.files)}", found)


def _settings_stamp(files: list[tuple[str, Path]]) -> str:
    stamps = [file_versions.stamp(file, agent) for agent, file in files]
    return hashlib.sha256(repr(stamps).encode("utf-8", "surrogateescape")).hexdigest()


def stamped(request: Request) -> list[Stamped]:
    """Every transcript under the request's paths, each once, with its fingerprint."""
    code = scan_cache.code_fingerprint()
    return [
        Stamped(path, f"{scan_cache.fingerprint(path)} {code}")
        for path in witness.find(list(request.paths))
    ]


def answer_key(request: Request, files: list[Stamped]) -> str:
    """Changes with whatever an answer depends on."""
    own = request.prices.read_bytes() if request.prices and request.prices.is_file() else b""
    named = [(name, file_versions.stamp(name, "")) for name in request.settings]
    asked = [request.change, rules.load(request.policy), _settings_code(), _homes(), *named]
    parts: list[Any] = [str(request.prices), own, _library_stamp(), asked, *files]
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()


@contextmanager
def built(
    request: Request, files: list[Stamped], cache: ScanCache, tell: Tell = lambda path: None
) -> "Iterator[DuckDBPyConnection]":
    """A warehouse with every model of sql/window built from these files.

    Raises UsageError where a price cannot be used or nothing was readable.
    """
    with warehouse.connect(request.warehouse or Path(":memory:")) as connection:
        connection.execute("set threads = 1")  # the tables are small: more cost a third more CPU
        warehouse.create(connection, load.ROOT)
        if request.warehouse:
            _make_room_for_views(connection)
        load.load(connection, files, cache, tell)
        demand_readable(connection, request)
        load.load_prices(connection, request.prices)
        building.build(connection, load.ROOT)
        yield connection


def _make_room_for_views(connection: "DuckDBPyConnection") -> None:
    """In a file of an earlier version a model may stand as a table."""
    tables = {
        name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()
    }
    for model in warehouse.models(load.ROOT):
        if model.built == building.AS_VIEW and model.name in tables:
            connection.execute(f"drop table {model.name}")


def demand_readable(connection: "DuckDBPyConnection", request: Request) -> None:
    """Raise UsageError unless at least one file is an agent's transcript."""
    reasons = connection.execute(
        "select coalesce(reject_reason, 'read'), count(*) from raw_window_files group by all"
    ).fetchall()
    if "read" not in dict(reasons):
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons))
        places = ", ".join(map(str, request.paths))
        raise UsageError(
            f"no transcript of Claude Code or Codex could be read in {places}"
            f" ({told or 'no file there'}): name their folders"
        )


def _homes() -> list[str]:
    """A home whose transcripts are studied brings its settings with it."""
    try:
        return [str(folder) for folder in scan.default_folders()]
    except UsageError:
        return []


def _settings_code() -> list[bytes]:
    """Of the agents' modules that read settings; the scans do not depend on it."""
    folder = Path(__file__).resolve().parents[1] / "agents"
    return [file.read_bytes() for file in sorted(folder.glob("*/window_settings.py"))]


def _library_stamp() -> tuple[int, int] | None:
    """The price library's data, without importing it: that alone would cost 0.1 s."""
    from importlib.util import find_spec

    spec = find_spec("genai_prices")
    if spec is None or spec.origin is None:
        return None
    status = Path(spec.origin).with_name("data.py").stat()
    return status.st_size, status.st_mtime_ns

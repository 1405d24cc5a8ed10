"""The window study, as plain steps: find, scan, price, build the models, answer."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compact_guard.errors import UsageError
from compact_guard.evaluator import warehouse
from compact_guard.transcripts import witness
from compact_guard.window import comparison, load, rules, scan_cache, study_json
from compact_guard.window.load import Stamped
from compact_guard.window.scan_cache import ScanCache

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Tell = Callable[[Path], None]


@dataclass(frozen=True)
class Request:
    """What to study: transcripts or folders of them, own prices, and where scans are cached.

    `cache` None: everything is read anew and nothing is kept. `warehouse` None: in memory.
    `change` is when the window changed, naive UTC; None: proposed from what is seen.
    `policy` overrides the shipped rules.toml.
    """

    paths: tuple[Path, ...]
    prices: Path | None = None
    cache: Path | None = None
    warehouse: Path | None = None
    change: datetime | None = None
    policy: Path | None = None


def answer(request: Request, tell: Tell = lambda path: None) -> bytes:
    """The JSON object of design.md section 8, as bytes.

    Nothing is computed anew where no file, price or line of code changed since the last time.
    Raises UsageError where a path is missing, a price cannot be used or nothing was readable.
    """
    demanded = rules.load(request.policy)
    with scan_cache.opened(request.cache) as cache:
        files = stamped(request)
        key = answer_key(request, files)
        found = cache.answer(key)
        if found is None:
            with built(request, files, cache, tell) as connection:
                compared = comparison.compare(connection, demanded, request.change)
                found = study_json.encoded(connection, compared)
            cache.keep_answer(key, found)
            cache.forget_missing()
        return found


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
    asked = [request.change, rules.load(request.policy)]
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
        load.load(connection, files, cache, tell)
        demand_readable(connection, request)
        load.load_prices(connection, request.prices)
        warehouse.build(connection, load.ROOT)
        yield connection


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


def _library_stamp() -> tuple[int, int] | None:
    """The price library's data, without importing it: that alone would cost 0.1 s."""
    from importlib.util import find_spec

    spec = find_spec("genai_prices")
    if spec is None or spec.origin is None:
        return None
    status = Path(spec.origin).with_name("data.py").stat()
    return status.st_size, status.st_mtime_ns

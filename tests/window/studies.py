"""A study of some files, and what it says, for tests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from compact_guard.evaluator import warehouse
from compact_guard.window import load, scan_cache, study


def studied(*paths: Path, **options: Any) -> dict[str, Any]:
    """The JSON of a study without a cache."""
    return json.loads(study.answer(study.Request(paths, **options)))


@contextmanager
def built(*paths: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse of a study; each model's key is checked."""
    request = study.Request(paths)
    with (
        scan_cache.opened(None) as cache,
        study.built(request, study.stamped(request), cache) as connection,
    ):
        check_keys(connection)
        yield connection


def rows(table: str, *paths: Path, order: str = "all") -> list[dict[str, Any]]:
    """The rows of one table of a study."""
    with built(*paths) as connection:
        return warehouse.rows(connection, f"select * from {table} order by {order}")


def check_keys(connection: duckdb.DuckDBPyConnection) -> None:
    """Every model's key is unique and not null, as its header says."""
    for model in warehouse.models(load.ROOT):
        key = ", ".join(model.key)
        is_null = " or ".join(f"{column} is null" for column in model.key)
        offenders = connection.execute(
            f"select {key} from {model.name} group by {key} having count(*) > 1 or {is_null}"
        ).fetchall()
        assert offenders == [], f"{model.name}: {key} is not a key"

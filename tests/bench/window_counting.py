"""Scan, count and price, and nothing else of the study: totals and boundaries as JSON.

    python -m tests.bench.window_counting FOLDER

The same modules, models and cache as in `compact-guard window`, up to the price of every response.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from duckdb import DuckDBPyConnection

from compact_guard.evaluator import warehouse
from compact_guard.window import load, scan_cache, study

ANSWERING = ("window_turns", "window_files", "stg_window_boundaries")
_TOTALS = """
select count(*), count(*) filter (where is_main), coalesce(sum(cost_usd), 0) from window_turns
"""


def main() -> None:
    """Print the answer."""
    request = study.Request((Path(sys.argv[1]),), cache=scan_cache.default_file())
    with (
        scan_cache.opened(request.cache) as cache,
        warehouse.connect(Path(":memory:")) as connection,
    ):
        connection.execute("set threads = 1")
        warehouse.create(connection, load.ROOT)
        load.load(connection, study.stamped(request), cache)
        load.load_prices(connection, request.prices)
        _build(connection)
        sys.stdout.write(json.dumps(_answer(connection)))


def _build(connection: DuckDBPyConnection) -> None:
    models = {model.name: model for model in warehouse.models(load.ROOT)}
    needed = _needed(ANSWERING, models)
    with warehouse.transaction(connection):
        for name, model in models.items():
            if name in needed and model.layer not in warehouse.STORED:
                connection.execute(f"create table {name} as\n{model.sql}")


def _needed(names: Iterable[str], models: dict[str, warehouse.Model]) -> set[str]:
    """These models and all below them."""
    return {each for name in names for each in {name, *_needed(models[name].reads, models)}}


def _answer(connection: DuckDBPyConnection) -> dict:
    [(turns, main_turns, cost_usd)] = connection.execute(_TOTALS).fetchall()
    copies = connection.execute("select is_copy from stg_window_boundaries").fetchall()
    return {
        "totals": {"turns": turns, "main_turns": main_turns, "cost_usd": cost_usd},
        "boundaries": [{"is_copy": is_copy} for (is_copy,) in copies],
    }


if __name__ == "__main__":
    main()

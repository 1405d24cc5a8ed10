"""Run the suites of expectations/ on the warehouse's tables; their results gate the verdict.

Great Expectations drops unknown expectation types, and calls an empty suite or an empty table a
success. A gate must not: suites are checked against their file when they are loaded, and every
suite holds an expectation about its row count.
"""

import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard import assets

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

SUITES = ("stg_audit_rows", "compactions", "evidence_identities")


class ExpectationResult(NamedTuple):
    """One expectation on one table of one interface; `observed` counts offending values."""

    suite: str
    expectation: str
    severity: str
    why: str
    success: bool
    observed: int


class BrokenSuite(Exception):
    """A suite file that Great Expectations would not run as written."""


def run(connection: "DuckDBPyConnection") -> dict[str, list[ExpectationResult]]:
    """Every suite on every interface's rows: interface -> results, in the order of the files."""
    validate = _validator()
    interfaces = connection.execute("select interface from interface_evidence order by 1")
    results: dict[str, list[ExpectationResult]] = {}
    for (interface,) in interfaces.fetchall():
        results[interface] = []
        for name in SUITES:
            relation = connection.table(name).filter(f"interface = '{interface}'")
            results[interface] += validate(load(name), relation.df())
    return results


def load(name: str) -> dict[str, Any]:
    """One suite as written. Raises BrokenSuite when it is empty or lacks a reason or severity."""
    file = assets.folder("expectations") / f"{name}.json"
    suite: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    if not suite["expectations"]:
        raise BrokenSuite(f"{file} is empty: it would pass whatever stands in the table")
    for expectation in suite["expectations"]:
        if "why" not in expectation.get("meta", {}) or "severity" not in expectation:
            raise BrokenSuite(f"{file}: {expectation['type']} needs `severity` and `meta.why`")
    return suite


class _validator:
    """Great Expectations with an ephemeral context; imported only here, it costs seconds."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            # Its own use of sre_constants and sre_parse, not ours to mend.
            warnings.filterwarnings("ignore", "module 'sre_", DeprecationWarning)
            import great_expectations as gx
            from great_expectations.data_context.types import base

        self._gx: Any = gx
        # In-memory stores and no docs site: the default context leaves a folder in /tmp.
        context = gx.get_context(
            project_config=base.DataContextConfig(
                store_backend_defaults=base.InMemoryStoreBackendDefaults(),
                progress_bars=base.ProgressBarsConfig(globally=False),
            )
        )
        self._source = context.data_sources.add_pandas("warehouse")

    def __call__(self, suite: dict[str, Any], frame: "pd.DataFrame") -> list[ExpectationResult]:
        name = suite["name"]
        loaded = self._gx.ExpectationSuite(**suite)
        if len(loaded.expectations) != len(suite["expectations"]):
            raise BrokenSuite(f"expectations/{name}.json names a type that does not exist")
        asset = self._source.add_dataframe_asset(name)
        batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": frame})
        outcome = batch.validate(loaded, result_format="BASIC")
        self._source.delete_asset(name)
        return [
            _result(name, result.to_json_dict())
            for result in sorted(outcome.results, key=lambda result: _position(suite, result))
        ]


def _position(suite: dict[str, Any], result: Any) -> int:
    """Where the suite's file has this expectation: results come back in an order of their own."""
    meta = result.expectation_config.meta
    return [expectation["meta"] for expectation in suite["expectations"]].index(meta)


def _result(suite: str, result: dict[str, Any]) -> ExpectationResult:
    config = result["expectation_config"]
    observed = result["result"].get("unexpected_count", result["result"].get("observed_value"))
    column = config["kwargs"].get("column")
    return ExpectationResult(
        suite=suite,
        expectation=f"{config['type']}({column})" if column else config["type"],
        severity=config["severity"],
        why=config["meta"]["why"],
        success=bool(result["success"]),
        observed=int(observed or 0),
    )


def suite_files() -> list[Path]:
    """The files of expectations/, for the tests that hold them against SUITES."""
    return sorted(assets.folder("expectations").glob("*.json"))

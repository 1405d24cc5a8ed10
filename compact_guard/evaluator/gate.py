"""Run the suites of expectations/ on the warehouse's tables; their results gate the verdict.

Great Expectations drops unknown expectation types, and calls an empty suite or an empty table a
success. A gate must not: suites are checked against their file when they are loaded, and every
suite holds an expectation about its row count.

It is handed each distinct combination of a suite's columns once, never the rows themselves, so
that a log of ten million rows costs it no more than one of ten; what offends is then found in
the warehouse.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard import assets
from compact_guard.evaluator import gate_memory, gate_offenders, warehouse
from compact_guard.evaluator.gate_offenders import Offender
from compact_guard.evaluator.gate_validator import BrokenSuite, Validator
from compact_guard.evaluator.history import Occasion

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

# What goes in before what comes out, each as vocabulary and as arithmetic.
SUITES = ("stg_audit_rows", "audit_row_identities", "compactions", "evidence_identities")


class ExpectationResult(NamedTuple):
    """One expectation on one table of one interface; `observed` counts what offends.

    `offending` names the first of it, at most `gate_offenders.OFFENDERS_MAX`.
    """

    suite: str
    expectation: str
    severity: str
    why: str
    success: bool
    observed: int
    offending: tuple[Offender, ...] = ()


def run(
    connection: "DuckDBPyConnection",
    data_docs: Path | None = None,
    suites: tuple[str, ...] = SUITES,
) -> dict[str, list[ExpectationResult]]:
    """Every suite on every interface's rows: interface -> results, in the order of the files.

    Builds Great Expectations' pages about it in the folder `data_docs`, where one is given.
    """
    asked = _Asked(connection, data_docs)
    loaded = {name: load(name) for name in suites}
    combined = {
        name: gate_offenders.combinations(connection, name, columns_of(suite))
        for name, suite in loaded.items()
    }
    interfaces = connection.execute("select interface from interface_evidence order by 1")
    results: dict[str, list[ExpectationResult]] = {}
    for (interface,) in interfaces.fetchall():
        results[interface] = []
        for name, suite in loaded.items():
            frame = gate_offenders.of_interface(combined[name], interface)
            for found in asked.results(suite, frame, interface):
                results[interface].append(_result(connection, name, interface, found))
    asked.finish()
    return results


class _Asked:
    """Great Expectations, asked only for what is not known to hold; for its pages, everything."""

    def __init__(self, connection: "DuckDBPyConnection", data_docs: Path | None) -> None:
        self._data_docs = data_docs
        self._memory = gate_memory.Memory(connection)
        self._validator: Validator | None = None

    def results(
        self, suite: dict[str, Any], frame: "pd.DataFrame", interface: str
    ) -> list[dict[str, Any]]:
        """Great Expectations' results, or such as it gave before, in the order of the suite."""
        keys = [
            gate_memory.key_of(expectation, frame, _columns(expectation["kwargs"]))
            for expectation in suite["expectations"]
        ]
        known = [not self._data_docs and self._memory.holds(key) for key in keys]
        asked = [
            one for one, is_known in zip(suite["expectations"], known, strict=True) if not is_known
        ]
        answers = iter(self._answers(suite | {"expectations": asked}, frame, interface))
        results = []
        for expectation, key, is_known in zip(suite["expectations"], keys, known, strict=True):
            result = _held(expectation, frame) if is_known else next(answers)
            if result["success"]:
                self._memory.remember(key)
            results.append(result)
        return results

    def _answers(
        self, suite: dict[str, Any], frame: "pd.DataFrame", interface: str
    ) -> list[dict[str, Any]]:
        if not suite["expectations"]:
            return []
        self._validator = self._validator or Validator(self._data_docs)
        return self._validator.validate(suite, frame, interface)

    def finish(self) -> None:
        """Keep what held, and build the pages where a folder for them was given."""
        self._memory.write()
        if self._data_docs is not None:
            (self._validator or Validator(self._data_docs)).build_data_docs()


def _held(expectation: dict[str, Any], frame: "pd.DataFrame") -> dict[str, Any]:
    """What Great Expectations says where an expectation holds."""
    is_of_table = not _columns(expectation["kwargs"])
    observed = {"observed_value": len(frame)} if is_of_table else {}
    return {"expectation_config": expectation, "success": True, "result": observed}


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


def store(
    connection: "DuckDBPyConnection",
    occasion: Occasion,
    results: dict[str, list[ExpectationResult]],
) -> None:
    """Keep the results in gate_results, in place of what an equal evaluation left there."""
    with warehouse.transaction(connection):
        connection.execute(
            "delete from gate_results where audit = ? and as_of = ? and is_rehearsal = ?",
            list(occasion),
        )
        rows = [
            _kept(occasion, interface, result)
            for interface, found in results.items()
            for result in found
        ]
        if rows:
            # At once: row by row, DuckDB plans a hundred statements, and as many values one by one.
            connection.execute(
                f"insert into gate_results select {', '.join(['unnest(?)'] * len(rows[0]))}",
                [list(column) for column in zip(*rows, strict=True)],
            )


def _kept(occasion: Occasion, interface: str, result: ExpectationResult) -> list[object]:
    """The row of gate_results."""
    return [
        *occasion,
        interface,
        result.suite,
        result.expectation,
        result.severity,
        result.success,
        result.observed,
        [offender._asdict() for offender in result.offending],
    ]


def columns_of(suite: dict[str, Any]) -> list[str]:
    """The columns that a suite's expectations speak of, each once."""
    named = [column for one in suite["expectations"] for column in _columns(one["kwargs"])]
    return list(dict.fromkeys(named))


def _columns(kwargs: dict[str, Any]) -> list[str]:
    return [kwargs[name] for name in ("column", "column_A", "column_B") if name in kwargs]


def _result(
    connection: "DuckDBPyConnection", suite: str, interface: str, result: dict[str, Any]
) -> ExpectationResult:
    config, outcome = result["expectation_config"], result["result"]
    columns = _columns(config["kwargs"])
    success = bool(result["success"])
    observed = int(outcome.get("observed_value") or 0)
    offending: list[Offender] = []
    if columns and not success:
        unexpected = outcome.get("unexpected_list", [])
        observed, offending = gate_offenders.find(connection, suite, interface, columns, unexpected)
    return ExpectationResult(
        suite=suite,
        expectation=f"{config['type']}({', '.join(columns)})" if columns else config["type"],
        severity=config["severity"],
        why=config["meta"]["why"],
        success=success,
        observed=observed,
        offending=tuple(offending),
    )

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
from compact_guard.evaluator import gate_offenders
from compact_guard.evaluator.gate_offenders import Offender
from compact_guard.evaluator.gate_validator import BrokenSuite, Validator

if TYPE_CHECKING:
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
    validator = Validator(data_docs)
    interfaces = connection.execute("select interface from interface_evidence order by 1")
    results: dict[str, list[ExpectationResult]] = {}
    for (interface,) in interfaces.fetchall():
        results[interface] = []
        for name in suites:
            suite = load(name)
            frame = gate_offenders.combinations(connection, name, columns_of(suite), interface)
            for found in validator.validate(suite, frame, interface):
                results[interface].append(_result(connection, name, interface, found))
    validator.build_data_docs()
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


def store(connection: "DuckDBPyConnection", results: dict[str, list[ExpectationResult]]) -> None:
    """Keep the results in gate_results, in place of what an equal evaluation left there."""
    [(as_of, is_rehearsal)] = connection.execute(
        "select as_of, is_rehearsal from raw_run_parameters"
    ).fetchall()
    connection.execute(
        "delete from gate_results where as_of = ? and is_rehearsal = ?", [as_of, is_rehearsal]
    )
    for interface, found in results.items():
        for result in found:
            connection.execute(
                "insert into gate_results values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    as_of,
                    is_rehearsal,
                    interface,
                    result.suite,
                    result.expectation,
                    result.severity,
                    result.success,
                    result.observed,
                    [offender._asdict() for offender in result.offending],
                ],
            )


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

"""The main job, as plain steps: read the logs, build the models, gate, decide, report.

`evaluate` runs them in order; flows/verdict.py orders the same functions as Prefect tasks. Each
step opens the warehouse itself, so that steps may run in different processes.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from compact_guard import gate, ingest, warehouse
from compact_guard.policy import Policy
from compact_guard.verdict import OUTCOMES, Decision, Evidence, Verdict, decide, overall


@dataclass(frozen=True)
class Request:
    """What to evaluate: audit log paths, policy, and the time (naive UTC) it is judged as of."""

    audit: tuple[Path, ...]
    policy: Policy
    as_of: datetime
    is_rehearsal: bool = False
    guard_fingerprint: str | None = None


@dataclass(frozen=True)
class RowCounts:
    """What became of the lines read; the last four add up to `read`."""

    read: int
    accepted: int
    duplicates: int
    quarantined: int
    after_as_of: int

    @property
    def quarantined_share(self) -> float:
        return self.quarantined / self.read if self.read else 0.0


@dataclass(frozen=True)
class InterfaceResult:
    """One interface: its evidence, the decision, and the rows of the marts behind them."""

    evidence: Evidence
    decision: Decision
    expectations: tuple[gate.ExpectationResult, ...]
    compactions: tuple[dict[str, Any], ...]
    conditions: tuple[dict[str, Any], ...]
    exclusions: tuple[dict[str, Any], ...]
    synthetic_outcomes: dict[str, int]


@dataclass(frozen=True)
class Evaluation:
    """Everything a report or a JSON answer says."""

    request: Request
    verdict: Verdict
    interfaces: tuple[InterfaceResult, ...]
    periods: tuple[dict[str, Any], ...]
    rows: RowCounts
    quarantined: tuple[dict[str, Any], ...]


def evaluate(request: Request, file: Path | None = None) -> Evaluation:
    """One evaluation from logs to verdict; in a warehouse of its own unless `file` is given."""
    with warehouse_file(file) as opened:
        load_audit_logs(request, opened)
        build_models(request, opened)
        return judge(request, check_expectations(opened), opened)


def load_audit_logs(request: Request, file: Path) -> int:
    """Load every line of the logs into the warehouse, replacing what was there; returns how many.

    Raises UsageError when there is no log, naming the folder and the mend.
    """
    files = ingest.audit_files(list(request.audit))
    with warehouse.connect(file) as connection:
        warehouse.create(connection)
        connection.execute("delete from raw_audit_lines")
        lines = (line for log in files for line in ingest.read_lines(log))
        return warehouse.insert_audit_lines(connection, lines)


def build_models(request: Request, file: Path) -> None:
    """Build every model of sql/ as of the request's time, under its policy."""
    with warehouse.connect(file) as connection:
        warehouse.set_parameters(
            connection,
            request.as_of,
            request.policy,
            is_rehearsal=request.is_rehearsal,
            guard_fingerprint=request.guard_fingerprint,
        )
        warehouse.build(connection)


def check_expectations(file: Path) -> dict[str, list[gate.ExpectationResult]]:
    """The results of every suite of expectations/, by interface."""
    with warehouse.connect(file) as connection:
        return gate.run(connection)


def judge(
    request: Request, expectations: dict[str, list[gate.ExpectationResult]], file: Path
) -> Evaluation:
    """Read the marts and decide, interface by interface; the worst verdict is the overall one."""
    with warehouse.connect(file) as connection:
        rows = _row_counts(connection)
        marts = _read_marts(connection)
        quarantined = warehouse.rows(connection, _QUARANTINED)
        periods = warehouse.rows(connection, "select * from period_evidence order by all")
    interfaces = tuple(
        _judge_interface(request, row, marts, expectations, rows)
        for row in _in_scope(marts["interface_evidence"], request.policy)
    )
    return Evaluation(
        request=request,
        verdict=overall(result.decision.verdict for result in interfaces),
        interfaces=interfaces,
        periods=tuple(periods),
        rows=rows,
        quarantined=tuple(quarantined),
    )


_QUARANTINED = """
select file, line_number, line_bytes, line_hash, quarantine_reason
from stg_audit_lines where fate = 'quarantined' order by file, line_number
"""

_MARTS = {
    "interface_evidence": "interface",
    "present_compactions": "recorded_at, compaction_id",
    "evidence_by_condition": "all",
    "exclusions": "all",
}


def _read_marts(connection: Any) -> dict[str, list[dict[str, Any]]]:
    return {
        mart: warehouse.rows(connection, f"select * from {mart} order by {order}")
        for mart, order in _MARTS.items()
    }


def _row_counts(connection: Any) -> RowCounts:
    fates = dict(
        connection.execute("select fate, count(*) from stg_audit_lines group by fate").fetchall()
    )
    return RowCounts(
        read=sum(fates.values()),
        accepted=fates.get("accepted", 0),
        duplicates=fates.get("duplicate", 0),
        quarantined=fates.get("quarantined", 0),
        after_as_of=fates.get("after_as_of", 0),
    )


def _in_scope(rows: list[dict[str, Any]], policy: Policy) -> Iterator[dict[str, Any]]:
    """The interfaces the policy names, those without a single row included: they are evidence of
    nothing, and saying so is better than leaving them out."""
    if policy.interfaces is None:
        yield from rows
        return
    found = {row["interface"]: row for row in rows}
    for name in sorted(policy.interfaces):
        yield found.get(name, {"interface": name})


def _judge_interface(
    request: Request,
    row: dict[str, Any],
    marts: dict[str, list[dict[str, Any]]],
    expectations: dict[str, list[gate.ExpectationResult]],
    rows: RowCounts,
) -> InterfaceResult:
    interface = row["interface"]
    results = tuple(expectations.get(interface, ()))
    broken = [
        f"{result.why} ({result.expectation}: {result.observed})"
        for result in results
        if result.severity == "critical" and not result.success
    ]
    evidence = _evidence(row)
    return InterfaceResult(
        evidence=evidence,
        decision=decide(evidence, request.policy, request.as_of, rows.quarantined_share, broken),
        expectations=results,
        compactions=_of(marts["present_compactions"], interface),
        conditions=_of(marts["evidence_by_condition"], interface),
        exclusions=_of(marts["exclusions"], interface),
        synthetic_outcomes=dict(row.get("synthetic_outcomes", {})),
    )


def _of(rows: list[dict[str, Any]], interface: str) -> tuple[dict[str, Any], ...]:
    return tuple(row for row in rows if row["interface"] == interface)


def _evidence(row: dict[str, Any]) -> Evidence:
    """A row of interface_evidence, or just an interface's name where there was no row."""
    outcomes = {name: row.get(name, 0) for name in OUTCOMES}
    if len(row) == 1:
        return Evidence(row["interface"], None, outcomes)
    plain = {
        name: row[name]
        for name in (
            "interface", "guard_fingerprint", "natural_events", "synthetic_events", "sessions",
            "failed_sessions", "eligible_counted", "counted_failures", "unresolved",
            "orphan_injections", "finished", "coverage", "unresolved_share",
        )
    }  # fmt: skip
    return replace(
        Evidence(outcomes=outcomes, **plain),
        agent_versions=tuple(row["agent_versions"]),
        period_from=row["first_natural_at"],
    )


@contextmanager
def warehouse_file(file: Path | None) -> Iterator[Path]:
    """The warehouse's file, its folder made; a temporary one, removed afterwards, for None."""
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        yield file
        return
    with tempfile.TemporaryDirectory(prefix="compact-guard-") as folder:
        yield Path(folder) / "warehouse.duckdb"

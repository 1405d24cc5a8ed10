"""The main job, as plain steps: read the logs, build the models, gate, decide, report.

`evaluate` runs them in order; flows/verdict.py orders the same functions as Prefect tasks. Each
step opens the warehouse itself, so that steps may run in different processes.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from compact_guard import gate, ingest, marts, transcripts, warehouse
from compact_guard.errors import UsageError
from compact_guard.policy import Policy
from compact_guard.verdict import Decision, Evidence, Verdict, decide, overall


@dataclass(frozen=True)
class Request:
    """What to evaluate: audit logs, policy, and the time (naive UTC) it is judged as of.

    `transcripts` are the agents' own files, the second witness; none is read unless given.
    """

    audit: tuple[Path, ...]
    policy: Policy
    as_of: datetime
    transcripts: tuple[Path, ...] = ()
    is_rehearsal: bool = False
    guard_fingerprint: str | None = None


@dataclass(frozen=True)
class InterfaceResult:
    """One interface: its evidence, the decision, and the rows of the marts behind them."""

    evidence: Evidence
    decision: Decision
    expectations: tuple[gate.ExpectationResult, ...]
    compactions: tuple[marts.Row, ...]
    conditions: tuple[marts.Row, ...]
    exclusions: tuple[marts.Row, ...]
    synthetic_outcomes: dict[str, int]


@dataclass(frozen=True)
class Evaluation:
    """Everything a report or a JSON answer says."""

    request: Request
    verdict: Verdict
    interfaces: tuple[InterfaceResult, ...]
    periods: tuple[marts.Row, ...]
    rows: marts.RowCounts
    quarantined: tuple[marts.Row, ...]
    transcripts: tuple[marts.Row, ...]
    unplaced: tuple[marts.Row, ...]


def evaluate(request: Request, file: Path | None = None) -> Evaluation:
    """One evaluation from logs to verdict; in a warehouse of its own unless `file` is given."""
    with warehouse_file(file) as opened:
        load_audit_logs(request, opened)
        load_transcripts(request, opened)
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


def load_transcripts(request: Request, file: Path) -> int:
    """Load what the agents' transcripts prove, replacing what was there; returns how many files.

    Raises UsageError when a path is missing or nothing may be read.
    """
    with warehouse.connect(file) as connection:
        warehouse.create(connection)
        return transcripts.load(connection, list(request.transcripts))


def build_models(request: Request, file: Path) -> None:
    """Build every model of sql/ as of the request's time, under its policy.

    Raises UsageError when the request names a fingerprint that no row has.
    """
    with warehouse.connect(file) as connection:
        warehouse.set_parameters(
            connection,
            request.as_of,
            request.policy,
            is_rehearsal=request.is_rehearsal,
            guard_fingerprint=request.guard_fingerprint,
        )
        warehouse.build(connection)
        known = marts.fingerprints(connection)
    if request.guard_fingerprint not in (None, *known):
        raise UsageError(
            f"no row has the fingerprint {request.guard_fingerprint}; there are {', '.join(known)}"
        )


def check_expectations(file: Path) -> dict[str, list[gate.ExpectationResult]]:
    """The results of every suite of expectations/, by interface."""
    with warehouse.connect(file) as connection:
        return gate.run(connection)


def judge(
    request: Request, expectations: dict[str, list[gate.ExpectationResult]], file: Path
) -> Evaluation:
    """Read the marts and decide, interface by interface; the worst verdict is the overall one."""
    with warehouse.connect(file) as connection:
        rows = marts.row_counts(connection)
        found = marts.read(connection)
    interfaces = tuple(
        _judge_interface(request, row, found, expectations, rows)
        for row in marts.in_scope(found["interface_evidence"], request.policy)
    )
    return Evaluation(
        request=request,
        verdict=overall(result.decision.verdict for result in interfaces),
        interfaces=interfaces,
        periods=tuple(found["period_evidence"]),
        rows=rows,
        quarantined=tuple(found["quarantined"]),
        transcripts=tuple(found["transcripts_read"]),
        unplaced=tuple(found["boundaries_unplaced"]),
    )


def _judge_interface(
    request: Request,
    row: marts.Row,
    found: dict[str, list[marts.Row]],
    expectations: dict[str, list[gate.ExpectationResult]],
    rows: marts.RowCounts,
) -> InterfaceResult:
    interface = row["interface"]
    results = tuple(expectations.get(interface, ()))
    broken = [
        f"{result.why} ({result.expectation}: {result.observed})"
        for result in results
        if result.severity == "critical" and not result.success
    ]
    evidence = marts.evidence(row)
    return InterfaceResult(
        evidence=evidence,
        decision=decide(evidence, request.policy, request.as_of, rows.quarantined_share, broken),
        expectations=results,
        compactions=marts.of_interface(found["present_compactions"], interface),
        conditions=marts.of_interface(found["evidence_by_condition"], interface),
        exclusions=marts.of_interface(found["exclusions"], interface),
        synthetic_outcomes=dict(row.get("synthetic_outcomes", {})),
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

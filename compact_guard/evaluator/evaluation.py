"""The main job, as plain steps: read the logs, build the models, gate, decide, report.

`evaluate` runs them in order; flows/verdict.py orders the same functions as Prefect tasks. Each
step connects to the warehouse itself; between them it stays open, for opening it costs as much as
a step of a quiet night.
"""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from compact_guard import progress
from compact_guard.errors import UsageError
from compact_guard.evaluator import (
    audit_log,
    building,
    expiry,
    gate,
    history,
    log_files,
    marts,
    notes,
    scope,
    warehouse,
    warehouse_file,
)
from compact_guard.evaluator.request import Evaluation, InterfaceResult, Request
from compact_guard.evaluator.steps import Runner, plainly
from compact_guard.evaluator.verdict import decide, overall
from compact_guard.transcripts import witness

__all__ = ["Evaluation", "InterfaceResult", "Request", "evaluate"]


def evaluate(
    request: Request,
    file: Path | None = None,
    *,
    wait_seconds: float = warehouse_file.WAIT_SECONDS,
    is_progress_wanted: bool = False,
    run: Runner = plainly,
) -> Evaluation:
    """One evaluation from logs to verdict; in a warehouse of its own unless `file` is given.

    `run` runs each step: a flow hands in what makes a task of it.
    Raises UsageError, and BusyError where another process holds the warehouse for that long.
    """
    log_files.find(list(request.audit))  # a wrong path should leave no warehouse behind
    with contextlib.suppress(warehouse_file.DamagedWarehouse):
        return _once(request, file, wait_seconds, is_progress_wanted, run)
    return _once(request, file, wait_seconds, is_progress_wanted, run)


def _once(
    request: Request,
    file: Path | None,
    wait_seconds: float,
    is_progress_wanted: bool,
    run: Runner,
) -> Evaluation:
    with opened_warehouse(file, wait_seconds) as opened:
        run(load_audit_logs, request, opened, is_progress_wanted)
        run(load_transcripts, request, opened, is_progress_wanted)
        run(build_models, request, opened)
        expectations = run(check_expectations, request, opened)
        return run(judge, request, expectations, opened)


def load_audit_logs(request: Request, file: Path, is_progress_wanted: bool = False) -> int:
    """Bring the warehouse up to date with the logs; returns how many lines were new.

    Raises UsageError when there is no log, naming the folder and the mend.
    """
    with (
        warehouse.connect(file) as connection,
        progress.reading("reading audit logs", is_wanted=is_progress_wanted) as advance,
    ):
        return audit_log.load(connection, list(request.audit), advance)


def load_transcripts(request: Request, file: Path, is_progress_wanted: bool = False) -> int:
    """Bring the warehouse up to date with what the agents' transcripts prove; returns how many
    files there are.

    Raises UsageError when a path is missing or nothing may be read.
    """
    with (
        warehouse.connect(file) as connection,
        progress.reading("reading transcripts", is_wanted=is_progress_wanted) as advance,
    ):
        count = witness.load(connection, list(request.transcripts), advance)
        with warehouse.transaction(connection):
            expiry.forget_transcripts(connection, scope.key(list(request.audit)))
        return count


def build_models(request: Request, file: Path) -> None:
    """Build every model of sql/ as of the request's time, under its policy; expire what is old.

    Raises UsageError when the request names a fingerprint that no row has.
    """
    audit = scope.key(list(request.audit))
    with warehouse.connect(file) as connection:
        warehouse.set_parameters(
            connection,
            request.as_of,
            request.policy,
            is_rehearsal=request.is_rehearsal,
            guard_fingerprint=request.guard_fingerprint,
        )
        building.build(connection)
        keep = request.keep if _looks_at_the_present(request) else None
        if keep and expiry.expire(connection, audit, request.as_of, keep):
            building.build(connection)
        expiry.note(connection, audit)
        known = marts.fingerprints(connection)
    if request.guard_fingerprint not in (None, *known):
        raise UsageError(
            f"no row has the fingerprint {request.guard_fingerprint}; there are {', '.join(known)}"
        )


def _looks_at_the_present(request: Request) -> bool:
    """A rehearsal, or a look at an older period, has another idea of what is present."""
    return not request.is_rehearsal and request.guard_fingerprint is None


def check_expectations(request: Request, file: Path) -> dict[str, list[gate.ExpectationResult]]:
    """The results of every suite of expectations/, by interface; they are kept in the warehouse.

    Great Expectations builds its pages where the request wants its `data_docs`.
    """
    with warehouse.connect(file) as connection:
        results = gate.run(connection, request.data_docs)
        gate.store(connection, _occasion(request), results)
        return results


def judge(
    request: Request, expectations: dict[str, list[gate.ExpectationResult]], file: Path
) -> Evaluation:
    """Read the marts and decide, interface by interface; the worst verdict is the overall one."""
    with warehouse.connect(file) as connection:
        rows = marts.row_counts(connection)
        told = notes.read(connection)
        found = marts.read(connection)
        compactions = marts.compactions(connection) if request.is_listed else {}
    interfaces = tuple(
        replace(
            _judge_interface(request, row, found, expectations, rows),
            compactions=tuple(compactions.get(row["interface"], ())),
        )
        for row in marts.in_scope(found["interface_evidence"], request.policy)
    )
    verdicts = _remember(request, interfaces, file)
    return Evaluation(
        request=request,
        verdict=overall(result.decision.verdict for result in interfaces),
        interfaces=interfaces,
        periods=tuple(found["period_evidence"]),
        rows=rows,
        quarantined=tuple(found["quarantined"]),
        transcripts=tuple(found["transcripts_read"]),
        unplaced=tuple(found["boundaries_unplaced"]),
        failed=tuple(found["failed"]),
        trails=tuple(found["failure_trails"]),
        days=tuple(found["evidence_by_day"]),
        costs=tuple(found["guard_costs"]),
        history=verdicts,
        notes=told,
    )


def _remember(
    request: Request, interfaces: tuple[InterfaceResult, ...], file: Path
) -> tuple[marts.Row, ...]:
    """Append to the history of these audit logs; returns all of it."""
    occasion = _occasion(request)
    with warehouse.connect(file) as connection:
        history.append(
            connection,
            occasion,
            [history.entry_of(one.evidence, one.decision, request.policy) for one in interfaces],
            evaluated_at=datetime.now(UTC).replace(tzinfo=None),
        )
        return tuple(history.read(connection, occasion.audit))


def _occasion(request: Request) -> history.Occasion:
    return history.Occasion(scope.key(list(request.audit)), request.as_of, request.is_rehearsal)


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
        conditions=marts.of_interface(found["evidence_by_condition"], interface),
        exclusions=marts.of_interface(found["exclusions"], interface),
        synthetic_outcomes=dict(row.get("synthetic_outcomes", {})),
    )


@contextmanager
def opened_warehouse(
    file: Path | None, wait_seconds: float = warehouse_file.WAIT_SECONDS
) -> Iterator[Path]:
    """The warehouse's file, ours alone until the end; a temporary one, removed then, for None.

    Raises UsageError when something else is there, BusyError when others do not let go of it.
    """
    if file is None:
        with warehouse_file.temporary() as opened, warehouse.connect(opened):
            yield opened
        return
    with (
        warehouse_file.kept(file, wait_seconds, progress.tell) as opened,
        warehouse.connect(opened),
    ):
        yield opened

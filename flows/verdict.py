"""One verdict as Prefect runs it. Every rule lives in sql/, expectations/ or compact_guard/."""

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from compact_guard import quiet

quiet.telemetry_off()
if __name__ == "__main__":
    quiet.chatter_off()

from prefect import flow  # noqa: E402 - only after telemetry is off
from prefect.runtime import flow_run  # noqa: E402

from compact_guard import progress  # noqa: E402
from compact_guard.cli import EXIT_BUSY, EXIT_USAGE  # noqa: E402
from compact_guard.errors import BusyError, UsageError  # noqa: E402
from compact_guard.evaluator import durations, evaluation, inputs  # noqa: E402
from compact_guard.evaluator import policy as policies  # noqa: E402
from compact_guard.operate import naming, occasion  # noqa: E402
from compact_guard.operate.best_effort import BestEffort  # noqa: E402
from compact_guard.operate.occasion import Judged, Occasion  # noqa: E402
from compact_guard.operate.publishing import Publisher  # noqa: E402
from compact_guard.operate.tasks import TasksInOrder  # noqa: E402
from compact_guard.report import console  # noqa: E402


def _run_name() -> str:
    started = flow_run.scheduled_start_time or datetime.now(UTC)
    return naming.run_name(flow_run.parameters, started)


@flow(name="verdict", flow_run_name=_run_name, persist_result=False)
def verdict(
    paths: list[Path] | None = None,
    transcripts: list[Path] | None = None,
    policy: Path | None = None,
    as_of: datetime | None = None,
    interface: str | None = None,
    reports: Path = Path("reports"),
    warehouse: Path | None = None,
    rehearse: bool = False,
    catch_up: bool = False,
    html: bool = True,
    data_docs: Path | None = None,
    keep: str | None = None,
) -> Judged:
    """Judge the guard by its audit logs: KEEP, OBSERVE or REVERT, as a report.

    Args:
        paths: audit logs, files or folders. Default: your own.
        transcripts: the agents' own files, as second witness. Default: none is read.
        policy: a TOML file with your own thresholds and whom to tell.
        as_of: judge as of this time; later rows are ignored. Default: now.
        interface: look at this interface alone; nobody is told.
        reports: the folder for the report.
        warehouse: the DuckDB file. Default: your own for your own log, else a temporary one.
        rehearse: judge synthetic rows as if they were natural. This is no verdict.
        catch_up: also judge each night since the last evaluation that was missed.
        html: also write the report as one HTML file.
        data_docs: also build Great Expectations' pages about the gate in this folder.
        keep: expire sessions that ended longer ago, such as 90d. Default: nothing expires.
    """
    demanded = policies.load(policy)
    if interface is not None:
        demanded = replace(demanded, interfaces=(interface,))
    request = evaluation.Request(
        audit=tuple(paths or [inputs.own_audit_log()]),
        transcripts=tuple(transcripts or ()),
        policy=demanded,
        as_of=_utc(as_of or datetime.now(UTC)),
        is_rehearsal=rehearse,
        keep=durations.parse(keep) if keep else None,
        data_docs=data_docs,
        is_listed=False,
    )
    own = None if paths else inputs.own_warehouse()
    present = Occasion(
        request, reports, warehouse or own, catch_up, is_told=interface is None, is_html_wanted=html
    )
    return _shown(present)


def _shown(present: Occasion) -> Judged:
    publisher = Publisher(BestEffort())
    publisher.begin()
    run = TasksInOrder(after=publisher.step_done)
    last = None
    for last in occasion.judge(present, run):
        publisher.show(last, run)
    assert last is not None
    return last


def _utc(time: datetime) -> datetime:
    """Naive UTC; a time without a zone is UTC already."""
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time


def main() -> int:
    """`make verdict`: the user's own audit log, or a rehearsal on the recorded one."""
    log = inputs.own_or_recorded()
    sys.stdout.write(f"{log.sentence}\n\n")
    try:
        judged = _with_prefect_or_without(log, _utc(datetime.now(UTC)))
    except (UsageError, BusyError) as error:
        sys.stderr.write(f"compact-guard: {error}\n")
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_BUSY
    console.print_summary(judged.evaluation, judged.report)
    return 0


def _with_prefect_or_without(log: inputs.AuditLog, as_of: datetime) -> Judged:
    """The flow where Prefect can run it; a verdict is the same without, and can be given twice."""
    try:
        return verdict(
            paths=[log.folder], warehouse=log.warehouse, as_of=as_of, rehearse=log.is_rehearsal
        )
    except (UsageError, BusyError):
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        progress.warn(
            f"Prefect is not well, so this runs without it ({type(error).__name__}: {said})"
        )
    request = evaluation.Request(
        audit=(log.folder,),
        policy=policies.load(),
        as_of=as_of,
        is_rehearsal=log.is_rehearsal,
        is_listed=False,
    )
    [judged] = occasion.judge(Occasion(request, Path("reports"), log.warehouse))
    return judged


if __name__ == "__main__":
    sys.exit(main())

"""Order and retries for one verdict. Every rule lives in sql/, expectations/ or compact_guard/."""

import sys
from datetime import UTC, datetime
from pathlib import Path

from compact_guard import quiet

quiet.telemetry_off()
if __name__ == "__main__":
    quiet.chatter_off()

from prefect import flow, task  # noqa: E402 - only after telemetry is off

from compact_guard import console, evaluation, inputs, policy, report  # noqa: E402
from compact_guard.cli import EXIT_USAGE  # noqa: E402
from compact_guard.errors import UsageError  # noqa: E402

# No retries: nothing here fails today and works in five seconds.
load_audit_logs = task(evaluation.load_audit_logs)
load_transcripts = task(evaluation.load_transcripts)
build_models = task(evaluation.build_models)
check_expectations = task(evaluation.check_expectations)
judge = task(evaluation.judge)
write_report = task(name="write_report")(report.write)


@flow(name="verdict", persist_result=False)
def verdict(
    audit: list[Path],
    transcripts: list[Path] | None = None,
    reports: Path = Path("reports"),
    warehouse: Path | None = None,
    policy_file: Path | None = None,
    as_of: datetime | None = None,
    rehearse: bool = False,
) -> tuple[evaluation.Evaluation, Path]:
    """Judge the audit logs as of a time (default: now); returns the evaluation and the report."""
    request = evaluation.Request(
        audit=tuple(audit),
        transcripts=tuple(transcripts or ()),
        policy=policy.load(policy_file),
        as_of=(as_of or datetime.now(UTC)).astimezone(UTC).replace(tzinfo=None),
        is_rehearsal=rehearse,
    )
    with evaluation.warehouse_file(warehouse) as file:
        load_audit_logs(request, file)
        load_transcripts(request, file)
        build_models(request, file)
        outcome = judge(request, check_expectations(file), file)
    return outcome, write_report(outcome, reports)


def main() -> int:
    """`make verdict`: the user's own audit log, or a rehearsal on the recorded one."""
    log = inputs.own_or_recorded()
    sys.stdout.write(f"{log.sentence}\n\n")
    try:
        outcome, file = verdict([log.folder], rehearse=log.is_rehearsal)
    except UsageError as error:
        sys.stderr.write(f"compact-guard: {error}\n")
        return EXIT_USAGE
    console.print_summary(outcome, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())

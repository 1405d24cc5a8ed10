"""`compact-guard evaluate`: the verdict on what the audit logs show."""

import argparse
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

from compact_guard.commands import shared_options
from compact_guard.errors import UsageError
from compact_guard.evaluator import durations

HELP = "judge the guard by its audit log: KEEP, OBSERVE or REVERT"

EXIT_CODES = {"KEEP": 0, "OBSERVE": 3, "REVERT": 4}


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of design.md section 8."""
    parser.epilog = (
        "Exit: 0 KEEP, 3 OBSERVE, 4 REVERT, 2 bad usage, 1 error, "
        "75 the warehouse is in use by another process: try again."
    )
    _read_from(parser)
    _write_to(parser)
    shared_options.one_path(parser, "--policy", "FILE", "TOML that overrides the policy")
    parser.add_argument(
        "--as-of",
        type=utc_time,
        metavar="TIME",
        help="judge as of this time, ISO 8601 in UTC (default: now); later rows are ignored",
    )
    parser.add_argument(
        "--fingerprint", metavar="F", help="judge the period of this guard fingerprint"
    )
    parser.add_argument(
        "--rehearse",
        action="store_true",
        help="judge synthetic rows as if they were natural; this is no verdict",
    )


def _read_from(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--audit",
        type=Path,
        action="append",
        metavar="PATH",
        help="an audit log or a folder of them; may be repeated (default: this user's own)",
    )
    shared_options.many_paths(
        parser,
        "--transcripts",
        "PATH",
        "the agents' own transcripts, as second witness; may be repeated (default: none)",
    )
    shared_options.one_path(
        parser,
        "--warehouse",
        "FILE",
        "the DuckDB file that keeps rows and verdicts, so that only what is new is read "
        "(default: this user's own; with --audit, a temporary one)",
    )
    parser.add_argument(
        "--keep",
        type=duration,
        metavar="DURATION",
        help="expire sessions from the warehouse that ended longer ago than this, such as 90d, "
        "and before the present observation period (default: nothing expires)",
    )
    parser.add_argument(
        "--wait",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="how long to wait for a warehouse in use by another process (default: %(default)g)",
    )


def _write_to(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--reports",
        type=Path,
        default=Path("reports"),
        metavar="DIR",
        help="where <date>-verdict.md is written (default: %(default)s)",
    )
    parser.add_argument(
        "--html",
        action="store_true",
        help="also write <date>-verdict.html: the whole report with its charts in one file",
    )
    shared_options.one_path(
        parser,
        "--data-docs",
        "DIR",
        "also build Great Expectations' pages about the gate there; they fetch their looks "
        "from the web when they are opened",
    )
    shared_options.json_output(parser)


def utc_time(text: str) -> datetime:
    """A naive UTC time from ISO 8601; a time without a zone is UTC already."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no ISO 8601 time; write it like 2026-11-30T03:00:00Z"
        ) from error
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def duration(text: str) -> timedelta:
    """A number of hours, days or weeks: 36h, 90d, 12w; for argparse."""
    try:
        return durations.parse(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def run(arguments: argparse.Namespace) -> int:
    """Evaluate, write the report, print the verdict; the exit status is the verdict's."""
    require_evaluator()
    from compact_guard.evaluator import evaluation, policy, verdict_json
    from compact_guard.operate import follow_up
    from compact_guard.report import console, verdict_report

    request = evaluation.Request(
        audit=tuple(arguments.audit or [default_audit_folder()]),
        policy=policy.load(arguments.policy),
        transcripts=tuple(arguments.transcripts),
        as_of=arguments.as_of or datetime.now(UTC).replace(tzinfo=None),
        is_rehearsal=arguments.rehearse,
        guard_fingerprint=arguments.fingerprint,
        keep=arguments.keep,
        data_docs=arguments.data_docs,
        is_listed=arguments.json,
    )
    outcome = evaluation.evaluate(
        request,
        warehouse_file(arguments),
        wait_seconds=arguments.wait,
        is_progress_wanted=not arguments.json,
    )
    file = verdict_report.write(outcome, arguments.reports, is_html_wanted=arguments.html)
    follow_up.tell_news(outcome, file)
    if arguments.json:
        sys.stdout.write(json.dumps(verdict_json.as_json(outcome), indent=1) + "\n")
    else:
        console.print_summary(outcome, file)
    return EXIT_CODES[outcome.verdict]


def default_audit_folder() -> Path:
    """The audit log of this user's own guard."""
    from compact_guard.hook import paths

    return Path(paths.audit_folder())


def warehouse_file(arguments: argparse.Namespace) -> Path | None:
    """The file named, or the user's own for the user's own log; None for a temporary one."""
    from compact_guard.evaluator import inputs

    if arguments.warehouse is None and not arguments.audit:
        return inputs.own_warehouse()
    return cast("Path | None", arguments.warehouse)


def require_evaluator() -> None:
    """Raise UsageError, naming the mend, where the evaluator's packages are not installed."""
    from importlib.util import find_spec

    missing = [
        name
        for name in (
            "duckdb",
            "pandas",
            "great_expectations",
            "jsonschema_rs",
            "jinja2",
            "markdown_it",
            "msgspec",
            "orjson",
            "pygal",
            "rich",
            "stringzilla",
        )
        if find_spec(name) is None
    ]
    if missing:
        raise UsageError(
            f"the evaluator needs {', '.join(missing)}: pip install 'compact-guard[evaluator]'"
        )

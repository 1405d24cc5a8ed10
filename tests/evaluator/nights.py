"""Evaluations night after night on one warehouse, without the gate, which takes seconds."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from compact_guard.evaluator import evaluation, policy

NIGHT = datetime(2026, 11, 30, 3)


def night(
    file: Path, *audit: Path, as_of: datetime = NIGHT, wait_seconds: float = 0.0, **options: Any
) -> evaluation.Evaluation:
    """One evaluation of these logs, kept in `file`."""
    demanded = options.pop("policy", None) or policy.load()
    request = evaluation.Request(audit=audit, policy=demanded, as_of=as_of, **options)
    with evaluation.opened_warehouse(file, wait_seconds) as opened:
        evaluation.load_audit_logs(request, opened)
        evaluation.load_transcripts(request, opened)
        evaluation.build_models(request, opened)
        return evaluation.judge(request, {}, opened)


def told(outcome: evaluation.Evaluation) -> tuple[Any, ...]:
    """What an evaluation says, without what it remembers."""
    return outcome.verdict, outcome.interfaces, outcome.periods, outcome.rows, outcome.failed


def days(count: float) -> timedelta:
    """A duration."""
    return timedelta(days=count)

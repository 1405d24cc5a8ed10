"""An evaluation for a person at a terminal; plain text where standard output is a pipe."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from compact_guard.evaluator.evaluation import Evaluation
from compact_guard.evaluator.verdict import Verdict
from compact_guard.report.phrases import counted
from compact_guard.report.verdict_report import headline

_COLOURS: dict[Verdict, str] = {"KEEP": "green", "OBSERVE": "yellow", "REVERT": "red"}
_COLUMNS = ("interface", "verdict", "injected", "missed", "duplicated", "excluded", "sessions")


def print_summary(evaluation: Evaluation, report: Path) -> None:
    """The verdict, one line per interface and reason, and where the report lies."""
    console = Console(highlight=False)
    if evaluation.request.is_rehearsal:
        console.print("Rehearsal: synthetic rows judged as if natural. This is no verdict.")
    colour = _COLOURS[evaluation.verdict]
    console.print(f"[bold {colour}]{headline(evaluation)}[/]", soft_wrap=True)
    console.print(_table(evaluation))
    for result in evaluation.interfaces:
        for reason in result.decision.reasons:
            console.print(f"{result.evidence.interface}: {reason}", soft_wrap=True, markup=False)
    for note in evaluation.notes:
        console.print(note, soft_wrap=True, markup=False)
    if evaluation.rows.quarantined:
        lines = counted(evaluation.rows.quarantined, "line")
        console.print(f"{lines} quarantined; the report says where and why")
    console.print(f"Report: {report}", soft_wrap=True)


def _table(evaluation: Evaluation) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in _COLUMNS:
        table.add_column(name, justify="left" if name in ("interface", "verdict") else "right")
    for result in evaluation.interfaces:
        evidence, verdict = result.evidence, result.decision.verdict
        table.add_row(
            evidence.interface,
            f"[{_COLOURS[verdict]}]{verdict}[/]",
            *(str(evidence.outcomes[name]) for name in ("injected", "missed", "duplicated")),
            str(sum(evidence.outcomes.values()) - evidence.eligible),
            str(evidence.sessions),
        )
    return table

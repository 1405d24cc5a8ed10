"""An evaluation on half a page of markdown, for a CI summary; and as rows, for Prefect's tables."""

from compact_guard.evaluator.evaluation import Evaluation
from compact_guard.evaluator.verdict import OUTCOMES
from compact_guard.report.phrases import cell, moment
from compact_guard.report.verdict_report import headline

_ALWAYS = ("injected", "missed", "duplicated")
_HEAD = "| interface | verdict | counted | missed | duplicated | sessions |"
_RULE = "|---|---|---:|---:|---:|---:|"


def markdown(evaluation: Evaluation) -> str:
    """Headline, one line per interface, and the reasons."""
    reasons = [
        f"- {cell(result.evidence.interface)}: {reason}"
        for result in evaluation.interfaces
        for reason in result.decision.reasons
    ]
    lines = [
        f"## {headline(evaluation)}",
        "",
        f"As of {moment(evaluation.request.as_of)}.",
        "",
        _HEAD,
        _RULE,
        *(_row(row) for row in outcomes(evaluation)),
        "",
        *reasons,
    ]
    return "\n".join(lines) + "\n"


def outcomes(evaluation: Evaluation) -> list[dict[str, object]]:
    """One row per interface: its verdict, and the count of each outcome that is a failure or not 0.

    A table in Prefect's pages scrolls sideways, so columns of zeros would hide the others.
    """
    found = [result.evidence.outcomes for result in evaluation.interfaces]
    shown = [name for name in OUTCOMES if name in _ALWAYS or any(one[name] for one in found)]
    return [
        {
            "interface": result.evidence.interface,
            "verdict": result.decision.verdict,
            "counted": f"{result.evidence.eligible_counted} of {evaluation.request.policy.needed}",
            "sessions": result.evidence.sessions,
            **{name: result.evidence.outcomes[name] for name in shown},
        }
        for result in evaluation.interfaces
    ]


def expectations(evaluation: Evaluation) -> list[dict[str, object]]:
    """One row per expectation and interface, the broken ones first."""
    rows: list[dict[str, object]] = [
        {
            "holds": "yes" if found.success else "NO",
            "interface": result.evidence.interface,
            "suite": found.suite,
            "expectation": found.expectation,
            "offending": found.observed,
            "severity": found.severity,
            "why": found.why,
        }
        for result in evaluation.interfaces
        for found in result.expectations
    ]
    return sorted(rows, key=lambda row: str(row["holds"]))


def _row(row: dict[str, object]) -> str:
    names = ("interface", "verdict", "counted", "missed", "duplicated", "sessions")
    return f"| {' | '.join(cell(row[name]) for name in names)} |"

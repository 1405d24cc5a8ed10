"""The report's accounts: lines, transcripts and the compactions that did not count."""

from pathlib import Path
from typing import Any

from compact_guard.evaluator.evaluation import Evaluation
from compact_guard.evaluator.verdict import OUTCOMES
from compact_guard.report import wording
from compact_guard.report.phrases import counted, moment

UNPLACED_SHOWN_MAX = 20


def section(evaluation: Evaluation) -> dict[str, Any]:
    """Exclusions by kind and evidence, lines by fate, quarantined lines, transcripts by use."""
    return {
        "exclusions": _exclusions(evaluation),
        "fates": _fates(evaluation),
        "synthetic": _synthetic(evaluation),
        "quarantined": _quarantined(evaluation),
        "quarantined_left_out": evaluation.rows.quarantined - len(evaluation.quarantined),
        "transcripts": [
            row | {"words": wording.TRANSCRIPT_USES[row["use"]]} for row in evaluation.transcripts
        ],
        "unplaced": _unplaced(evaluation)[:UNPLACED_SHOWN_MAX],
        "count_unplaced": len(evaluation.unplaced),
        "unplaced_words": counted(len(evaluation.unplaced), "compaction"),
    }


def _exclusions(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        row
        | {
            "evidence": wording.WITNESSES[row["evidence"]],
            "words": wording.EXCLUSIONS[row["detail"]],
        }
        for result in evaluation.interfaces
        for row in result.exclusions
    ]


def _fates(evaluation: Evaluation) -> list[tuple[str, int]]:
    """Every line of the logs by what became of it; the rows after the first add up to it."""
    rows = evaluation.rows
    return [
        ("lines read", rows.read),
        ("accepted", rows.accepted),
        ("copies of a row already read", rows.duplicates),
        ("quarantined: no rows that could be used", rows.quarantined),
        ("younger than this report", rows.after_as_of),
    ]


def _synthetic(evaluation: Evaluation) -> list[str]:
    if evaluation.request.is_rehearsal:
        return []
    return [
        f"{result.evidence.interface}: {counted(result.evidence.synthetic_events, 'row')}"
        + "".join(
            f", {result.synthetic_outcomes[name]} {name}"
            for name in OUTCOMES
            if name in result.synthetic_outcomes
        )
        for result in evaluation.interfaces
        if result.evidence.synthetic_events
    ]


def _quarantined(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        line
        | {
            "file": Path(line["file"]).name,
            "words": wording.QUARANTINE_REASONS[line["quarantine_reason"]],
            "mend": wording.QUARANTINE_MENDS[line["quarantine_reason"]],
        }
        for line in evaluation.quarantined
    ]


def _unplaced(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        {
            "at": moment(row["event_at"]),
            "transcript": row["transcript_hash"][:12],
            "agent_version": row["agent_version"] or "unknown",
            "trigger": row["trigger"] or "unknown",
        }
        for row in evaluation.unplaced
    ]

"""The report's list of failed compactions, each with the trail that shows what happened."""

from typing import Any

from compact_guard.evaluator.evaluation import Evaluation
from compact_guard.evaluator.marts import FAILURES_SHOWN_MAX, Row
from compact_guard.report import wording
from compact_guard.report.phrases import counted, moment, second


def section(evaluation: Evaluation) -> dict[str, Any]:
    """Failures of the present periods with their trails, those of other periods in one line."""
    trails: dict[str, list[Row]] = {}
    for step in evaluation.trails:
        trails.setdefault(step["compaction_id"], []).append(step)
    scope = {result.evidence.interface for result in evaluation.interfaces}
    present = [row for row in evaluation.failed if row["is_current"] and row["interface"] in scope]
    total = sum(result.evidence.failures for result in evaluation.interfaces)
    return {
        "present": [_failure(row, trails.get(row["compaction_id"], [])) for row in present],
        "elsewhere": [_failure(row, []) for row in evaluation.failed if not row["is_current"]],
        "left_out": _left_out(total - len(present)),
    }


def _left_out(count: int) -> str:
    if count <= 0:
        return ""
    return (
        f"{counted(count, 'more failure')} of the present periods: the first {FAILURES_SHOWN_MAX} "
        "are shown here, all of them stand in `--json` and in the warehouse (`failure_trails`)."
    )


def _failure(row: Row, trail: list[Row]) -> dict[str, Any]:
    return {
        "at": moment(row["recorded_at"]),
        "interface": row["interface"],
        "fingerprint": row["guard_fingerprint"][:12],
        "agent_version": row["agent_version"] or "unknown",
        "trigger": row["trigger"] or "unknown trigger",
        "outcome": row["outcome"],
        "words": wording.FAILURES[row["detail"]],
        "evidence": wording.WITNESSES[row["evidence"]],
        "checkpoint": (row["checkpoint_hash"] or "none")[:12],
        "session": (row["session_hash"] or "unknown")[:12],
        "trail": [_step(step, row["checkpoint_hash"]) for step in trail],
    }


def _step(step: Row, checkpoint_hash: str | None) -> dict[str, Any]:
    words = wording.TRAIL_STEPS[step["step"]]
    if step["step"] == "injected_text" and step["checkpoint_hash"] != checkpoint_hash:
        words = "another checkpoint's text arrived in the model's context"
    if step["source"] == "audit log" and not step["is_own"]:
        words = f"next in the session: {words}"
    return {
        "at": second(step["step_at"]),
        "source": step["source"],
        "words": words,
        "step": step["step"],
        "outcome": step["outcome"] or "",
        "reason": step["reason"] or "",
        "checkpoint": (step["checkpoint_hash"] or "")[:12],
        "place": _place(step),
    }


def _place(step: Row) -> str:
    """Where in the transcript; empty for a row that says nothing about it."""
    if step["byte_offset"] is None:
        return ""
    if step["source"] == "transcript":
        return f"at byte {step['byte_offset']:,}"
    newest = step["last_boundary_bytes"]
    boundary = "no boundary so far" if newest is None else f"newest boundary at {newest:,}"
    return f"read to byte {step['byte_offset']:,}, {boundary}"

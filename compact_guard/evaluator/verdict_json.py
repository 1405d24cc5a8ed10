"""An evaluation as the JSON object of design.md section 8, ready for json.dumps."""

from datetime import datetime
from typing import Any

from compact_guard.evaluator.evaluation import Evaluation, InterfaceResult

BOUND_DIGITS = 6  # the contract compares bounds and shares to 1e-6


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """The whole answer; times are ISO 8601 in UTC, shares are rounded to six digits."""
    return {
        "verdict": evaluation.verdict,
        "as_of": utc_text(evaluation.request.as_of),
        "is_rehearsal": evaluation.request.is_rehearsal,
        "interfaces": [_interface(evaluation, result) for result in evaluation.interfaces],
        "rows": {
            "read": evaluation.rows.read,
            "accepted": evaluation.rows.accepted,
            "duplicates": evaluation.rows.duplicates,
            "quarantined": evaluation.rows.quarantined,
            "after_as_of": evaluation.rows.after_as_of,
        },
        "notes": list(evaluation.notes),
    }


def utc_text(moment: datetime | None) -> str | None:
    """A naive UTC time as `2026-11-30T03:00:00Z`, with microseconds only where it has some."""
    return None if moment is None else moment.isoformat() + "Z"


def _interface(evaluation: Evaluation, result: InterfaceResult) -> dict[str, Any]:
    evidence, decision, request = result.evidence, result.decision, evaluation.request
    return {
        "interface": evidence.interface,
        "verdict": decision.verdict,
        "guard_fingerprint": evidence.guard_fingerprint,
        "agent_versions": list(evidence.agent_versions),
        "period": {"from": utc_text(evidence.period_from), "to": utc_text(request.as_of)},
        "natural_events": evidence.natural_events,
        "synthetic_events": evidence.synthetic_events,
        "sessions": evidence.sessions,
        "outcomes": dict(evidence.outcomes),
        "synthetic_outcomes": result.synthetic_outcomes,
        "eligible": evidence.eligible,
        "eligible_counted": evidence.eligible_counted,
        "needed": request.policy.needed,
        "unresolved": evidence.unresolved,
        "coverage": _rounded(evidence.coverage),
        "orphan_injections": evidence.orphan_injections,
        "miss_rate_upper_bound": _rounded(decision.miss_rate_upper_bound),
        "session_miss_rate_upper_bound": _rounded(decision.session_miss_rate_upper_bound),
        "confidence": request.policy.confidence,
        "witnessed": evidence.witnessed_compactions > 0,
        "witnessed_compactions": evidence.witnessed_compactions,
        "keep_still_possible": decision.keep_still_possible,
        "worst_case_upper_bound": _rounded(decision.worst_case_upper_bound),
        "minimum_reached_at": utc_text(decision.minimum_reached_at),
        "reasons": list(decision.reasons),
        "compactions": [
            {
                "checkpoint_hash": compaction.checkpoint_hash,
                "outcome": compaction.outcome,
                "evidence": compaction.evidence,
            }
            for compaction in result.compactions
        ],
        "expectations": [
            {
                "suite": expectation.suite,
                "expectation": expectation.expectation,
                "severity": expectation.severity,
                "success": expectation.success,
                "observed": expectation.observed,
                "why": expectation.why,
                "offending": [
                    {"key": offender.offending_key, "recorded_at": utc_text(offender.recorded_at)}
                    for offender in expectation.offending
                ],
            }
            for expectation in result.expectations
        ],
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, BOUND_DIGITS)

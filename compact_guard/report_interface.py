"""One interface's section of the report: what its verdict rests on, in words and tables."""

from datetime import datetime
from typing import Any

from compact_guard import wording
from compact_guard.evaluation import Evaluation, InterfaceResult
from compact_guard.policy import Policy


def section(evaluation: Evaluation, result: InterfaceResult) -> dict[str, Any]:
    """What the template needs of one interface."""
    evidence = result.evidence
    return {
        "interface": evidence.interface,
        "verdict": result.decision.verdict,
        "reasons": result.decision.reasons,
        "outcomes": evidence.outcomes,
        "failures": evidence.failures,
        "period_from": moment(evidence.period_from),
        "fingerprint": evidence.guard_fingerprint or "none",
        "agent_versions": ", ".join(evidence.agent_versions) or "unknown",
        "checks": _checks(evaluation, result),
        "bounds": _bounds(evaluation.request.policy, result),
        "forecast": _forecast(result),
        "outcome_rows": [
            {"name": name, "count": evidence.outcomes[name], "meaning": meaning}
            for name, meaning in wording.OUTCOME_MEANINGS.items()
        ],
        "conditions": result.conditions,
    }


def _checks(evaluation: Evaluation, result: InterfaceResult) -> list[dict[str, Any]]:
    """What the policy asks for, beside what there is."""
    policy, evidence, rows = evaluation.request.policy, result.evidence, evaluation.rows
    unresolved = evidence.unresolved_share or 0.0
    coverage = evidence.coverage
    return [
        _check("natural events", policy.min_natural_events, evidence.natural_events),
        _check("counted compactions, none failed", policy.needed, evidence.eligible_counted),
        _check("sessions with a counted compaction", policy.min_sessions, evidence.sessions),
        {
            "name": "coverage: finished compactions in which the agent ran the guard",
            "needed": f"at least {policy.min_coverage:.0%}",
            "present": "nothing finished" if coverage is None else f"{coverage:.1%}",
            "holds": coverage is None or coverage >= policy.min_coverage,
        },
        _limit("unresolved compactions", policy.max_unresolved, unresolved),
        _limit("quarantined lines", policy.max_quarantined, rows.quarantined_share),
    ]


def _check(name: str, needed: int, present: int) -> dict[str, Any]:
    return {"name": name, "needed": needed, "present": present, "holds": present >= needed}


def _limit(name: str, allowed: float, present: float) -> dict[str, Any]:
    return {
        "name": name,
        "needed": f"at most {allowed:.0%}",
        "present": f"{present:.1%}",
        "holds": present <= allowed,
    }


def _bounds(policy: Policy, result: InterfaceResult) -> list[str]:
    """The bounds in words; nothing where nothing was counted."""
    evidence, decision = result.evidence, result.decision
    if decision.miss_rate_upper_bound is None:
        return []
    passed = evidence.eligible_counted - evidence.counted_failures
    lines = [
        f"{passed} of {evidence.eligible_counted} counted compactions were delivered. With "
        f"{policy.confidence:.0%} confidence at most {decision.miss_rate_upper_bound:.1%} of "
        "compactions fail, *if* they fail independently of each other; counted by sessions "
        f"({evidence.sessions}), because failures cluster, at most "
        f"{decision.session_miss_rate_upper_bound:.1%} of sessions see one.",
        f"Worst case, if all {evidence.unresolved} unresolved compactions were failures: "
        f"{decision.worst_case_upper_bound:.1%}.",
    ]
    if evidence.counted_failures:
        lines.append(
            "With failures these are Clopper-Pearson bounds, which hold for a number of "
            "compactions fixed beforehand, not at every look."
        )
    return lines


def _forecast(result: InterfaceResult) -> str:
    decision = result.decision
    if not decision.shortfalls:
        return ""
    possible = "A KEEP is still possible" if decision.keep_still_possible else "KEEP is ruled out"
    if decision.minimum_reached_at is None:
        return f"{possible}; the rate so far says nothing about when the minimum is reached."
    day = f"{decision.minimum_reached_at:%Y-%m-%d}"
    return f"{possible}; at the present rate the minimum is reached about {day}."


def moment(time: datetime | None) -> str:
    """A naive UTC time as a person reads it; None is "never"."""
    return "never" if time is None else f"{time:%Y-%m-%d %H:%M} UTC"

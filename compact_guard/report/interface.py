"""One interface's section of the report: what its verdict rests on, in words and tables."""

from typing import Any

from compact_guard.agents import registry
from compact_guard.evaluator.evaluation import Evaluation, InterfaceResult
from compact_guard.evaluator.policy import Policy
from compact_guard.report import guard_costs, wording
from compact_guard.report.phrases import counted, moment, of_hundred


def section(evaluation: Evaluation, result: InterfaceResult) -> dict[str, Any]:
    """What the template needs of one interface."""
    evidence = result.evidence
    costs = [row for row in evaluation.costs if row["interface"] == evidence.interface]
    return {
        "interface": evidence.interface,
        "words": registry.interface_words(evidence.interface),
        "verdict": result.decision.verdict,
        "reasons": result.decision.reasons,
        "outcomes": evidence.outcomes,
        "counted": evidence.eligible_counted,
        "failures": evidence.failures,
        "observed": _observed(evaluation, result),
        "checks": _checks(evaluation, result),
        "bounds": _bounds(evaluation.request.policy, result),
        "forecast": _forecast(result),
        "outcome_rows": [
            {"name": name, "count": evidence.outcomes[name], "meaning": meaning}
            for name, meaning in wording.OUTCOME_MEANINGS.items()
        ],
        "conditions": result.conditions,
        "costs": guard_costs.section(costs[0] if costs else None),
    }


def _observed(evaluation: Evaluation, result: InterfaceResult) -> str:
    """Over which time, under which guard and agent, and who witnesses it."""
    evidence = result.evidence
    if evidence.period_from is None:
        return "Never observed in real work so far."
    total, witnessed = sum(evidence.outcomes.values()), evidence.witnessed_compactions
    return (
        f"Observed from {moment(evidence.period_from)} to {moment(evaluation.request.as_of)}, "
        f"guard fingerprint `{evidence.guard_fingerprint}`, agent versions "
        f"{', '.join(evidence.agent_versions) or 'unknown'}. "
        + (
            f"The agent's own transcript witnesses {witnessed} of {counted(total, 'compaction')}."
            if witnessed
            else "No transcript was at hand: everything is as reported by the guard."
        )
    )


def _checks(evaluation: Evaluation, result: InterfaceResult) -> list[dict[str, Any]]:
    """What the policy asks for, beside what there is."""
    policy, evidence, rows = evaluation.request.policy, result.evidence, evaluation.rows
    coverage = evidence.coverage
    broken = sum(
        not expectation.success and expectation.severity == "critical"
        for expectation in result.expectations
    )
    return [
        _minimum(
            "natural events (rows of the audit log)",
            policy.min_natural_events,
            evidence.natural_events,
        ),
        _minimum("counted compactions", policy.needed, evidence.eligible_counted),
        _minimum("sessions with a counted compaction", policy.min_sessions, evidence.sessions),
        _none("compactions that failed", evidence.failures),
        {
            "name": "coverage: finished compactions in which the agent ran the guard",
            "needed": f"at least {policy.min_coverage:.0%}",
            "present": "nothing finished" if coverage is None else f"{coverage:.1%}",
            "holds": coverage is None or coverage >= policy.min_coverage,
        },
        _limit("unresolved compactions", policy.max_unresolved, evidence.unresolved_share or 0.0),
        _limit("quarantined lines", policy.max_quarantined, rows.quarantined_share),
        _none("critical expectations that are broken", broken),
    ]


def _minimum(name: str, needed: int, present: int) -> dict[str, Any]:
    return {
        "name": name,
        "needed": f"at least {needed}",
        "present": present,
        "holds": present >= needed,
    }


def _none(name: str, present: int) -> dict[str, Any]:
    return {"name": name, "needed": "none", "present": present, "holds": present == 0}


def _limit(name: str, allowed: float, present: float) -> dict[str, Any]:
    return {
        "name": name,
        "needed": f"at most {allowed:.0%}",
        "present": f"{present:.1%}",
        "holds": present <= allowed,
    }


def _bounds(policy: Policy, result: InterfaceResult) -> dict[str, Any] | None:
    """The bounds with their assumptions; None where nothing was counted."""
    evidence, decision = result.evidence, result.decision
    if decision.miss_rate_upper_bound is None:
        return None
    passed = evidence.eligible_counted - evidence.counted_failures
    rows = [
        (
            "compactions that fail",
            decision.miss_rate_upper_bound,
            "each fails independently of the others",
        ),
        (
            "sessions that see a failure",
            decision.session_miss_rate_upper_bound,
            f"from {counted(evidence.sessions, 'session')}: failures of one session cluster",
        ),
        (
            "compactions that fail, in the worst case",
            decision.worst_case_upper_bound,
            _worst_case(evidence.unresolved),
        ),
    ]
    return {
        "lead": f"{passed} of {counted(evidence.eligible_counted, 'counted compaction')} "
        f"{'was' if evidence.eligible_counted == 1 else 'were'} delivered exactly once. How often "
        f"it could still fail, with {policy.confidence:.0%} confidence:",
        "rows": [
            (what, of_hundred(bound), f"{bound:.1%}", why)
            for what, bound, why in rows
            if bound is not None
        ],
        "note": _looks(evidence.counted_failures),
    }


def _worst_case(unresolved: int) -> str:
    if not unresolved:
        return "nothing is unresolved, so the worst case is the first line"
    one = "compaction counts" if unresolved == 1 else "compactions count"
    return f"the {unresolved} unresolved {one} as missed"


def _looks(failures: int) -> str:
    if failures:
        return (
            "With failures these are Clopper-Pearson bounds, which hold for a number of "
            "compactions fixed beforehand, not at every look."
        )
    return "Nothing failed, so the first two hold at every look, however often one looks."


def _forecast(result: InterfaceResult) -> str:
    decision = result.decision
    if not decision.shortfalls:
        return ""
    possible = "A KEEP is still possible" if decision.keep_still_possible else "KEEP is ruled out"
    if decision.minimum_reached_at is None:
        return f"{possible}; the rate so far says nothing about when the minimum is reached."
    day = f"{decision.minimum_reached_at:%Y-%m-%d}"
    return f"{possible}; at the present rate the minimum is reached about {day}."

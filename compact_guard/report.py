"""An evaluation as a markdown report. Rules are elsewhere; this only words them."""

import os
from datetime import datetime
from pathlib import Path
from typing import Any

from compact_guard import assets, wording
from compact_guard.evaluation import Evaluation, InterfaceResult
from compact_guard.policy import Policy
from compact_guard.verdict import OUTCOMES, Verdict

_HEADLINES: dict[Verdict, str] = {
    "KEEP": "KEEP: the guard delivered every checkpoint that counted",
    "OBSERVE": "OBSERVE: too early, or too uncertain, to say whether the guard works",
    "REVERT": "REVERT: the guard lost or repeated a checkpoint in real work",
}

_ADVICE: dict[Verdict, str] = {
    "KEEP": "Leave the hooks installed. The next report counts on from here; the first failure "
    "changes the verdict.",
    "OBSERVE": "Leave the hooks installed and go on working: the evidence grows by itself.",
    "REVERT": "Two ways from here: find and mend the cause (a new guard version starts a new "
    "observation period), or take the hooks out with `compact-guard uninstall`.",
}


def write(evaluation: Evaluation, folder: Path) -> Path:
    """Write `<date>-verdict.md` (the date of as-of) into `folder`; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    kind = "rehearsal" if evaluation.request.is_rehearsal else "verdict"
    file = folder / f"{evaluation.request.as_of:%Y-%m-%d}-{kind}.md"
    draft = file.with_suffix(".tmp")
    draft.write_text(render(evaluation), encoding="utf-8")
    os.replace(draft, file)  # noqa: PTH105 - a reader sees the old report or the new one
    return file


def render(evaluation: Evaluation) -> str:
    """The whole report as markdown."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(assets.folder("reports", "templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # markdown; every value is ours or of a closed vocabulary
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("verdict.md.j2").render(_context(evaluation))


def headline(evaluation: Evaluation) -> str:
    """The verdict in one sentence, marked where it is a rehearsal."""
    words = _HEADLINES[evaluation.verdict]
    return f"Rehearsed {words}" if evaluation.request.is_rehearsal else words


def _context(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "headline": headline(evaluation),
        "advice": _ADVICE[evaluation.verdict],
        "is_rehearsal": evaluation.request.is_rehearsal,
        "as_of": _moment(evaluation.request.as_of),
        "rows": evaluation.rows,
        "interfaces": [_interface(evaluation, result) for result in evaluation.interfaces],
        "failures": _failures(evaluation),
        "exclusions": _exclusions(evaluation),
        "synthetic": _synthetic(evaluation),
        "quarantined": [
            line
            | {
                "file": Path(line["file"]).name,
                "words": wording.QUARANTINE_REASONS[line["quarantine_reason"]],
            }
            for line in evaluation.quarantined
        ],
        "periods": _other_periods(evaluation),
        "not_shown": _not_shown(evaluation),
        "expectations": _expectations(evaluation),
        "policy": _policy(evaluation.request.policy),
    }


def _interface(evaluation: Evaluation, result: InterfaceResult) -> dict[str, Any]:
    evidence = result.evidence
    return {
        "interface": evidence.interface,
        "verdict": result.decision.verdict,
        "reasons": result.decision.reasons,
        "outcomes": evidence.outcomes,
        "failures": evidence.failures,
        "period_from": _moment(evidence.period_from),
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


def _failures(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        {
            "at": _moment(compaction["recorded_at"]),
            "interface": compaction["interface"],
            "trigger": compaction["trigger"] or "unknown trigger",
            "outcome": compaction["outcome"],
            "words": wording.FAILURES[compaction["detail"]],
            "evidence": wording.WITNESSES[compaction["evidence"]],
            "checkpoint": (compaction["checkpoint_hash"] or "none")[:12],
        }
        for result in evaluation.interfaces
        for compaction in result.compactions
        if compaction["outcome"] in ("missed", "duplicated")
    ]


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


def _synthetic(evaluation: Evaluation) -> list[str]:
    if evaluation.request.is_rehearsal:
        return []
    return [
        f"- {result.evidence.interface}: {result.evidence.synthetic_events} rows"
        + "".join(
            f", {result.synthetic_outcomes[name]} {name}"
            for name in OUTCOMES
            if name in result.synthetic_outcomes
        )
        for result in evaluation.interfaces
        if result.evidence.synthetic_events
    ]


def _other_periods(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        period
        | {"from": _moment(period["first_natural_at"]), "to": _moment(period["last_natural_at"])}
        for period in evaluation.periods
        if not period["is_current"] and period["natural_events"]
    ]


def _not_shown(evaluation: Evaluation) -> list[str]:
    lines = [
        "That the checkpoint held the right things, or that the model used it: only delivery is "
        "judged here.",
        "Anything about other interfaces, agent versions or guard versions than those named above.",
    ]
    if not any(result.evidence.witnessed_compactions for result in evaluation.interfaces):
        lines.append(
            "The arrival of the text in the model's context: without transcripts everything here "
            "is as reported by the guard, arrival not witnessed."
        )
    return lines


def _expectations(evaluation: Evaluation) -> dict[str, Any]:
    everything = [
        {"interface": result.evidence.interface, **expectation._asdict()}
        for result in evaluation.interfaces
        for expectation in result.expectations
    ]
    broken = [expectation for expectation in everything if not expectation["success"]]
    return {
        "total": len(everything),
        "passed": len(everything) - len(broken),
        "broken": broken,
    }


def _policy(policy: Policy) -> list[dict[str, Any]]:
    values: dict[str, Any] = {
        name: getattr(policy, name) for name in policy.reasons if hasattr(policy, name)
    }
    values["natural_triggers"] = ", ".join(policy.natural_triggers)
    values["grace"] = f"{policy.grace_seconds / 60:g} minutes"
    values["interfaces"] = "all" if policy.interfaces is None else ", ".join(policy.interfaces)
    return [
        {"name": name, "value": values[name], "reason": policy.reasons[name]}
        for name in policy.reasons
    ]


def _moment(moment: datetime | None) -> str:
    return "never" if moment is None else f"{moment:%Y-%m-%d %H:%M} UTC"

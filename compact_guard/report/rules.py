"""The report's last part: what was not shown, which expectations hold, under which policy."""

from typing import Any

from compact_guard.evaluator.evaluation import Evaluation
from compact_guard.evaluator.gate import ExpectationResult
from compact_guard.evaluator.policy import Policy
from compact_guard.report.phrases import counted, second

_BEGAN = {"auto": "the agent began it by itself", "manual": "somebody asked for it"}


def what_counts(policy: Policy) -> str:
    """Which compactions speak for the guard, in one paragraph."""
    counts = "A compaction is *counted* towards the verdict if it came in real work and its "
    counts += "checkpoint was given back, lost or repeated"
    others = [words for name, words in _BEGAN.items() if name not in policy.natural_triggers]
    if not others:
        return f"{counts}."
    [counted_ones] = [_BEGAN[name] for name in policy.natural_triggers]
    return (
        f"{counts}, and if {counted_ones}. Where {others[0]}, it can convict the guard but "
        "never acquit it."
    )


def not_shown(evaluation: Evaluation) -> list[str]:
    """What nobody may conclude from this report, in the words of the design."""
    lines = [
        "That the checkpoint held the right things, or that the model used it: only delivery is "
        "judged here.",
        "Anything about other interfaces, agent versions or guard versions than those named above.",
    ]
    for result in evaluation.interfaces:
        evidence = result.evidence
        judged = sum(evidence.outcomes.values())
        if not judged:
            continue
        if not evidence.witnessed_compactions:
            lines.append(
                f"{evidence.interface}: the arrival of the text in the model's context. Without "
                "transcripts everything here is as reported by the guard, arrival not witnessed."
            )
        elif evidence.witnessed_compactions < judged:
            lines.append(
                f"{evidence.interface}: the arrival in {judged - evidence.witnessed_compactions} "
                f"of {counted(judged, 'compaction')}, of which no transcript was at hand: those "
                "are as reported by the guard."
            )
    return lines


def expectations(evaluation: Evaluation) -> dict[str, Any]:
    """How many hold, and those that do not with what offends."""
    everything = [
        (result.evidence.interface, expectation)
        for result in evaluation.interfaces
        for expectation in result.expectations
    ]
    broken = [_broken(interface, found) for interface, found in everything if not found.success]
    return {"total": len(everything), "passed": len(everything) - len(broken), "broken": broken}


def _broken(interface: str, result: ExpectationResult) -> dict[str, Any]:
    offending = [
        f"`{(offender.offending_key or 'none')[:24]}` ({second(offender.recorded_at)})"
        for offender in result.offending
    ]
    more = result.observed - len(offending)
    if offending and more > 0:
        offending.append(f"and {more:,} more")
    return {
        "interface": interface,
        **result._asdict(),
        "offending": ", ".join(offending) or "no single row",
    }


def policy_rows(policy: Policy) -> list[dict[str, Any]]:
    """Every setting with its value and reason."""
    values: dict[str, Any] = {
        name: getattr(policy, name) for name in policy.reasons if hasattr(policy, name)
    }
    values["natural_triggers"] = ", ".join(policy.natural_triggers)
    values["grace"] = f"{policy.grace_seconds / 60:g} minutes"
    values["interfaces"] = "all" if policy.interfaces is None else ", ".join(policy.interfaces)
    values["revert_early"] = "yes" if policy.revert_early else "no"
    return [
        {"name": name, "value": values[name], "reason": policy.reasons[name]}
        for name in policy.reasons
    ]

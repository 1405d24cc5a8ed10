"""An evaluation as a markdown report. Rules are elsewhere; this only words them."""

import os
from pathlib import Path
from typing import Any

from compact_guard import assets, report_interface, wording
from compact_guard.evaluation import Evaluation
from compact_guard.policy import Policy
from compact_guard.report_interface import moment
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
        "as_of": moment(evaluation.request.as_of),
        "rows": evaluation.rows,
        "interfaces": [
            report_interface.section(evaluation, result) for result in evaluation.interfaces
        ],
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


def _failures(evaluation: Evaluation) -> list[dict[str, Any]]:
    return [
        {
            "at": moment(compaction["recorded_at"]),
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
        | {"from": moment(period["first_natural_at"]), "to": moment(period["last_natural_at"])}
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

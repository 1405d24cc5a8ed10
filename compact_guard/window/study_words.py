"""Sentences of a study that stand alike on a terminal and in the report."""

from typing import Any

from compact_guard.report.phrases import counted

Study = dict[str, Any]

_HEADLINES = {
    "KEEP": "KEEP: since the window changed, a turn costs less",
    "OBSERVE": "OBSERVE: it cannot be said yet whether the change of window paid off",
    "REVERT": "REVERT: since the window changed, a turn costs more",
}
_NOTHING_CHANGED = "OBSERVE: no change of the window is known, so there is none to judge"
_SOURCES = {
    "given": "as you said",
    "settings": "as settings tell",
    "observed": "as seen where compactions begin",
}
_EVIDENCE = {
    "logged": "logged by the agent",
    "records": "told by the records around it",
}
_NO_EVIDENCE = {
    "not_logged": "not logged by the agent",
    "outside_a_turn": "without a record of when it began",
    "no_time": "without a time that can be read",
}


def headline(study: Study) -> str:
    """The verdict and what it says."""
    if study["verdict"] == "OBSERVE" and study["change"]["at"] is None:
        return _NOTHING_CHANGED
    return _HEADLINES[study["verdict"]]


def change(found: Study) -> str:
    """When the window changed, how that is known, and from where to where."""
    told = f"the window changed on {found['at'][:16].replace('T', ' ')} UTC, "
    told += _SOURCES[found["source"]]
    if found["window_before"] and found["window_after"]:
        before, after = found["window_before"], found["window_after"]
        told += f"; compactions began at {before:,.0f} tokens before and at {after:,.0f} after it"
    return told


def typical(medians: Study) -> str:
    """How many compactions there were, and what one does."""
    told = counted(medians["boundaries"], "compaction")
    if medians["boundaries_between_turns"] and medians["call_usd"] is not None:
        told += f"; typically one costs {dollars(medians['call_usd'])} for its call"
        told += f" and {dollars(medians['rebuild_usd'])} to fill the cache again"
        if medians["seconds_waited"] is not None:
            told += f", makes somebody wait {medians['seconds_waited']:,.0f} s"
        if medians["payback_turns"] is not None:
            turns = counted(round(medians["payback_turns"]), "turn")
            told += f", and has paid for itself after {turns}"
    return told + _estimates(medians)


def _estimates(medians: Study) -> str:
    told = [
        counted(medians[name], noun)
        for name, noun in (("costs_estimated", "call"), ("waits_estimated", "wait"))
        if medians[name]
    ]
    return f" ({' and '.join(told)} estimated)" if told else ""


def waits(rows: list[Study]) -> list[str]:
    """How it is known how long compactions took; what is estimated, and why."""
    told = []
    for words, reasons, counts in (
        ("the time is known", _EVIDENCE, "boundaries"),
        ("the wait is estimated as the time since the turn before, at most five minutes",
         _NO_EVIDENCE, "estimated"),
        ("the wait is unknown", _NO_EVIDENCE, "unknown"),
    ):  # fmt: skip
        found = _by_reason(rows, reasons, counts)
        if found:
            named = ", ".join(f"{count:,} {reason}" for reason, count in found.items())
            told.append(f"of {sum(found.values()):,} {words}: {named}")
    return told


def stubs(totals: Study) -> list[str]:
    """What older logs leave out of the cost; nothing where few turns are like that."""
    if totals["stub_turns"] <= 0.25 * totals["turns"]:
        return []
    return [
        f"{totals['stub_turns']:,} of these turns log at most ten tokens of output, less than any "
        "call of a tool takes: what the model wrote there cost more than is told here"
    ]


def damaged(files: list[Study]) -> list[Study]:
    """Those of which something could not be read."""
    return [file for file in files if file["reject_reason"] or file["rejected_lines"]]


def dollars(usd: float) -> str:
    """To the cent; below one, as far as something is to be seen."""
    return f"${usd:,.2f}" if not 0 < usd < 0.01 else f"${usd:,.4f}"


def damage(file: Study) -> tuple[str, str]:
    """What could not be read of a file, and the reasons."""
    if file["reject_reason"]:
        return "not read", file["reject_reason"]
    told = ", ".join(f"{count} {reason}" for reason, count in file["rejected"].items())
    return "unreadable lines", told


def _by_reason(rows: list[Study], reasons: dict[str, str], counts: str) -> dict[str, int]:
    """Summed over the agents."""
    found = {
        words: sum(row[counts] for row in rows if row["seconds_evidence"] == evidence)
        for evidence, words in reasons.items()
    }
    return {words: count for words, count in found.items() if count}

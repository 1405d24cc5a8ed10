"""A study for a person at a terminal: one screen of plain text."""

from typing import Any

import orjson


def summary(answer: bytes) -> str:
    """What was read, what it cost, what the compactions cost."""
    study: dict[str, Any] = orjson.loads(answer)
    lines = [*_reading(study), *_money(study), *_compactions(study)]
    lines += [f"{study['verdict']}: {reason}" for reason in study["reasons"]]
    return "\n".join(lines) + "\n"


def _reading(study: dict[str, Any]) -> list[str]:
    files = study["files"]
    lines = [f"{len(files)} files, {sum(file['lines'] for file in files):,} lines"]
    for file in files:
        if file["reject_reason"]:
            lines.append(f"  not read: {file['path']} ({file['reject_reason']})")
        elif file["rejected_lines"]:
            told = ", ".join(f"{count} {reason}" for reason, count in file["rejected"].items())
            lines.append(f"  unreadable lines: {file['path']} ({told})")
    return lines


def _money(study: dict[str, Any]) -> list[str]:
    totals = study["totals"]
    lines = [
        f"{totals['main_turns']:,} turns of main sessions cost ${totals['main_cost_usd']:,.2f}, "
        f"{totals['turns'] - totals['main_turns']:,} of subagents "
        f"${totals['cost_usd'] - totals['main_cost_usd']:,.2f}"
    ]
    if study["unpriced_models"]:
        names = ", ".join(study["unpriced_models"])
        lines.append(f"{totals['unpriced_turns']:,} turns have no price: {names} (see --prices)")
    return lines


def _compactions(study: dict[str, Any]) -> list[str]:
    boundaries = [boundary for boundary in study["boundaries"] if not boundary["is_copy"]]
    cost = sum(boundary["cost_usd"] or 0 for boundary in boundaries)
    estimated = sum(boundary["cost_is_estimated"] for boundary in boundaries)
    return [f"{len(boundaries):,} compactions, their calls ${cost:,.2f} ({estimated:,} estimated)"]

"""A study for a person at a terminal: one screen of plain text."""

from typing import Any

import orjson

_DAMAGED_SHOWN = 8  # all of it stays on one screen


def summary(answer: bytes) -> str:
    """What was read, what it cost, what the compactions cost, what a change did."""
    study: dict[str, Any] = orjson.loads(answer)
    lines = [*_reading(study), *_money(study), *_compactions(study), *_change(study)]
    lines += [f"{study['verdict']}: {reason}" for reason in study["reasons"]]
    return "\n".join(lines) + "\n"


def _reading(study: dict[str, Any]) -> list[str]:
    files = study["files"]
    lines = [f"{len(files)} files, {sum(file['lines'] for file in files):,} lines"]
    damaged = [file for file in files if file["reject_reason"] or file["rejected_lines"]]
    for file in damaged[:_DAMAGED_SHOWN]:
        if file["reject_reason"]:
            lines.append(f"  not read: {file['path']} ({file['reject_reason']})")
        else:
            told = ", ".join(f"{count} {reason}" for reason, count in file["rejected"].items())
            lines.append(f"  unreadable lines: {file['path']} ({told})")
    if len(damaged) > _DAMAGED_SHOWN:
        lines.append(f"  and {len(damaged) - _DAMAGED_SHOWN} more such files (see --json)")
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


def _change(study: dict[str, Any]) -> list[str]:
    change = study["change"]
    if change["at"] is None:
        return []
    lines = [f"the window changed at {change['at']} ({change['source']})"]
    if change["window_before"] and change["window_after"]:
        before, after = change["window_before"], change["window_after"]
        lines[0] += f": compactions began at {before:,.0f}, then at {after:,.0f} tokens"
    if change["settings"]:
        told = change["settings"]
        lines.append(f"  {told['before'] or 'nothing on record'} became {told['after'] or 'unset'}")
    lines += [f"  note: {note}" for note in change["notes"]]
    for period in study["periods"]:
        if period["period"] == "undated" or period["cost_per_turn_mean_usd"] is None:
            continue
        lines.append(
            f"  {period['period']}: {period['sessions']} sessions, a turn "
            f"${period['cost_per_turn_mean_usd']:.4f} with "
            f"{period['context_per_turn_mean']:,.0f} tokens, "
            f"{100 * period['boundaries_per_turn']:.2f} compactions per 100 turns, "
            f"{(period['seconds_waited_per_day'] or 0) / 60:.1f} minutes of waiting a day"
        )
    return lines

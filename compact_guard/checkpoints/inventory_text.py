"""Checkpoints, and what a purge would remove, as lines for a person."""

import time

from compact_guard.checkpoints.inventory import Stored
from compact_guard.checkpoints.purging import Plan

_HASH_DIGITS = 12
_HEADS = ("session", "checkpoint", "saved (UTC)", "agent", "trigger", "used", "bytes", "items")


def lines(stored: list[Stored]) -> list[str]:
    """A table, newest first."""
    if not stored:
        return ["No checkpoint is stored."]
    rows = [_HEADS, *(_row(each) for each in stored)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def items_told(items: dict[str, int]) -> str:
    """`2 corrections, 1 decision`: the ranks that have any."""
    told = [
        f"{count} {rank.removesuffix('s') if count == 1 else rank}"
        for rank, count in items.items()
        if count
    ]
    return ", ".join(told) or "none"


def planned(plan: Plan) -> list[str]:
    """What would go."""
    size = sum(each.size for each in plan.stored)
    count = len({each.session_hash for each in plan.stored})
    return [
        f"To be removed: {len(plan.stored)} checkpoints of {count} sessions, {size:,} bytes",
        *(f"  and the folder {folder}" for folder in plan.folders),
        *(f"  and hook output that the agent left in {file}" for file in plan.spilled),
    ]


def _row(stored: Stored) -> tuple[str, ...]:
    known = stored.content or {}
    return (
        stored.session_hash[:_HASH_DIGITS],
        stored.saved.checkpoint_hash[:_HASH_DIGITS],
        time.strftime("%Y-%m-%d %H:%M", time.gmtime(stored.seconds)),
        str(known.get("agent", "?")),
        str(known.get("trigger") or "?"),
        "yes" if stored.is_used else "no",
        f"{stored.size:,}",
        stored.problem or items_told(stored.items()),
    )

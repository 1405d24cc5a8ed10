"""Audit logs of any size, as a guard writes them: four interfaces over thirty days."""

import json
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.builders import Session, digest
from tests.evaluator.nights import NIGHT

INTERFACES = ("claude-code/anthropic", "claude-code/gateway", "codex/cli", "codex/desktop")
DAYS = 30
HELD_ROWS = 100_000  # ten million at once would take more memory than the evaluation that follows
# What the guard counts in each kind of row, and up to which number.
COUNTS = {
    "pre_compact": {
        "waited_ms": 250, "messages_read": 900, "malformed_lines": 1, "redactions": 9,
        "items_dropped": 200, "items_kept": 90, "messages_kept": 80, "items_carried": 40,
        "corrections": 20, "decisions": 30, "constraints": 30, "tasks": 10, "evidence": 10,
        "recent": 10, "bytes": 40_000,
    },
    "session_start": {"characters": 9_900, "items_kept": 90},
    "post_compact": {
        "summary_characters": 12_000, "rescued_decisions": 9, "rescued_corrections": 9,
        "rescued_constraints": 9, "rescued_recent": 9,
    },
}  # fmt: skip


def write(folder: Path, rows: int, first_session: int = 0) -> int:
    """At least `rows` rows of sessions with five compactions each; returns the next session."""
    folder.mkdir(exist_ok=True)
    days: dict[str, list[str]] = {}
    number, written, held = first_session, 0, 0
    while written < rows:
        begun = NIGHT - timedelta(days=DAYS) + timedelta(seconds=number * 97 % (DAYS * 86_000))
        session = Session(f"session {number}", INTERFACES[number % 4], at=begun)
        for compaction in range(5):
            session.delivered(f"checkpoint {number}.{compaction}")
        chance = random.Random(number)
        for row in session.rows:
            line = json.dumps(_filled(row, chance), separators=(",", ":"))
            days.setdefault(row["recorded_at"][:10], []).append(f"{line}\n")
        number, written, held = number + 1, written + len(session.rows), held + len(session.rows)
        if held >= HELD_ROWS:
            _append(folder, days)
            held = 0
    _append(folder, days)
    return number


def _append(folder: Path, days: dict[str, list[str]]) -> None:
    """Move the lines of each day to its file."""
    for day, lines in days.items():
        with (folder / f"{day}.jsonl").open("a", encoding="utf-8") as log:
            log.writelines(lines)
    days.clear()


def _filled(row: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """With all that a guard knows in real work, in its spelling."""
    return row | {
        "event_id": digest(row["event_id"])[:32],
        "recorded_at": f"{row['recorded_at'][:19]}.{chance.randrange(1_000):03}Z",
        "guard_fingerprint": digest(row["guard_fingerprint"]),
        "model": "claude-opus-5-5" if row["agent"] == "claude-code" else "gpt-5.4-codex",
        "turn_hash": digest(f"{row['session_hash']} {chance.random()}"),
        "duration_ms": chance.randrange(2_000, 90_000) / 1_000,
        "counts": {name: chance.randrange(most + 1) for name, most in COUNTS[row["event"]].items()},
    }

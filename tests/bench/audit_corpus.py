"""Audit logs of any size, as a guard writes them: four interfaces over thirty days."""

import json
from datetime import timedelta
from pathlib import Path

from tests.builders import Session
from tests.evaluator.nights import NIGHT

INTERFACES = ("claude-code/anthropic", "claude-code/gateway", "codex/cli", "codex/desktop")
DAYS = 30


def write(folder: Path, rows: int, first_session: int = 0) -> int:
    """At least `rows` rows of sessions with five compactions each; returns the next session."""
    folder.mkdir(exist_ok=True)
    days: dict[str, list[str]] = {}
    number, written = first_session, 0
    while written < rows:
        begun = NIGHT - timedelta(days=DAYS) + timedelta(seconds=number * 97 % (DAYS * 86_000))
        session = Session(f"session {number}", INTERFACES[number % 4], at=begun)
        for compaction in range(5):
            session.delivered(f"checkpoint {number}.{compaction}")
        for row in session.rows:
            line = json.dumps(row, separators=(",", ":"))
            days.setdefault(row["recorded_at"][:10], []).append(f"{line}\n")
        number, written = number + 1, written + len(session.rows)
    for day, lines in days.items():
        with (folder / f"{day}.jsonl").open("a", encoding="utf-8") as log:
            log.writelines(lines)
    return number

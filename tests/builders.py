"""Audit logs told as stories: `Session("s1").pre("aa").finish().start("aa").receipt()`.

A session keeps its own clock and its own (imaginary) transcript, so that offsets and times are
what a real guard would have written. Labels such as "aa" stand for checkpoint hashes.
"""

import hashlib
import itertools
import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self

MORNING = datetime(2026, 11, 5, 3, 0)
FINGERPRINT = "b" * 12
OLD_FINGERPRINT = "a" * 12

_CLAUDE = "claude-code/anthropic"


def digest(label: str) -> str:
    """The 64 hex digits that a label stands for."""
    return hashlib.sha256(label.encode()).hexdigest()


class Session:
    """One session's rows, in the order they were written."""

    def __init__(
        self,
        name: str,
        interface: str = _CLAUDE,
        *,
        at: datetime = MORNING,
        origin: str = "natural",
        fingerprint: str = FINGERPRINT,
        has_transcript: bool = True,
    ) -> None:
        self.name = name
        self.interface = interface
        self.now = at
        self.origin = origin
        self.fingerprint = fingerprint
        self.has_transcript = has_transcript
        self.rows: list[dict[str, Any]] = []
        self._bytes = 100_000
        self._last_boundary: int | None = None
        self._numbers = itertools.count(1)

    # What the agent does

    def wait(self, **duration: float) -> Self:
        """Time passes; negative durations step the clock back."""
        self.now += timedelta(**duration)
        return self

    def finish(self) -> Self:
        """The compaction under way finishes: the transcript gets its boundary."""
        self._last_boundary = self._bytes + 10
        self._bytes += 2_000
        return self

    # What the guard writes

    def pre(self, label: str | None, trigger: str = "auto", **fields: Any) -> Self:
        """A PreCompact hook saved a checkpoint; `outcome="empty"` or `"failed"` without a label."""
        self.wait(minutes=5)
        self._bytes += 50_000
        return self._row(
            "pre_compact",
            checkpoint=label,
            trigger=trigger,
            outcome=fields.pop("outcome", "saved"),
            delivery=fields.pop("delivery", "immediate"),
            transcript_bytes=self._bytes if self.has_transcript else None,
            last_boundary_bytes=self._last_boundary if self.has_transcript else None,
            **fields,
        )

    def stepped_back(self, **offsets: int | None) -> Self:
        """A second registration's PreCompact hook found the compaction in the first one's hands."""
        self.wait(milliseconds=5)
        return self._row(
            "pre_compact",
            trigger=self.rows[-1]["trigger"],
            outcome="skipped",
            reason="claimed_elsewhere",
            delivery=self.rows[-1]["delivery"],
            **offsets,
        )

    def start(self, label: str | None, outcome: str = "injected", **fields: Any) -> Self:
        """A SessionStart hook ran."""
        self.wait(seconds=40)
        source = fields.pop("source", "compact")
        return self._row(
            "session_start", checkpoint=label, outcome=outcome, source=source, **fields
        )

    def receipt(self, **fields: Any) -> Self:
        """A PostCompact hook ran."""
        self.wait(milliseconds=300)
        return self._row("post_compact", outcome=fields.pop("outcome", "recorded"), **fields)

    # Whole compactions

    def delivered(self, label: str, trigger: str = "auto") -> Self:
        """One compaction as it should be, in Claude Code's order."""
        return self.pre(label, trigger).finish().start(label).receipt()

    def delivered_by_two_registrations(self, label: str) -> Self:
        """One compaction for which the agent ran every hook twice."""
        self.pre(label).stepped_back().finish()
        return self.start(label).start(label, "already_used").receipt().receipt()

    def queued(self, label: str, trigger: str = "auto") -> Self:
        """One compaction in Codex's order, its delivery waiting for the user's next prompt."""
        return self.pre(label, trigger, delivery="next_turn").finish().receipt(trigger=trigger)

    def aborted(self, label: str) -> Self:
        """A compaction that never finished."""
        return self.pre(label)

    def _row(self, event: str, *, checkpoint: str | None = None, **fields: Any) -> Self:
        agent = self.interface.split("/")[0]
        row = {
            "schema": "compact-guard.audit/1",
            "event_id": digest(f"{self.name} {next(self._numbers)}")[:24],
            "recorded_at": self.now.isoformat(timespec="microseconds") + "Z",
            "host": "a1" * 8,
            "guard_version": "0.1.0",
            "guard_fingerprint": self.fingerprint,
            "interface": self.interface,
            "agent": agent,
            "agent_version": {"claude-code": "2.1.332", "codex": "0.171.0"}[agent],
            "model": None,
            "event": event,
            "source": None,
            "trigger": None,
            "delivery": None,
            "session_hash": digest(f"{agent}:{self.name}"),
            "transcript_hash": digest(f"first line of {self.name}")
            if self.has_transcript
            else None,
            "turn_hash": None,
            "transcript_bytes": None,
            "last_boundary_bytes": None,
            "checkpoint_hash": digest(checkpoint) if checkpoint else None,
            "reason": None,
            "origin": self.origin,
            "subagent": False,
            "duration_ms": 20.0,
            "counts": {},
        }
        self.rows.append(row | fields)
        return self


def rows_of(sessions: Iterable[Session]) -> list[dict[str, Any]]:
    """All rows of several sessions, session by session."""
    return [row for session in sessions for row in session.rows]


def write_log(folder: Path, rows: Iterable[dict[str, Any] | str]) -> Path:
    """Write rows (or raw lines) as an audit log, one file a UTC day; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        line = row if isinstance(row, str) else json.dumps(row)
        day = "2026-11-05" if isinstance(row, str) else row["recorded_at"][:10]
        with (folder / f"{day}.jsonl").open("a", encoding="utf-8") as log:
            log.write(line + "\n")
    return folder


def busy_weeks(
    sessions: int = 25, compactions: int = 59, *, interface: str = _CLAUDE, **session_fields: Any
) -> list[Session]:
    """Real work as it should go: `compactions` delivered ones, spread over `sessions`."""
    story = [
        Session(
            f"work {number}",
            interface,
            at=MORNING + timedelta(hours=20 * number),
            **session_fields,
        )
        for number in range(sessions)
    ]
    for number in range(compactions):
        story[number % sessions].delivered(f"checkpoint {number}")
    return story

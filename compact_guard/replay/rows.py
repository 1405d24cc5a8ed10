"""What a replay finds: rows of plain values, of one file and of its boundaries."""

from dataclasses import dataclass, field
from datetime import datetime

from compact_guard.hook import cues
from compact_guard.replay.compaction import Origin
from compact_guard.transcripts.facts import Trigger


@dataclass(frozen=True)
class Statement:
    """One item of a checkpoint, redacted; `score` is how surely it is of its rank."""

    rank: str
    score: float
    speaker: str
    at: str | None
    text: str


@dataclass(frozen=True)
class Boundary:
    """What a checkpoint would have held at one compaction.

    `outcome` and `reason` are the audit log's words. `held` counts items by rank; `lost` are those
    that the new context did not hold otherwise, None where the native summary cannot be read.
    `units` is the injected text as the agent counts it, `cpu_ms` what composing took.
    """

    key: str
    at: datetime | None  # naive UTC
    trigger: Trigger | None
    agent_version: str | None
    outcome: str
    reason: str | None = None
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(cues.RANKS, 0))
    lost: list[Statement] | None = None
    carried: int = 0  # of those held, from the session's previous checkpoint
    left_out: int = 0  # statements for which there was no room
    redactions: int = 0
    checkpoint_bytes: int = 0
    units: int = 0
    cpu_ms: float = 0.0
    is_copy: bool = False  # it stands in another file, too, and counts there

    def rescued(self) -> dict[str, int] | None:
        """`lost` by rank."""
        if self.lost is None:
            return None
        counts = dict.fromkeys(cues.RANKS, 0)
        for statement in self.lost:
            counts[statement.rank] += 1
        return counts


@dataclass(frozen=True)
class File:
    """One file given.

    `skipped` says why it was not replayed: `no_access`, `empty`, `foreign` (no agent's),
    `subagent`, `no_zstandard` (the base installation cannot read .zst), `endless_line`.
    `unreadable` counts lines by reason: `damaged`, `too_long`, `broken_off` (the rest of a
    compressed file).
    """

    path: str
    skipped: str | None = None
    agent: str | None = None
    origin: Origin | None = None
    size_bytes: int = 0  # as it lies on the disk
    boundaries: tuple[Boundary, ...] = ()
    unreadable: dict[str, int] = field(default_factory=dict)

"""The guard's hooks in the simulated world: the row each run leaves, and what reaches the agent."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.simulator.records import stamp

if TYPE_CHECKING:
    from tests.simulator.world import Session


class Row(NamedTuple):
    """One hook run's row, as it stands in the audit log."""

    event_id: str
    at: datetime
    fields: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None


@dataclass
class Truth:
    """What really became of one compaction."""

    event_id: str | None = None  # of its pre_compact row, if the hook ran
    checkpoint_hash: str | None = None
    has_finished: bool = False
    has_gone_on: bool = False  # the model worked on after the delivery was due
    taken: int = 0  # copies of its text that the agent took
    arrivals: int = 0  # those in the main session's context
    boundary_key: str | None = None


class Guard:
    """One session's hooks and the checkpoints they share."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self.newest: Truth | None = None  # the newest saved checkpoint's compaction
        self.used: set[str | None] = set()

    def pre(self, trigger: str, delivery: str, outcome: str, *, knows_bytes: bool = True) -> Truth:
        """The PreCompact hook saves a checkpoint, or says why not."""
        session = self.session
        truth = Truth()
        if outcome == "saved":
            truth.checkpoint_hash = digest(f"checkpoint {session.name} {len(session.stream)}")
            self.newest = truth
        truth.event_id = self.write(
            "pre_compact",
            outcome=outcome,
            checkpoint_hash=truth.checkpoint_hash,
            trigger=trigger,
            delivery=delivery,
            transcript_bytes=session.bytes_on_disk() if knows_bytes else None,
            last_boundary_bytes=session.last_boundary() if knows_bytes else None,
            turn_hash=session.turn_hash,
        ).event_id
        session.truths.append(truth)
        return truth

    def start(self, fate: str, source: str = "compact", **fields: Any) -> list[Truth]:
        """The SessionStart hook; returns whose text the agent takes into its context."""
        truth = self.newest
        has_text = truth is not None and truth.checkpoint_hash not in self.used
        if fate == "not_run":
            return []
        if fate in ("none", "failed", "skipped") or truth is None:
            self.write(
                "session_start", outcome=fate if has_text else "none", source=source, **fields
            )
            return []
        fields |= {"source": source, "checkpoint_hash": truth.checkpoint_hash}
        if not has_text:
            self.write("session_start", outcome="already_used", **fields)
            return []
        return self._deliver(truth, fate, fields)

    def _deliver(self, truth: Truth, fate: str, fields: dict[str, Any]) -> list[Truth]:
        match fate:
            case "crashed":  # before its audit row and its exit: the agent discards the text
                return []
            case "refused" | "already_used":
                self.write("session_start", outcome=fate, **fields)
                return []
        self.used.add(truth.checkpoint_hash)
        if fate != "unrecorded":
            self.write("session_start", outcome="injected", **fields)
        if fate == "twice":
            self.write("session_start", outcome="injected", **fields)
        copies = {"not_arrived": 0, "twice": 2}.get(fate, 1)
        truth.taken += copies
        truth.arrivals += copies
        return [truth] * copies

    def receipt(self, outcome: str = "recorded", **fields: Any) -> None:
        """The PostCompact hook."""
        self.write("post_compact", outcome=outcome, turn_hash=self.session.turn_hash, **fields)

    def orphan(self, source: str) -> None:
        """A checkpoint of somebody else goes out here."""
        stranger = digest(f"a stranger's {self.session.name} {len(self.session.stream)}")
        self.write("session_start", outcome="injected", source=source, checkpoint_hash=stranger)

    def subagent(self) -> None:
        """A subagent's compaction, told as such."""
        fields = {"subagent": True, "reason": "subagent", "outcome": "skipped"}
        size = self.session.bytes_on_disk()
        self.write(
            "pre_compact", trigger="auto", delivery="immediate", transcript_bytes=size, **fields
        )
        self.write("session_start", source="compact", **fields)
        self.write("post_compact", **fields)

    def write(self, event: str, **fields: Any) -> Row:
        """One row of this session, at this moment."""
        session = self.session
        # Where a receipt and a start share their time, nothing tells which came first.
        is_after_receipt = event == "session_start" and session.agent_name == "codex"
        session.pass_time(seconds=session.rng.choice((0, 0, 1, 4)) + is_after_receipt)
        at = session.now()
        event_id = digest(f"{session.name} row {len(session.stream)}")[:24]
        row = Row(event_id, at, _NULLS | session.identity() | {"event": event} | fields)
        row.fields.update(event_id=event_id, recorded_at=stamp(at))
        session.stream.append(row)
        return row


def digest(label: str) -> str:
    return hashlib.sha256(label.encode()).hexdigest()


_NULLS: dict[str, Any] = {
    "schema": "compact-guard.audit/1",
    "guard_version": "0.1.0",
    "model": None,
    "source": None,
    "trigger": None,
    "delivery": None,
    "turn_hash": None,
    "transcript_bytes": None,
    "last_boundary_bytes": None,
    "checkpoint_hash": None,
    "reason": None,
    "subagent": False,
    "duration_ms": 20.0,
    "counts": {},
}

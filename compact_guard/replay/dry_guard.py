"""The guard of one session that writes nothing: the hook's own code, without its disk.

At each boundary it composes the checkpoint that the hook would have saved, from what the
transcript held by then and the checkpoint before it; then it judges, as the receipt does, what of
it the new context did not hold otherwise.
"""

import json
import time
from datetime import datetime
from typing import Any

from compact_guard.agents.contract import HookAdapter
from compact_guard.hook import audit, composing, cues, identity, injection, previous, rescue
from compact_guard.hook.events import CompactionStarting
from compact_guard.hook.limits import CHECKPOINT_AGE_SECONDS_MAX
from compact_guard.hook.previous import Previous
from compact_guard.replay.compaction import Compaction, Origin
from compact_guard.replay.past import Past
from compact_guard.replay.rows import Boundary, Statement

_ANY_HASH = "0" * 64  # in the label of a checkpoint that has no file


class DryGuard:
    """Call `compact` at each boundary in turn, with the transcript set to where it ended then."""

    def __init__(self, transcript: Past, adapter: HookAdapter, origin: Origin) -> None:
        self.adapter = adapter
        self.lines_damaged = 0
        self._transcript = transcript
        self._session_id = origin.session_id or ""
        self._transcript_hash = transcript.first_line_hash()
        self._newest: dict[str, Any] | None = None  # checkpoint, as it would lie on the disk
        self._newest_at: datetime | None = None

    def compact(self, compaction: Compaction) -> Boundary:
        """What the hook would have saved, and how much of it was lost otherwise."""
        row = self._new_row()
        too_long = len(self._transcript.too_long)
        began = time.process_time()
        content = self._composed(compaction, row)
        cpu_ms = (time.process_time() - began) * 1000
        counts = row["counts"]
        self.lines_damaged += counts.get("malformed_lines", 0)
        self.lines_damaged -= len(self._transcript.too_long) - too_long  # they were counted, too
        return Boundary(
            key=compaction.key,
            at=compaction.at,
            trigger=compaction.trigger,
            agent_version=compaction.agent_version,
            outcome=row["outcome"],
            reason=row["reason"],
            held={rank: counts.get(rank, 0) for rank in cues.RANKS},
            lost=_lost(content["items"], compaction),
            carried=counts.get("items_carried", 0),
            left_out=counts.get("items_dropped", 0),
            redactions=counts.get("redactions", 0),
            checkpoint_bytes=counts.get("bytes", 0),
            units=self._units(content) if content["items"] else 0,
            cpu_ms=round(cpu_ms, 1),
        )

    def _new_row(self) -> dict[str, Any]:
        agent = self.adapter.AGENT
        row = audit.new_row(agent, agent, "pre_compact", synthetic=True)
        row["session_hash"] = identity.session_hash(agent, self._session_id)
        row["transcript_hash"] = self._transcript_hash
        row["transcript_bytes"] = self._transcript.complete_bytes
        return row

    def _composed(self, compaction: Compaction, row: dict[str, Any]) -> dict[str, Any]:
        """The checkpoint's content, of no items if there is none; tells `row` as the hook does."""
        # Where the file does not tell, it makes no difference to what the agent keeps.
        trigger = compaction.trigger or "auto"
        event = CompactionStarting(session_id=self._session_id, trigger=trigger)
        event.instructions = compaction.instructions
        try:
            before = self._before(compaction.at)
            serialised = composing.compose(event, self.adapter, row, self._transcript, before)
        except composing.NothingSaved as nothing:
            row["outcome"], row["reason"] = nothing.outcome, nothing.reason
            return {"items": []}
        except Exception:  # the hook goes on, too, and says so in its row
            row["outcome"], row["reason"] = "failed", "internal_error"
            return {"items": []}
        row["outcome"] = "saved"
        row["counts"]["bytes"] = len(serialised.encode())
        content: dict[str, Any] = json.loads(serialised)
        self._newest, self._newest_at = content, compaction.at
        return content

    def _before(self, at: datetime | None) -> Previous:
        """The session's previous checkpoint, unless it would have been too old to be merged."""
        if self._newest is None:
            return Previous([], 0)
        if at is not None and self._newest_at is not None:
            age = (at - self._newest_at).total_seconds()
            if age > CHECKPOINT_AGE_SECONDS_MAX:
                return Previous([], 0)
        return previous.carried_from(self._newest)

    def _units(self, content: dict[str, Any]) -> int:
        length, length_max = self.adapter.length, self.adapter.INJECTION_UNITS_MAX
        return length(injection.build(content, _ANY_HASH, length_max, length))


def _lost(items: list[dict[str, Any]], compaction: Compaction) -> list[Statement] | None:
    """Items that neither the summary nor a message kept verbatim holds; None if nobody can tell."""
    if compaction.summary is None:
        return None
    told = compaction.summary
    if compaction.kept is not None:
        # What was really kept counts, instead of what the hook had to guess beforehand.
        items = [{**item, "is_kept": False} for item in items]
        told = "\n".join([told, *compaction.kept])
    return [
        Statement(item["rank"], item["score"], item["speaker"], item["at"], item["text"])
        for item in rescue.rescued(items, told)
    ]

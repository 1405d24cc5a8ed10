"""The newest compactions of real work, as the audit log tells them: from its rows alone."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from compact_guard.hook import cues
from compact_guard.hook.limits import AUDIT_ROW_BYTES_MAX

_LOGS_MAX = 60  # days with work: what is older is no news
_ROWS_BYTES_MAX = 20_000 * AUDIT_ROW_BYTES_MAX  # of one day, from its end
_SESSION = ("agent", "session_hash", "transcript_hash")


@dataclass(frozen=True)
class Compaction:
    """What was saved, whether it arrived, and what the summary lost; no word of any text.

    `delivery` is the outcome of the newest restart that was about it, None if there was none.
    `items` and `rescued` are by rank; `rescued` None without a receipt, and a rank of it None
    where the summary could not be read.
    """

    at: str  # UTC, as the row has it
    interface: str
    agent_version: str | None
    trigger: str | None
    saved: str
    reason: str | None
    checkpoint_hash: str | None
    expected: str | None  # "immediate" or "next_turn"
    delivery: str | None
    delivery_reason: str | None
    is_finished: bool
    items: dict[str, int]
    rescued: dict[str, int | None] | None

    def as_json(self) -> dict[str, object]:
        """The compaction as `--json` prints it."""
        return asdict(self)


def find(audit_folder: Path) -> Compaction | None:
    """None where the logs show none."""
    return next(_compactions(audit_folder), None)


def by_interface(audit_folder: Path) -> list[Compaction]:
    """The newest of each interface in the logs, newest first."""
    newest: dict[str, Compaction] = {}
    for compaction in _compactions(audit_folder):
        newest.setdefault(compaction.interface, compaction)
    return list(newest.values())


def _compactions(audit_folder: Path) -> Iterator[Compaction]:
    """Newest first."""
    later: dict[tuple[object, ...], list[dict[str, Any]]] = {}  # of each session, newest first
    for row in _rows_backward(audit_folder):
        rows = later.setdefault(tuple(row.get(name) for name in _SESSION), [])
        if row["event"] == "pre_compact" and row.get("outcome") != "skipped":
            yield _told(row, rows[::-1])
        rows.append(row)


def _rows_backward(audit_folder: Path) -> Iterator[dict[str, Any]]:
    """Rows of real work in main sessions, newest first."""
    for log in sorted(audit_folder.glob("*.jsonl"), reverse=True)[:_LOGS_MAX]:
        for line in reversed(_lines(log)):
            row = _row_in(line)
            if row.get("origin") == "natural" and not row.get("subagent") and "event" in row:
                yield row


def _lines(log: Path) -> list[bytes]:
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _ROWS_BYTES_MAX))
            return file.read().splitlines()
    except OSError:
        return []


def _row_in(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _told(first: dict[str, Any], later: list[dict[str, Any]]) -> Compaction:
    restart = _restart(first.get("checkpoint_hash"), later)
    receipts = [row for row in later if row["event"] == "post_compact"]
    recorded = [row for row in receipts if row.get("outcome") == "recorded"]
    return Compaction(
        at=str(first.get("recorded_at")),
        interface=str(first.get("interface")),
        agent_version=first.get("agent_version"),
        trigger=first.get("trigger"),
        saved=str(first.get("outcome")),
        reason=first.get("reason"),
        checkpoint_hash=first.get("checkpoint_hash"),
        expected=first.get("delivery"),
        delivery=restart.get("outcome"),
        delivery_reason=restart.get("reason"),
        is_finished=bool(recorded) or restart.get("outcome") == "injected",
        items={rank: int(_counts(first).get(rank) or 0) for rank in cues.RANKS},
        rescued=_rescued(recorded[0]) if recorded else None,
    )


def _restart(checkpoint_hash: object, later: list[dict[str, Any]]) -> dict[str, Any]:
    """The delivery, else the newest restart that says why there was none; empty without any."""
    restarts = [row for row in later if row["event"] == "session_start"]
    delivered = [
        row
        for row in restarts
        if row.get("outcome") == "injected" and row.get("checkpoint_hash") == checkpoint_hash
    ]
    own = [row for row in restarts if row.get("checkpoint_hash") in (checkpoint_hash, None)]
    return next(iter([*delivered, *reversed(own)]), {})


def _rescued(receipt: dict[str, Any]) -> dict[str, int | None] | None:
    """None where the receipt found no checkpoint to compare with."""
    counts = _counts(receipt)
    found = {rank: counts[f"rescued_{rank}"] for rank in cues.RANKS if f"rescued_{rank}" in counts}
    return {rank: None if count is None else int(count) for rank, count in found.items()} or None


def _counts(row: dict[str, Any]) -> dict[str, Any]:
    counts = row.get("counts")
    return counts if isinstance(counts, dict) else {}

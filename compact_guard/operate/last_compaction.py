"""The newest compaction of real work in the user's own audit log, read from its end."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from compact_guard.hook import limits

_FILES_MAX = 14  # days: what is older is no news of the guard's health
_TAIL_BYTES = 500 * limits.AUDIT_ROW_BYTES_MAX  # one day's newest rows


class LastCompaction(NamedTuple):
    """When the guard ran before a compaction (naive UTC), for whom, and what came of it."""

    at: datetime
    interface: str
    outcome: str


def find(audit_folder: Path) -> LastCompaction | None:
    """None where the last two weeks' logs show none."""
    for log in sorted(audit_folder.glob("*.jsonl"), reverse=True)[:_FILES_MAX]:
        for line in reversed(_tail(log)):
            if found := _read(line):
                return found
    return None


def _tail(log: Path) -> list[bytes]:
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, stream.seek(0, 2) - _TAIL_BYTES))
            return stream.read().splitlines()
    except OSError:
        return []


def _read(line: bytes) -> LastCompaction | None:
    try:
        row = json.loads(line)
        if row["event"] != "pre_compact" or row["origin"] != "natural" or row["subagent"]:
            return None
        at = datetime.fromisoformat(row["recorded_at"]).astimezone(UTC).replace(tzinfo=None)
        return LastCompaction(at, str(row["interface"]), str(row["outcome"]))
    except (ValueError, TypeError, KeyError):
        return None

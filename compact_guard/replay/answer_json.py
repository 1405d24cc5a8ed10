"""A replay as JSON. The shape is a promise: docs/replay.md."""

import json
from datetime import datetime
from typing import Any

from compact_guard.replay import totals as sums
from compact_guard.replay.answer import Answer
from compact_guard.replay.examples import Example
from compact_guard.replay.rows import Boundary, File
from compact_guard.replay.totals import Totals


def serialised(answer: Answer, examples: list[Example]) -> str:
    """One object; boundaries in the order of their sessions, each session's by time."""
    content = {
        "totals": _totals(answer, sums.of(answer)),
        "boundaries": [_boundary(file, each) for file in answer.files for each in file.boundaries],
        "files": [_file(file) for file in answer.files],
        "examples": [_example(example) for example in examples],
    }
    return json.dumps(content, indent=1) + "\n"


def _totals(answer: Answer, totals: Totals) -> dict[str, Any]:
    return {
        "transcripts": sum(not file.skipped for file in answer.files),
        "bytes": sum(file.size_bytes for file in answer.files if not file.skipped),
        "seconds": round(answer.seconds, 3),
        "sessions": totals.sessions,
        "compactions": totals.compactions,
        "copies": totals.copies,
        "judged": totals.judged,
        "from": _time(totals.first_at),
        "to": _time(totals.last_at),
        "held": totals.held,
        "held_judged": totals.held_judged,
        "rescued": totals.rescued,
        "lost_of_user": totals.lost_words,
        "carried": totals.carried,
        "redactions": totals.redactions,
        "size_median": totals.units_median,
        "cpu_ms_median": totals.cpu_ms_median,
    }


def _boundary(file: File, boundary: Boundary) -> dict[str, Any]:
    origin = file.origin
    return {
        "path": file.path,
        "session": origin.session_id if origin else None,
        "agent": file.agent,
        "agent_version": boundary.agent_version or (origin.agent_version if origin else None),
        "at": _time(boundary.at),
        "trigger": boundary.trigger,
        "is_copy": boundary.is_copy,
        "outcome": boundary.outcome,
        "reason": boundary.reason,
        "held": boundary.held,
        "rescued": boundary.rescued(),
        "carried": boundary.carried,
        "left_out": boundary.left_out,
        "redactions": boundary.redactions,
        "size": boundary.units,
        "checkpoint_bytes": boundary.checkpoint_bytes,
        "cpu_ms": boundary.cpu_ms,
    }


def _file(file: File) -> dict[str, Any]:
    return {
        "path": file.path,
        "agent": file.agent,
        "bytes": file.size_bytes,
        "boundaries": len(file.boundaries),
        "skipped": file.skipped,
        "unreadable_lines": file.unreadable,
    }


def _example(example: Example) -> dict[str, Any]:
    return {
        "compacted_at": _time(example.compacted_at),
        "agent": example.agent,
        "rank": example.statement.rank,
        "said_at": example.statement.at,
        "text": example.statement.text,
    }


def _time(at: datetime | None) -> str | None:
    return None if at is None else f"{at.isoformat(timespec='milliseconds')}Z"

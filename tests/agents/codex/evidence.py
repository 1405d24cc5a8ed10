"""What really happened, read from Codex's own files and from what reached the model.

Nothing here uses the guard's or the evaluator's code: hashes and offsets are worked out anew.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.agents.codex.model_replies import Json, text_of
from tests.agents.codex.sandbox import Sandbox


class Request(NamedTuple):
    """One request that reached the model server; `text` is all its input says to the model."""

    is_compaction: bool
    text: str


class Rollout:
    """Codex's own file of one thread, as bytes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content = path.read_bytes()

    @property
    def session(self) -> Json:
        return json.loads(self.content.partition(b"\n")[0])["payload"]

    @property
    def is_subagent(self) -> bool:
        return self.session.get("thread_source") == "subagent"

    def first_line_hash(self) -> str:
        return hashlib.sha256(self.content.partition(b"\n")[0]).hexdigest()

    def session_hash(self) -> str:
        return hashlib.sha256(f"codex:{self.session['id']}".encode()).hexdigest()

    def rows(self) -> Iterator[tuple[int, Json]]:
        """Every row with the offset of its first byte."""
        offset = 0
        for line in self.content.splitlines(keepends=True):
            yield offset, json.loads(line)
            offset += len(line)

    def boundaries(self) -> list[int]:
        """The offset of each native compaction."""
        return [offset for offset, row in self.rows() if row["type"] == "compacted"]

    def developer_texts(self) -> list[str]:
        """What hooks and Codex itself added to the context, in order."""
        payloads = [row["payload"] for _, row in self.rows() if row["type"] == "response_item"]
        return [text_of(each) for each in payloads if each.get("role") == "developer"]


def rollouts(sandbox: Sandbox) -> list[Rollout]:
    """Every thread's file, oldest first."""
    paths = sorted((sandbox.codex_home / "sessions").glob("*/*/*/rollout-*.jsonl"))
    return [Rollout(path) for path in paths]


def main_rollout(sandbox: Sandbox) -> Rollout:
    (rollout,) = (each for each in rollouts(sandbox) if not each.is_subagent)
    return rollout


def requests(sandbox: Sandbox) -> list[Request]:
    """Turns and compactions in the order they were asked for."""
    kept = (sandbox.model_folder / "requests.jsonl").read_text().splitlines()
    return [
        Request(
            is_compaction=request["is_compaction"],
            text="\n".join(text_of(item) for item in request["body"]["input"]),
        )
        for request in map(json.loads, kept)
    ]


def audit_rows(sandbox: Sandbox) -> list[Json]:
    """Every row of the audit log, in the order written."""
    files = sorted((sandbox.guard_home / "audit").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def outcomes(sandbox: Sandbox) -> list[str]:
    """The audit log as a story: `pre_compact saved`, `session_start injected`, ..."""
    return [f"{row['event']} {row['outcome']}" for row in audit_rows(sandbox)]

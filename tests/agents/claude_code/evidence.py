"""What really happened, read from the agent's own files and from what reached the model.

Nothing here uses the guard's or the evaluator's code: hashes and offsets are worked out anew.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.agents.claude_code.model_replies import Json, last_user_text
from tests.agents.claude_code.sandbox import Sandbox


class Request(NamedTuple):
    """One request that reached the model server; `text` is all it says to the model."""

    kind: str
    is_subagent: bool
    text: str
    last_user_text: str


class Boundary(NamedTuple):
    """One native compaction; `offset` is the first byte of its JSON object in the file."""

    offset: int
    trigger: str


class Transcript:
    """The agent's own file of one session, as bytes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content = path.read_bytes()

    def first_line_hash(self) -> str:
        first_line = self.content.partition(b"\n")[0].removesuffix(b"\r")
        return hashlib.sha256(first_line).hexdigest()

    def rows(self) -> Iterator[tuple[int, Json]]:
        """Every row with the offset of its first byte."""
        offset = 0
        for line in self.content.splitlines(keepends=True):
            yield offset + len(line) - len(line.lstrip()), json.loads(line)
            offset += len(line)

    def boundaries(self) -> list[Boundary]:
        return [
            Boundary(offset, row["compactMetadata"]["trigger"])
            for offset, row in self.rows()
            if row.get("subtype") == "compact_boundary"
        ]

    def attachments(self, kind: str) -> list[Json]:
        """Attachments of one type, in order."""
        found = [row.get("attachment") or {} for _, row in self.rows()]
        return [attachment for attachment in found if attachment.get("type") == kind]

    def delivered_texts(self) -> list[str]:
        """What SessionStart hooks added to the context, one text per hook output, in order."""
        return [
            "\n".join(added["content"]) for added in self.attachments("hook_additional_context")
        ]

    def hook_outputs(self) -> list[str]:
        """The whole stdout of every SessionStart(compact) hook that said something."""
        return [
            ran["stdout"]
            for ran in self.attachments("hook_success")
            if ran["hookName"] == "SessionStart:compact"
        ]


def transcripts(sandbox: Sandbox) -> list[Transcript]:
    """The main sessions' transcripts, oldest first."""
    paths = (sandbox.config / "projects").glob("*/*.jsonl")
    return [Transcript(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns)]


def only_transcript(sandbox: Sandbox) -> Transcript:
    (transcript,) = transcripts(sandbox)
    return transcript


def requests(sandbox: Sandbox) -> list[Request]:
    """Model turns and summaries in the order they were asked for; no titles and probes."""
    kept = (sandbox.model_folder / "requests.jsonl").read_text().splitlines()
    return [
        Request(
            kind=request["kind"],
            is_subagent=request["is_subagent"],
            text="\n".join(_texts(request["body"]["messages"])),
            last_user_text=last_user_text(request["body"]),
        )
        for request in map(json.loads, kept)
        if request["kind"] != "side"
    ]


def audit_rows(sandbox: Sandbox) -> list[Json]:
    """Every row of the audit log, in the order written."""
    files = sorted((sandbox.guard_home / "audit").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def outcomes(sandbox: Sandbox) -> list[str]:
    """The audit log as a story: `pre_compact saved`, `session_start injected`, ...

    A failure tells its reason, so that a run that went wrong needs no second one.
    """
    return [
        f"{row['event']} {row['outcome']}"
        + (f": {row['reason']}" if row["outcome"] == "failed" else "")
        for row in audit_rows(sandbox)
    ]


def session_hash(session_id: str) -> str:
    return hashlib.sha256(f"claude-code:{session_id}".encode()).hexdigest()


def _texts(value: object) -> Iterator[str]:
    """Every string in a nest of messages and blocks, roles and types included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)

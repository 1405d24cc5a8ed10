"""Hooks run as the agent runs them: a process of their own, a payload on stdin."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import jsonschema_rs
import pytest

from compact_guard.hook import run
from tests.hook.sweeping import NEVER, Cuts, Ended, cutting
from tests.hook.transcripts import Transcript

HOOK = Path(__file__).parents[2] / "compact_guard" / "hook" / "__main__.py"
PYTHON = os.path.realpath(sys.executable)
NAMES = {
    "pre_compact": "PreCompact",
    "session_start": "SessionStart",
    "post_compact": "PostCompact",
}
SCHEMA = json.loads(
    (files("compact_guard") / "contracts" / "audit-event.schema.json").read_text("utf-8")
)
VALIDATOR = jsonschema_rs.validator_for(SCHEMA)


class Guard:
    """A guard with a home of its own."""

    AGENT = "claude-code"

    def __init__(self, home: Path, cuts: Cuts | None = None) -> None:
        self.home = home
        self._cuts = cuts

    def command(self, event: str) -> list[str]:
        return [PYTHON, "-I", "-S", str(HOOK), self.AGENT, event]

    def cut(self, event: str, payload, k: int = NEVER, kind: str = "fail") -> Ended:
        """The hook whose k-th call of the operating system fails, or at which it dies."""
        content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        assert self._cuts is not None
        return self._cuts.run([self.AGENT, event], content, self.environment(), k, kind)

    def environment(self, **extra: str) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "COMPACT_GUARD_HOME": str(self.home), **extra}

    def run(self, event: str, payload, environment=None, **options):
        content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        if not {"stdin", "input"} & options.keys():
            options["input"] = content
        if "stdout" not in options:
            options["stdout"] = subprocess.PIPE
        return subprocess.run(
            self.command(event),
            stderr=subprocess.PIPE,
            env=self.environment(**(environment or {})),
            timeout=30,
            check=False,
            **options,
        )

    def pre_compact(self, transcript, **fields):
        return self.run("pre_compact", payload_of("pre_compact", transcript, **fields))

    def session_start(self, transcript, **fields):
        return self.run("session_start", payload_of("session_start", transcript, **fields))

    def post_compact(self, transcript, **fields):
        return self.run("post_compact", payload_of("post_compact", transcript, **fields))

    def injected_text(self, transcript, **fields) -> str:
        reply = json.loads(self.session_start(transcript, **fields).stdout)
        output = reply["hookSpecificOutput"]
        assert output["hookEventName"] == "SessionStart"
        return output["additionalContext"]

    def rows(self) -> list[dict]:
        """Every audit row, each valid under the contract and within its length."""
        rows = []
        for file in sorted((self.home / "audit").glob("*.jsonl")):
            assert file.stat().st_mode & 0o777 == 0o600
            for line in file.read_bytes().splitlines():
                assert len(line) < 4_000
                rows.append(json.loads(line))
                VALIDATOR.validate(rows[-1])
        return rows

    def last(self) -> dict:
        return self.rows()[-1]

    def checkpoints(self) -> list[Path]:
        return sorted(self.home.glob("checkpoints/*/[0-9]*.json"))


def in_this_process(guard: Guard, event: str, payload: dict, patch: pytest.MonkeyPatch) -> None:
    """The hook's run here, where a test can stand between its steps."""
    patch.setenv("COMPACT_GUARD_HOME", str(guard.home))
    patch.setattr(run, "_payload", lambda: payload)
    run._run(run.load_adapter(guard.AGENT), event)


def payload_of(event: str, transcript, **fields) -> dict:
    payload = {
        "session_id": "s1",
        "transcript_path": str(transcript) if transcript is not None else None,
        "cwd": "/home/user/project",
        "hook_event_name": NAMES[event],
    }
    match event:
        case "pre_compact":
            payload |= {"trigger": "auto", "custom_instructions": None}
        case "session_start":
            payload |= {"source": "compact", "model": "claude-opus-5-5"}
        case "post_compact":
            payload |= {"trigger": "auto", "compact_summary": "<summary>all of it</summary>"}
    return payload | fields


@pytest.fixture(scope="session")
def cuts() -> Iterator[Cuts]:
    with cutting() as process:
        yield process


@pytest.fixture
def guard(tmp_path, cuts) -> Guard:
    return Guard(tmp_path / "home", cuts)


@pytest.fixture
def transcript(tmp_path) -> Transcript:
    return Transcript(tmp_path / "s1.jsonl")


@pytest.fixture
def conversation(transcript) -> Transcript:
    return transcript.typed("Use DuckDB, never SQLite.").answered("Understood: DuckDB.")

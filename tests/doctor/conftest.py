"""A machine for `compact-guard doctor`: an installed guard, and transcripts of work after it."""

import contextlib
import io
import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from compact_guard import cli
from tests.hook.transcripts import Transcript

SESSION = "s1"


class Answer(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


class Doctor:
    """One user's home; `findings` runs the command and tells what it found, by check."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.data_home = home / "data"
        self.settings = home / ".claude" / "settings.json"

    def run(self, *arguments: str) -> Answer:
        """The command in this process: starting one costs more than what it does."""
        printed, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
            status = cli.main(arguments)
        return Answer(status, printed.getvalue(), complained.getvalue())

    def install(self, agent: str = "claude-code") -> None:
        answer = self.run("install", agent, "--yes")
        assert answer.returncode == 0, answer.stdout + answer.stderr

    def findings(self, *arguments: str) -> dict[str, dict[str, Any]]:
        """Problems and notes by their check; the exit status must agree."""
        answer = self.run("doctor", *arguments, "--json")
        told = json.loads(answer.stdout)
        problems = [finding for finding in told["findings"] if not finding["is_note"]]
        assert told["ok"] is (not problems)
        assert answer.returncode == (1 if problems else 0), answer.stderr
        assert all(finding["problem"] and finding["mend"] for finding in told["findings"])
        return {finding["check"]: finding for finding in told["findings"]}

    def edit_entry(self, event: str, **changes: object) -> None:
        """Change our entry of one event, or its group where the key is `matcher`."""
        settings = json.loads(self.settings.read_bytes())
        (group,) = settings["hooks"][event]
        for key, value in changes.items():
            (group if key == "matcher" else group["hooks"][0])[key] = value
        self.settings.write_text(json.dumps(settings))

    def command(self) -> str:
        settings = json.loads(self.settings.read_bytes())
        return settings["hooks"]["PreCompact"][0]["hooks"][0]["command"]

    def session(self, *, compactions: int, age: timedelta = timedelta()) -> Path:
        """A transcript with boundaries from now on, or from `age` ago."""
        folder = self.home / ".claude" / "projects" / "-home-user-herons"
        folder.mkdir(parents=True, exist_ok=True)
        transcript = Transcript(folder / f"{SESSION}.jsonl")
        at = datetime.now(UTC) + timedelta(seconds=2) - age
        for _ in range(compactions):
            transcript.typed("Count the herons").boundary(timestamp=at.isoformat())
        if age:
            os.utime(transcript.path, (at.timestamp(), at.timestamp()))
        return transcript.path

    def hook_ran(self, transcript: Path) -> None:
        """The agent dispatches PreCompact as it is registered."""
        payload = {
            "session_id": SESSION,
            "transcript_path": str(transcript),
            "hook_event_name": "PreCompact",
            "trigger": "auto",
        }
        subprocess.run(self.command(), shell=True, input=json.dumps(payload).encode(), check=True)


@pytest.fixture
def doctor(tmp_path, monkeypatch) -> Doctor:
    """A home without any agent's settings, and no agent on PATH."""
    doctor = Doctor(tmp_path / "home")
    doctor.home.mkdir()
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "COMPACT_GUARD_SYNTHETIC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(doctor.home))
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(doctor.data_home))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return doctor


@pytest.fixture
def installed(doctor) -> Doctor:
    doctor.install()
    return doctor

"""A machine whose guard has saved checkpoints, and the command that looks at them."""

import contextlib
import io
import json
from pathlib import Path

import pytest

from compact_guard import cli
from compact_guard.hook import identity
from tests.doctor.conftest import Answer
from tests.hook.conftest import Guard
from tests.hook.transcripts import Transcript

SAID = ("No, not the heron table: use the kingfisher table instead.", "Never deploy on Fridays.")


class Machine:
    """`compacted` saves a checkpoint as the hook does; `run` runs `compact-guard checkpoints`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.guard = Guard(folder / "guard")
        self.checkpoints = folder / "guard" / "checkpoints"
        self.stories: dict[str, Transcript] = {}

    def compacted(self, session: str = "s1", *said: str, is_delivered: bool = False) -> str:
        """The checkpoint's hash."""
        if session not in self.stories:
            self.stories[session] = Transcript(self.folder / f"{session}.jsonl", session)
        story = self.stories[session]
        for text in said or SAID:
            story.typed(text)
        self.guard.pre_compact(story.path, session_id=session)
        saved = self.guard.last()["checkpoint_hash"]
        if is_delivered:
            self.guard.session_start(story.path, session_id=session)
        story.boundary()
        return saved

    def aged(self, session: str, seconds: int) -> None:
        """As if all of the session's checkpoints had been saved so long ago."""
        for path in self.files(session):
            if path.suffix == ".json":
                content = json.loads(path.read_bytes())
                content["created_seconds"] -= seconds
                raw = json.dumps(content).encode()
                aged = path.with_name(f"{path.name[:7]}{identity.hash_bytes(raw)}.json")
                path.unlink()
                aged.write_bytes(raw)
                aged.chmod(0o600)
                for marker in path.parent.glob(f"{path.name}.*"):
                    marker.rename(f"{aged}{marker.suffix}")

    def hash_of(self, session: str) -> str:
        return identity.session_hash("claude-code", session)

    def files(self, session: str) -> list[Path]:
        return sorted((self.checkpoints / self.hash_of(session)).glob("[0-9]*"))

    def run(self, *arguments: str) -> Answer:
        printed, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
            status = cli.main(["checkpoints", *arguments])
        return Answer(status, printed.getvalue(), complained.getvalue())

    def listed(self) -> list[dict]:
        answer = self.run("list", "--json")
        assert answer.returncode == 0
        return json.loads(answer.stdout)


@pytest.fixture
def machine(tmp_path, monkeypatch) -> Machine:
    machine = Machine(tmp_path)
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(machine.guard.home))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return machine

"""A throw-away home with Claude Code, our guard and our model server in it, on loopback only."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tests.agents import needs
from tests.agents.claude_code.model_replies import WINDOW_TOKENS, Json
from tests.agents.isolation import Isolation

MODEL = "claude-opus-5-5"
ANSWER_SECONDS_MAX = 60

# What makes auto compaction proactive; without it Claude Code waits for the API's refusal.
WINDOW = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": str(WINDOW_TOKENS)}


class Sandbox:
    """One user's machine: home, project, settings, and the folder of the model server.

    As a context manager it runs the model server. Everything lives below `root`, which may
    be looked at after the session has ended.
    """

    def __init__(
        self, root: Path, isolation: Isolation, binary: Path | None = None, **environment: str
    ) -> None:
        self.root = root
        self.isolation = isolation
        self.home = root / "home"
        self.config = self.home / ".claude"
        self.project = root / "project"
        self.guard_home = root / "guard"
        self.model_folder = root / "model"
        self.environment = environment
        self.binary = binary or needs.CLAUDE_CODE.binary
        for folder in (self.config, self.project, self.model_folder):
            folder.mkdir(parents=True)
        self._write_first_run_answers()
        self.rules()

    def __enter__(self) -> "Sandbox":
        server = "tests.agents.claude_code.model_server"
        command = self.isolation.inside([sys.executable, "-m", server, self.model_folder])
        self._server = subprocess.Popen(command, cwd=needs.CHECKOUT)
        port = self.model_folder / "port"
        wait_until(port.exists, "the model server")
        self.port = port.read_text()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.terminate()
        self._server.wait()

    def rules(self, *rules: Json) -> None:
        """What the model answers from now on (model_replies.py); atomic, the server may read."""
        unfinished = self.model_folder / "rules.tmp"
        unfinished.write_text(json.dumps(rules))
        unfinished.rename(self.model_folder / "rules.json")

    def agent_environment(self) -> dict[str, str]:
        """All that the agent, and with it our hooks, see of the outside."""
        return {
            "PATH": os.pathsep.join([str(self.binary.parent), os.environ["PATH"]]),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.config),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}",
            "ANTHROPIC_API_KEY": "dummy",
            "ANTHROPIC_MODEL": MODEL,
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "COMPACT_GUARD_HOME": str(self.guard_home),
            "COMPACT_GUARD_SYNTHETIC": "1",
            **self.environment,
        }

    def compact_guard(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Our own command line, seen from this home; its output is text."""
        command = [sys.executable, "-m", "compact_guard", *map(str, arguments)]
        return subprocess.run(
            command, env=self.agent_environment(), text=True, capture_output=True, check=False
        )

    def install_guard(self, *arguments: object) -> None:
        installed = self.compact_guard("install", "claude-code", "--yes", *arguments)
        assert installed.returncode == 0, installed.stdout + installed.stderr

    def claude(self, *arguments: object) -> list[str]:
        """The command line of the agent, inside the namespace."""
        return self.isolation.inside([self.binary, *arguments])

    def ask(self, prompt: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """`claude -p PROMPT`: one process for one prompt."""
        return subprocess.run(
            self.claude("-p", prompt, *arguments),
            cwd=self.project,
            env=self.agent_environment(),
            stdin=subprocess.DEVNULL,
            text=True,
            capture_output=True,
            timeout=ANSWER_SECONDS_MAX,
            check=False,
        )

    def _write_first_run_answers(self) -> None:
        """What a user who clicked through the first dialogs has on disk."""
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        answers = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "numStartups": 5,
            "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
            "projects": {str(self.project): trusted},
        }
        (self.config / ".claude.json").write_text(json.dumps(answers))


def wait_until(
    is_so: Callable[[], object],
    what: str,
    seconds: float = 30,
    explain: Callable[[], str] = lambda: "",
) -> None:
    """Return as soon as `is_so` is true; TimeoutError with `explain()` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no {what} within {seconds:.0f} s\n{explain()}")
        time.sleep(0.05)

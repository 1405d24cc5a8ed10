"""A throw-away home with Codex, our guard and our model server in it, on loopback only."""

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from tests.agents import needs
from tests.agents.claude_code.sandbox import ANSWER_SECONDS_MAX, wait_until
from tests.agents.codex.model_replies import COMPACT_TOKENS
from tests.agents.isolation import Isolation

CONFIG = """\
model = "canned-model"
model_provider = "bench"
model_context_window = 200000
model_auto_compact_token_limit = {limit}
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.bench]
name = "bench"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "BENCH_API_KEY"
request_max_retries = 1
stream_max_retries = 1

[projects."{project}"]
trust_level = "trusted"
"""


class Sandbox:
    """One user's machine: home, project, CODEX_HOME, and the folder of the model server.

    As a context manager it runs the model server. Everything lives below `root`, which may
    be looked at after the session has ended.
    """

    def __init__(
        self,
        root: Path,
        isolation: Isolation,
        agent: needs.Agent = needs.CODEX,
        **environment: str,
    ) -> None:
        self.root = root
        self.isolation = isolation
        self.agent = agent
        self.environment = environment
        self.home = root / "home"
        self.codex_home = self.home / ".codex"
        self.project = root / "project"
        self.guard_home = root / "guard"
        self.model_folder = root / "model"
        for folder in (self.codex_home, self.project, self.model_folder):
            folder.mkdir(parents=True)

    def __enter__(self) -> "Sandbox":
        server = "tests.agents.codex.model_server"
        command = self.isolation.inside([sys.executable, "-m", server, self.model_folder])
        self._server = subprocess.Popen(command, cwd=needs.CHECKOUT)
        port = self.model_folder / "port"
        wait_until(port.exists, "the model server")
        self.config.write_text(
            CONFIG.format(limit=COMPACT_TOKENS, port=port.read_text(), project=self.project)
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.terminate()
        self._server.wait()

    @property
    def config(self) -> Path:
        return self.codex_home / "config.toml"

    @property
    def hooks(self) -> Path:
        return self.codex_home / "hooks.json"

    def agent_environment(self) -> dict[str, str]:
        """All that the agent, and with it our hooks, see of the outside."""
        return {
            "PATH": os.pathsep.join([str(self.agent.binary.parent), os.environ["PATH"]]),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "HOME": str(self.home),
            "CODEX_HOME": str(self.codex_home),
            "BENCH_API_KEY": "dummy",
            "COMPACT_GUARD_HOME": str(self.guard_home),
            "COMPACT_GUARD_SYNTHETIC": "1",
            **self.environment,
        }

    def compact_guard(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Our own command line, seen from this home and without a network; its output is text."""
        command = [sys.executable, "-m", "compact_guard", *map(str, arguments)]
        return self.run(self.isolation.inside(command))

    def install_guard(self, *arguments: str) -> None:
        installed = self.compact_guard("install", "codex", "--yes", *arguments)
        assert installed.returncode == 0, installed.stdout + installed.stderr

    def codex(self, *arguments: object) -> list[str]:
        """The command line of the agent, inside the namespace."""
        return self.isolation.inside([self.agent.binary, *arguments])

    def exec(self, prompt: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """`codex exec PROMPT`: one process for one turn."""
        return self.run(self.codex("exec", "--skip-git-repo-check", *arguments, prompt))

    def resume(self, prompt: str) -> subprocess.CompletedProcess[str]:
        """One more turn of the newest session, in a process of its own."""
        return self.exec(prompt, "resume", "--last")

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.project,
            env=self.agent_environment(),
            stdin=subprocess.DEVNULL,
            text=True,
            capture_output=True,
            timeout=ANSWER_SECONDS_MAX,
            check=False,
        )

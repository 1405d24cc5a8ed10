"""A user's machine with Codex on it."""

import subprocess
from pathlib import Path
from typing import Self

from tests.agents import needs
from tests.agents import sandbox as sandbox_of_any
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


class Sandbox(sandbox_of_any.Sandbox):
    """Home with CODEX_HOME; the model server answers by the plans in the prompts."""

    AGENT = "codex"
    MODEL_SERVER = "tests.agents.codex.model_server"

    def __init__(
        self,
        root: Path,
        isolation: Isolation,
        version: needs.Agent = needs.CODEX,
        **environment: str,
    ) -> None:
        super().__init__(root, isolation, version.binary, **environment)
        self.codex_home = self.home / ".codex"
        self.codex_home.mkdir()

    def __enter__(self) -> Self:
        super().__enter__()
        self.config.write_text(
            CONFIG.format(limit=COMPACT_TOKENS, port=self.port, project=self.project)
        )
        return self

    @property
    def config(self) -> Path:
        return self.codex_home / "config.toml"

    @property
    def hooks(self) -> Path:
        return self.codex_home / "hooks.json"

    def own_environment(self) -> dict[str, str]:
        return {"CODEX_HOME": str(self.codex_home), "BENCH_API_KEY": "dummy"}

    def exec(self, prompt: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """`codex exec PROMPT`: one process for one turn."""
        return self.run(self.agent("exec", "--skip-git-repo-check", *arguments, prompt))

    def resume(self, prompt: str) -> subprocess.CompletedProcess[str]:
        """One more turn of the newest session, in a process of its own."""
        return self.exec(prompt, "resume", "--last")

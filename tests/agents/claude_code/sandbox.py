"""A user's machine with Claude Code on it."""

import json
import subprocess
from pathlib import Path

from tests.agents import needs
from tests.agents import sandbox as sandbox_of_any
from tests.agents.claude_code.model_replies import WINDOW_TOKENS, Json
from tests.agents.isolation import Isolation

MODEL = "claude-opus-5-5"

# What makes auto compaction proactive; without it Claude Code waits for the API's refusal.
WINDOW = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": str(WINDOW_TOKENS)}


class Sandbox(sandbox_of_any.Sandbox):
    """Home with settings and answered first dialogs; the model server answers by rules."""

    AGENT = "claude-code"
    MODEL_SERVER = "tests.agents.claude_code.model_server"

    def __init__(
        self, root: Path, isolation: Isolation, binary: Path | None = None, **environment: str
    ) -> None:
        super().__init__(root, isolation, binary or needs.CLAUDE_CODE.binary, **environment)
        self.config = self.home / ".claude"
        self.config.mkdir()
        self._write_first_run_answers()
        self.rules()

    def rules(self, *rules: Json) -> None:
        """What the model answers from now on (model_replies.py); atomic, the server may read."""
        unfinished = self.model_folder / "rules.tmp"
        unfinished.write_text(json.dumps(rules))
        unfinished.rename(self.model_folder / "rules.json")

    def own_environment(self) -> dict[str, str]:
        return {
            "CLAUDE_CONFIG_DIR": str(self.config),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}",
            "ANTHROPIC_API_KEY": "dummy",
            "ANTHROPIC_MODEL": MODEL,
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def ask(self, prompt: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """`claude -p PROMPT`: one process for one prompt."""
        return self.run(self.agent("-p", prompt, *arguments))

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

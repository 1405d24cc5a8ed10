"""What driving a real agent needs on this machine, and how to get each missing piece."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.agents.isolation import UNSHARE

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
TOOLS = {"tmux": "tmux", "ip": "iproute2", "unshare": "util-linux", "nsenter": "util-linux"}
PREPARE = "python -m tests.agents.prepare"


@dataclass(frozen=True)
class Agent:
    """One pinned version of an agent: what people call it, its npm project, its native binary.

    The wrapper packages' own commands are scripts, or stubs until an install script has run;
    the tests run no install scripts, and need none.
    """

    name: str
    project: Path
    package: str
    binary_pattern: str

    @property
    def version(self) -> str:
        """The project's package.json is the only place that names it."""
        return json.loads((self.project / "package.json").read_text())["dependencies"][self.package]

    @property
    def folder(self) -> Path:
        return cache_folder() / f"{self.project.relative_to(HERE).parts[0]}-{self.version}"

    @property
    def binary(self) -> Path | None:
        """Out of the platform's own npm package, None if not installed."""
        packages = self.folder / "node_modules"
        return next(iter(sorted(packages.glob(self.binary_pattern))), None)

    def fault(self) -> str | None:
        """Why it cannot be used, None if it answers with its version."""
        if self.binary is None:
            hint = "" if shutil.which("npm") else " (install npm, which comes with Node.js, first)"
            return f"{self.name} {self.version} is not in {cache_folder()}: run `{PREPARE}`{hint}"
        answer = subprocess.run(
            [self.binary, "--version"], capture_output=True, text=True, check=False
        ).stdout
        if self.version not in answer.split():
            return (
                f"{self.binary} answers {answer.strip()!r}, not {self.version}: delete its folder"
            )
        return None


def _claude_code(project: str, pattern: str = "@anthropic-ai/claude-code-*/claude") -> Agent:
    return Agent("Claude Code", HERE / project, "@anthropic-ai/claude-code", pattern)


def _codex(project: str) -> Agent:
    return Agent("Codex", HERE / project, "@openai/codex", "@openai/codex-*/vendor/*/bin/codex")


CLAUDE_CODE = _claude_code("claude_code")
CLAUDE_CODE_OLDER = _claude_code("claude_code/2.1.236")
CLAUDE_CODE_OLD = _claude_code("claude_code/2.1.150")
# A script for Node.js. It knows no PostCompact, and skips a settings file that names one.
CLAUDE_CODE_OLDEST = _claude_code("claude_code/2.1.49", ".bin/claude")
CLAUDE_CODES = (CLAUDE_CODE, CLAUDE_CODE_OLDER, CLAUDE_CODE_OLD, CLAUDE_CODE_OLDEST)
CODEX = _codex("codex")
CODEX_OLDER = _codex("codex/0.144.6")
AGENTS = (*CLAUDE_CODES, CODEX, CODEX_OLDER)


def cache_folder() -> Path:
    """Where agents are installed: $COMPACT_GUARD_AGENTS_CACHE, else .cache/agents here."""
    return Path(os.environ.get("COMPACT_GUARD_AGENTS_CACHE") or CHECKOUT / ".cache" / "agents")


def missing_tools() -> list[str]:
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def missing() -> list[str]:
    """One sentence for each thing that is not there, empty if the tests can run."""
    found = [_tool_sentence(tool) for tool in missing_tools()]
    if not found and (refusal := _namespace_refusal()):
        found.append(
            f"network namespaces are refused here ({refusal}): run as root, or allow "
            "unprivileged user namespaces"
        )
    return found + [fault for agent in AGENTS if (fault := agent.fault()) is not None]


def is_ci() -> bool:
    """Whether a missing piece is a failure and not a reason to skip."""
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


def _tool_sentence(tool: str) -> str:
    return f"`{tool}` is not installed: as root, apt-get install {TOOLS[tool]}"


def _namespace_refusal() -> str | None:
    probe = [*UNSHARE, "ip", "link", "set", "lo", "up"]
    answer = subprocess.run(probe, capture_output=True, text=True, check=False)
    return None if answer.returncode == 0 else answer.stderr.strip()

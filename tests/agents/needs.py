"""What driving a real agent needs on this machine, and how to get each missing piece."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from tests.agents.isolation import UNSHARE

CHECKOUT = Path(__file__).resolve().parents[2]
NPM_PROJECT = Path(__file__).with_name("claude_code")
TOOLS = {"tmux": "tmux", "ip": "iproute2", "unshare": "util-linux", "nsenter": "util-linux"}
PREPARE = "python -m tests.agents.prepare"


def claude_code_version() -> str:
    """The pinned version; package.json is the only place that names it."""
    project = json.loads((NPM_PROJECT / "package.json").read_text())
    return project["dependencies"]["@anthropic-ai/claude-code"]


def cache_folder() -> Path:
    """Where agents are installed: $COMPACT_GUARD_AGENTS_CACHE, else .cache/agents here."""
    return Path(os.environ.get("COMPACT_GUARD_AGENTS_CACHE") or CHECKOUT / ".cache" / "agents")


def claude_code_folder() -> Path:
    return cache_folder() / f"claude_code-{claude_code_version()}"


def claude_code_binary() -> Path | None:
    """The native binary out of the platform's own npm package, None if not installed.

    The wrapper package's `claude` is a stub until its install script has run; the tests
    run no install scripts, and need none.
    """
    packages = claude_code_folder() / "node_modules" / "@anthropic-ai"
    return next(iter(sorted(packages.glob("claude-code-*/claude"))), None)


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
    if (wrong := claude_code_fault()) is not None:
        found.append(wrong)
    return found


def claude_code_fault() -> str | None:
    """Why the pinned Claude Code cannot be used, None if it answers with its version."""
    version, binary = claude_code_version(), claude_code_binary()
    if binary is None:
        hint = "" if shutil.which("npm") else " (install npm, which comes with Node.js, first)"
        return f"Claude Code {version} is not in {cache_folder()}: run `{PREPARE}`{hint}"
    answer = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False)
    if answer.stdout.split()[:1] != [version]:
        return f"{binary} answers {answer.stdout.strip()!r}, not {version}: delete its folder"
    return None


def is_ci() -> bool:
    """Whether a missing piece is a failure and not a reason to skip."""
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


def _tool_sentence(tool: str) -> str:
    return f"`{tool}` is not installed: as root, apt-get install {TOOLS[tool]}"


def _namespace_refusal() -> str | None:
    probe = [*UNSHARE, "ip", "link", "set", "lo", "up"]
    answer = subprocess.run(probe, capture_output=True, text=True, check=False)
    return None if answer.returncode == 0 else answer.stderr.strip()

"""Where Claude Code leaves hook output that is too long for a context. Facts: README.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

AGENT = "claude-code"


def files(environment: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Every such file of any hook, and the id of its session."""
    configured = environment.get("CLAUDE_CONFIG_DIR")
    home = Path(configured) if configured else Path.home() / ".claude"
    for file in home.glob("projects/*/*/tool-results/hook-*.txt"):
        yield file, file.parent.parent.name

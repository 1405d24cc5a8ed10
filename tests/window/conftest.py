"""What several tests of the window study begin with."""

import pytest

from compact_guard.agents.claude_code import settings
from tests.window.homes import Home


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Claude Code's; whatever else tells of settings is elsewhere, and empty."""
    monkeypatch.setattr(settings, "managed_files", list)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path / "guard"))
    return Home(tmp_path / "claude")

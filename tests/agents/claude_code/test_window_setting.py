"""A window that a person chooses in Claude Code: where it is left, and that we find it there."""

import pytest

from compact_guard.agents.claude_code import window_restore, window_settings
from compact_guard.window.setting import UNSET, Setting, SettingChange
from tests.agents.claude_code.sandbox import MODEL, Sandbox
from tests.agents.claude_code.terminal import terminal

pytestmark = pytest.mark.agents


@pytest.fixture
def chosen(tmp_path, isolation):
    """A user who typed `/autocompact 200k`, then 300k; no variable of the environment overrules."""
    with Sandbox(tmp_path / "machine", isolation) as sandbox:
        with terminal(sandbox) as window:
            for size in ("200k", "300k"):
                window.type(f"/autocompact {size}")
                window.wait_for(f"set to {size} tokens")
            window.leave()
        yield sandbox


def test_a_typed_window_is_found_in_settings_and_among_what_was_typed(chosen):
    typed = list(window_settings.commands({"CLAUDE_CONFIG_DIR": str(chosen.config)}))
    settings = (chosen.config / "settings.json").read_bytes()
    words = f"modelSettings.{MODEL}.autoCompactWindow = 300000"

    assert [one.setting.begins_at for one in typed] == [167_000, 267_000]
    assert window_settings.settings_in(settings) == {None: UNSET, MODEL: Setting(267_000, words)}


def test_what_is_restored_is_what_claude_code_would_have_written(chosen):
    before, after = window_settings.commands({"CLAUDE_CONFIG_DIR": str(chosen.config)})
    change = SettingChange(
        "claude-code", after.at, None, before.setting, after.setting, None, None, None, ""
    )
    settings = (chosen.config / "settings.json").read_bytes()

    restored = window_restore.restored(settings, change)

    assert restored == settings.replace(b"300000", b"200000")

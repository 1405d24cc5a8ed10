"""Claude Code's settings file: where it is, what goes in, what keeps hooks from running."""

import json
from pathlib import Path

import pytest

from compact_guard.agents import registry
from compact_guard.agents.claude_code import settings
from compact_guard.install import hook_block, installed_program


def command(event: str) -> str:
    return f"python compact_guard/hook/__main__.py claude-code {event}"


@pytest.fixture
def user_file(tmp_path, monkeypatch) -> Path:
    """The user's settings path; no managed settings of this machine are read."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(settings, "managed_files", lambda: [tmp_path / "managed.json"])
    (tmp_path / ".claude").mkdir()
    return tmp_path / ".claude" / "settings.json"


def warnings(path: Path, version: str | None = "2.1.332") -> list[str]:
    return settings.warnings(path, version, {})


def has_claude(folder: Path, script: str) -> dict[str, str]:
    """A PATH on which `claude` is this shell script."""
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"PATH": str(folder)}


def test_the_users_file_is_below_the_home_folder(user_file):
    assert settings.settings_path(None, {}) == user_file
    assert settings.settings_path(None, {"CLAUDE_CONFIG_DIR": ""}) == user_file


def test_the_configured_folder_comes_first(user_file, tmp_path):
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}

    assert settings.settings_path(None, environment) == tmp_path / "elsewhere" / "settings.json"


def test_a_project_has_a_file_of_its_own_wherever_the_users_is(tmp_path):
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere")}

    found = settings.settings_path(tmp_path / "project", environment)

    assert found == tmp_path / "project" / ".claude" / "settings.json"


@pytest.mark.parametrize("version", [None, "2.1.76", "2.1.332", "3.0.0"])
def test_the_three_compaction_events_are_registered_and_no_other(version):
    added, _ = hook_block.add("{}", settings.registrations(command, version))

    assert json.loads(added) == {
        "hooks": {
            "PreCompact": [{"hooks": [entry("pre_compact")]}],
            "SessionStart": [{"matcher": "compact", "hooks": [entry("session_start")]}],
            "PostCompact": [{"hooks": [entry("post_compact")]}],
        }
    }


def entry(event: str) -> dict:
    return {"type": "command", "command": command(event), "timeout": 30}


@pytest.mark.parametrize("version", ["2.1.75", "2.0.76", "1.0.128"])
def test_a_version_that_would_reject_the_whole_file_gets_no_post_compact(version, user_file):
    events = [wanted.event for wanted in settings.registrations(command, version)]

    assert events == ["PreCompact", "SessionStart"]
    assert any("install again" in warning for warning in warnings(user_file, version))


def test_an_unknown_version_is_warned_of(user_file):
    assert any("version is unknown" in warning for warning in warnings(user_file, None))


@pytest.mark.parametrize(
    ("script", "version"),
    [
        ("echo '2.1.332 (Claude Code)'", "2.1.332"),
        ("echo broken; exit 1", None),
        ("exec sleep 60", None),
    ],
)
def test_the_version_is_what_the_program_on_the_path_says(script, version, tmp_path, monkeypatch):
    monkeypatch.setattr(installed_program, "VERSION_SECONDS_MAX", 0.5)

    assert settings.installed_version(has_claude(tmp_path, script)) == version


def test_a_program_that_only_an_alias_reaches_is_asked_too(user_file):
    (user_file.parent / "local").mkdir()
    has_claude(user_file.parent / "local", "echo 2.1.49")

    assert settings.installed_version({"PATH": "/nowhere"}) == "2.1.49"


def test_without_a_program_there_is_no_version(tmp_path, user_file):
    assert settings.installed_version({"PATH": str(tmp_path)}) is None
    assert settings.installed_version({}) is None


def test_ordinary_settings_raise_no_warning(user_file):
    user_file.write_text('{"disableAllHooks": false, "model": "opus"}')

    assert warnings(user_file) == []


@pytest.mark.parametrize("switch", ["disableAllHooks", "allowManagedHooksOnly"])
@pytest.mark.parametrize(
    "name", [".claude/settings.json", ".claude/settings.local.json", "managed.json"]
)
def test_a_switch_that_stops_hooks_is_warned_of(switch, name, user_file, tmp_path):
    (tmp_path / name).write_text(json.dumps({switch: True}))

    (warning,) = warnings(user_file)

    assert warning == f'{tmp_path / name} sets "{switch}": the hooks will NOT run while it does.'


@pytest.mark.parametrize(("value", "count"), [(True, 1), (["hooks"], 1), (["skills"], 0)])
def test_a_policy_for_plugins_only_is_warned_of(value, count, user_file, tmp_path):
    (tmp_path / "managed.json").write_text(json.dumps({"strictPluginOnlyCustomization": value}))

    assert len(warnings(user_file)) == count


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"[" * 100_000])
def test_unreadable_files_beside_it_raise_no_warning_and_no_error(content, user_file, tmp_path):
    (tmp_path / "managed.json").write_bytes(content)

    assert warnings(user_file) == []


def test_other_files_that_the_agent_reads_in_the_same_sessions(user_file, tmp_path):
    plugin = user_file.parent / "plugins" / "cache" / "market" / "guard" / "hooks" / "hooks.json"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("{}")
    project = settings.settings_path(tmp_path / "project", {})

    found = list(settings.other_places(project, {}))

    assert found == [user_file, project.with_name("settings.local.json"), plugin]


def test_the_registry_gives_every_agent_its_settings_module():
    assert [registry.settings_of(agent).AGENT for agent in registry.AGENTS] == list(registry.AGENTS)
    with pytest.raises(ValueError, match="unknown agent"):
        registry.settings_of("nobody")

"""What doctor says of entries for another version, of options, and of a second registration."""

import json
import shutil
from pathlib import Path

from tests.doctor.conftest import Doctor


def claude_is(machine: Doctor, version: str, monkeypatch) -> None:
    """A `claude` on PATH that says it is this version."""
    program = machine.home / "bin" / "claude"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def project_with_hooks(machine: Doctor) -> Path:
    project = machine.home / "herons"
    project.mkdir()
    assert machine.run("install", "claude-code", "--yes", "--project", str(project)).returncode == 0
    return project


def test_after_a_downgrade_the_whole_file_is_skipped(installed, monkeypatch):
    claude_is(installed, "2.1.49", monkeypatch)

    finding = installed.findings("claude-code")["unwanted_entry"]
    assert "2.1.49 does not know PostCompact and skips the whole file" in finding["problem"]
    assert finding["mend"] == "run `compact-guard install claude-code`"

    installed.install()
    assert list(json.loads(installed.settings.read_bytes())["hooks"]) == [
        "PreCompact",
        "SessionStart",
    ]
    assert "unwanted_entry" not in installed.findings("claude-code")


def test_after_an_upgrade_the_receipts_are_missed(doctor, monkeypatch):
    claude_is(doctor, "2.1.49", monkeypatch)
    doctor.install()
    claude_is(doctor, "2.1.332", monkeypatch)

    finding = doctor.findings("claude-code")["entry"]
    assert "no entry of ours for PostCompact" in finding["problem"]

    doctor.install()
    assert "entry" not in doctor.findings("claude-code")


def test_an_entry_that_no_option_asks_for_is_found(installed):
    installed.run("install", "claude-code", "--yes", "--notice")
    assert "unwanted_entry" not in installed.findings()
    config = json.loads((installed.data_home / "config.json").read_bytes())
    (installed.data_home / "config.json").write_text(json.dumps(config | {"behaviour": {}}))

    assert "Stop" in installed.findings()["unwanted_entry"]["problem"]
    installed.install()
    assert "unwanted_entry" not in installed.findings()


def test_the_hooks_of_a_project_beside_the_users_are_found_from_both_sides(installed):
    project = project_with_hooks(installed)

    of_user = installed.findings("claude-code")["registered_twice"]
    of_project = installed.findings("claude-code", "--project", str(project))["registered_twice"]

    assert str(project / ".claude" / "settings.json") in of_user["problem"]
    assert of_user["mend"] == f"run `compact-guard uninstall claude-code --project '{project}'`"
    assert str(installed.settings) in of_project["problem"]
    installed.run("uninstall", "claude-code", "--yes", "--project", str(project))
    assert "registered_twice" not in installed.findings("claude-code")


def test_two_projects_are_no_second_registration(doctor):
    project = project_with_hooks(doctor)
    other = doctor.home / "cranes"
    other.mkdir()
    doctor.run("install", "claude-code", "--yes", "--project", str(other))

    assert "registered_twice" not in doctor.findings("claude-code", "--project", str(project))


def test_the_same_hooks_in_local_settings_and_in_a_plugin_are_found(installed):
    local = installed.settings.with_name("settings.local.json")
    shutil.copyfile(installed.settings, local)
    assert "by hand" in installed.findings("claude-code")["registered_twice"]["mend"]
    local.unlink()

    plugin = installed.settings.parent / "plugins" / "guard" / "hooks" / "hooks.json"
    plugin.parent.mkdir(parents=True)
    shutil.copyfile(installed.settings, plugin)
    assert str(plugin) in installed.findings("claude-code")["registered_twice"]["problem"]


def test_install_tells_of_a_second_registration(installed):
    project = installed.home / "herons"
    project.mkdir()

    planned = installed.run("install", "claude-code", "--dry-run", "--project", str(project))

    assert f"Warning: {installed.settings} has the hooks too" in planned.stdout


def test_codex_hooks_in_its_config_are_a_second_registration(doctor):
    doctor.install("codex")
    config = doctor.home / ".codex" / "config.toml"
    config.write_text("[hooks]\n# python compact_guard/hook/__main__.py codex pre_compact\n")

    assert str(config) in doctor.findings("codex")["registered_twice"]["problem"]


def test_status_names_the_options(installed):
    installed.run("install", "claude-code", "--yes", "--preserve", "--notice")

    assert "settings.json, --preserve, --notice\n" in installed.run("status").stdout
    told = json.loads(installed.run("status", "--json").stdout)
    assert told["installed"][0]["options"] == ["preserve", "notice"]

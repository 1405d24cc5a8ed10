"""`compact-guard doctor` finds what keeps the hooks from working, and says how to mend it."""

import json
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest


def test_a_fresh_installation_is_well(installed):
    assert set(installed.findings("claude-code")) == {"activity"}
    assert installed.findings("claude-code")["activity"]["is_note"]
    assert "All is well." in installed.run("doctor").stdout


def test_without_any_hooks_something_is_wrong(doctor):
    assert not doctor.findings()["not_installed"]["is_note"]
    assert "install claude-code" in doctor.findings("claude-code")["not_installed"]["mend"]


def test_an_agent_without_hooks_is_a_note_where_another_has_them(installed):
    assert installed.findings()["not_installed"]["is_note"]


def test_every_problem_is_printed_with_its_mend(installed):
    (installed.data_home / "audit").chmod(0o755)

    answer = installed.run("doctor", "claude-code")
    assert answer.returncode == 1
    assert "open to others (mode 755)" in answer.stdout
    assert f"-> chmod 700 '{installed.data_home}/audit'" in answer.stdout
    assert "1 wrong." in answer.stdout


class TestEntries:
    @pytest.mark.parametrize("matcher", ["startup", "startup|resume|clear", "("])
    def test_a_matcher_without_compact(self, installed, matcher):
        installed.edit_entry("SessionStart", matcher=matcher)
        assert "compact" in installed.findings()["matcher"]["problem"]

    @pytest.mark.parametrize("matcher", ["", "*", "startup|compact", ".*"])
    def test_a_matcher_that_takes_more_is_fine(self, installed, matcher):
        installed.edit_entry("SessionStart", matcher=matcher)
        assert "matcher" not in installed.findings()

    def test_a_matcher_where_every_compaction_should_run_it(self, installed):
        installed.edit_entry("PreCompact", matcher="manual")
        assert "some compactions" in installed.findings()["matcher"]["problem"]

    def test_an_event_that_is_not_registered(self, installed):
        settings = json.loads(installed.settings.read_bytes())
        del settings["hooks"]["SessionStart"]
        installed.settings.write_text(json.dumps(settings))
        assert "SessionStart" in installed.findings()["entry"]["problem"]

    def test_an_event_that_is_registered_twice(self, installed):
        settings = json.loads(installed.settings.read_bytes())
        settings["hooks"]["PreCompact"] *= 2
        installed.settings.write_text(json.dumps(settings))
        assert "2 entries" in installed.findings()["entry"]["problem"]

    def test_an_interpreter_that_vanished(self, installed):
        command = installed.command().replace(sys.executable, "/nowhere/python")
        installed.edit_entry("PreCompact", command=command)
        assert "/nowhere/python" in installed.findings()["interpreter"]["problem"]

    def test_code_that_vanished(self, installed):
        command = installed.command().replace("/compact_guard/hook/", "/gone/compact_guard/hook/")
        installed.edit_entry("PreCompact", command=command)
        assert "gone" in installed.findings()["code"]["problem"]

    def test_an_entry_of_another_installation(self, installed):
        other = installed.home / "other" / "compact_guard" / "hook" / "__main__.py"
        other.parent.mkdir(parents=True)
        other.write_text("")
        package = Path(shutil.which("python3") or sys.executable)
        command = f"{package} -I -S {other} claude-code pre_compact || exit 0"
        installed.edit_entry("PreCompact", command=command)
        assert str(other) in installed.findings()["other_installation"]["problem"]

    def test_a_command_that_cannot_be_read(self, installed):
        installed.edit_entry("PreCompact", command='python "compact_guard/hook/__main__.py')
        assert "command" in installed.findings()

    def test_hooks_that_are_switched_off(self, installed):
        settings = json.loads(installed.settings.read_bytes())
        installed.settings.write_text(json.dumps({**settings, "disableAllHooks": True}))
        assert "disableAllHooks" in installed.findings()["switched_off"]["problem"]

    def test_settings_that_do_not_parse_are_named_with_the_place(self, installed):
        installed.settings.write_text('{\n "hooks": {},\n}\n')
        assert "line 2" in installed.findings()["settings"]["problem"]


class TestFolders:
    def test_a_config_that_is_missing(self, installed):
        (installed.data_home / "config.json").unlink()
        assert "config.json" in installed.findings()["config"]["problem"]
        installed.install()
        assert "config" not in installed.findings()

    def test_a_data_home_that_is_missing(self, installed):
        shutil.rmtree(installed.data_home)
        assert "config" in installed.findings()

    @pytest.mark.parametrize("name", ["", "audit", "checkpoints"])
    @pytest.mark.parametrize(
        ("mode", "check"), [(0o755, "permissions"), (0o701, "permissions"), (0o500, "unwritable")]
    )
    def test_a_folder_with_wrong_permissions(self, installed, name, mode, check):
        folder = installed.data_home / name
        folder.chmod(mode)
        finding = installed.findings()[check]
        assert str(folder) in finding["problem"]

        subprocess.run(finding["mend"], shell=True, check=True)
        assert check not in installed.findings()

    def test_a_folder_that_is_a_link(self, installed):
        folder = installed.data_home / "audit"
        folder.rename(installed.home / "elsewhere")
        folder.symlink_to(installed.home / "elsewhere")
        assert "no folder" in installed.findings()["folder"]["problem"]

    def test_an_audit_log_that_others_can_read(self, installed):
        log = installed.data_home / "audit" / "2026-11-30.jsonl"
        log.write_text("")
        log.chmod(0o644)
        finding = installed.findings()["permissions"]

        subprocess.run(finding["mend"], shell=True, check=True)
        assert "permissions" not in installed.findings()


class TestActivity:
    def test_hooks_that_never_fired(self, installed):
        installed.session(compactions=2)
        finding = installed.findings()["never_fired"]
        assert "installation: 2," in finding["problem"]
        assert "restart sessions" in finding["mend"]

    def test_some_compactions_without_a_row(self, installed):
        installed.hook_ran(installed.session(compactions=3))
        assert "2 of 3" in installed.findings()["missing_rows"]["problem"]

    def test_compactions_with_their_rows(self, installed):
        installed.hook_ran(installed.session(compactions=1))
        assert installed.findings("claude-code") == {}

    def test_what_was_before_the_installation_is_no_matter(self, installed):
        installed.session(compactions=2, age=timedelta(days=1))
        assert set(installed.findings("claude-code")) == {"activity"}


def test_it_needs_no_package_beside_the_standard_library(installed):
    """As a base install runs it: without site-packages."""
    answer = subprocess.run(
        [sys.executable, "-S", "-m", "compact_guard", "doctor", "claude-code"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr

"""`compact-guard selftest`: well when the hooks work, and for each thing that can break, red."""

import json
import subprocess

import pytest

from compact_guard.selftest import staged_checks, staged_run
from tests.doctor.conftest import Doctor
from tests.doctor.test_codex import approve_all
from tests.hook.conftest import VALIDATOR

MARK = "# compact_guard/hook/__main__.py"


def wrong(machine: Doctor, *arguments: str) -> dict[str, dict]:
    """What failed, by check; exit status, JSON and mends must agree."""
    answer = machine.run("selftest", *arguments, "--json")
    told = json.loads(answer.stdout)
    checks = [check for result in told["agents"] for check in result["checks"]]
    failed = {check["check"]: check for check in checks if not check["ok"]}
    assert told["ok"] is (not failed)
    assert answer.returncode == (1 if failed else 0)
    assert all(bool(check["mend"]) is not check["ok"] and check["told"] for check in checks)
    return failed


def rows(machine: Doctor) -> list[dict]:
    logs = sorted((machine.data_home / "audit").glob("*.jsonl"))
    return [json.loads(line) for log in logs for line in log.read_bytes().splitlines()]


def break_hook(machine: Doctor, event: str, command: str) -> None:
    """Run `command` in the hook's place; HOOK stands for the hook itself, HOME for our folder."""
    settings = json.loads(machine.settings.read_bytes())
    hook = settings["hooks"][event][0]["hooks"][0]["command"]
    command = command.replace("HOOK", f"({hook})").replace("HOME", str(machine.data_home))
    machine.edit_entry(event, command=f"{command} {MARK}")


def test_installed_hooks_do_what_they_promise(installed):
    answer = installed.run("selftest")

    assert answer.returncode == 0
    assert answer.stdout.count("ok     claude-code: ") == 12
    assert answer.stdout.endswith("The hooks do what they promise.\n")


def test_its_rows_are_synthetic_valid_and_in_the_users_log_and_nothing_else_stays(installed):
    assert wrong(installed) == {}

    written = rows(installed)
    outcomes = [row["outcome"] for row in written]
    assert outcomes == ["saved", "injected", "already_used", "recorded"]
    assert {row["origin"] for row in written} == {"synthetic"}
    assert all(VALIDATOR.is_valid(row) for row in written)
    assert list((installed.data_home / "checkpoints").glob("[0-9a-f]*")) == []


def test_codex_is_driven_in_its_own_order(doctor):
    doctor.settings = doctor.home / ".codex" / "hooks.json"
    doctor.install("codex")
    assert set(wrong(doctor, "codex")) == {"allowed"}

    approve_all(doctor, trusted_hash="sha256:00")
    assert wrong(doctor) == {}
    outcomes = [row["outcome"] for row in rows(doctor)]
    assert outcomes[-4:] == ["saved", "recorded", "injected", "already_used"]


def test_two_runs_do_not_disturb_each_other(installed):
    assert wrong(installed) == wrong(installed) == {}


def test_without_hooks_there_is_nothing_to_test(doctor):
    assert "install" in wrong(doctor)["registered"]["mend"]
    assert "pre_compact" in wrong(doctor, "claude-code")["registered"]["told"]


def test_settings_that_cannot_be_read_are_bad_usage(installed):
    installed.settings.write_text("{")
    assert installed.run("selftest", "claude-code").returncode == 2


def test_a_matcher_that_leaves_out_compactions(installed):
    installed.edit_entry("SessionStart", matcher="startup")
    assert "session_start" in wrong(installed)["registered"]["told"]


def test_hooks_that_are_switched_off(installed):
    settings = json.loads(installed.settings.read_bytes()) | {"disableAllHooks": True}
    installed.settings.write_text(json.dumps(settings))
    assert set(wrong(installed)) == {"allowed"}


@pytest.mark.parametrize(
    ("event", "command", "check"),
    [
        ("PreCompact", "HOOK; exit 3", "exit_status"),
        ("PreCompact", "echo hello; HOOK", "silence"),
        ("PostCompact", "HOOK; echo hello", "silence"),
        ("SessionStart", "HOOK; echo hello", "silence"),
        ("PostCompact", "true", "rows"),
        ("PreCompact", "unset COMPACT_GUARD_SYNTHETIC; HOOK", "rows"),
        ("PreCompact", "COMPACT_GUARD_HOME=HOME/other; export COMPACT_GUARD_HOME; HOOK", "rows"),
        ("PostCompact", "HOOK; sed -i '$s/.$//' HOME/audit/*.jsonl", "rows"),
        ("SessionStart", "true", "delivery"),
        ("SessionStart", "HOOK; rm -f HOME/checkpoints/*/*.used", "delivery"),
        ("SessionStart", "HOOK | sed s/kingfisher/heron/", "content"),
        ("SessionStart", "HOOK | sed s/kingfisher/$(printf %9900d 0 | tr ' ' k)/", "limit"),
        ("SessionStart", "HOOK | sed 's/redacted:/kept:/'", "redaction"),
        ("PreCompact", "HOOK; cp *.jsonl HOME/checkpoints/*/", "redaction"),
        ("PreCompact", "HOOK; cat *.jsonl >> HOME/audit/0-a.jsonl", "redaction"),
        ("PreCompact", "HOOK; cat *.jsonl >&2", "redaction"),
        ("PostCompact", "HOOK; chmod 644 HOME/audit/*", "privacy"),
        ("PostCompact", "HOOK; chmod 755 HOME/checkpoints", "privacy"),
        ("PostCompact", "HOOK; rm -r HOME/audit", "privacy"),
    ],
)
def test_whatever_breaks_is_seen(installed, event, command, check):
    break_hook(installed, event, command)
    assert check in wrong(installed)


def test_a_hook_that_never_ends_is_ended(installed, monkeypatch):
    monkeypatch.setattr(staged_run, "_SECONDS_MAX", 0.3)
    break_hook(installed, "PostCompact", "sleep 61.25; true")

    assert "did not end" in wrong(installed)["exit_status"]["told"]
    assert subprocess.run(["pgrep", "-f", "sleep 61.25"], check=False).returncode == 1


def test_a_slow_hook_is_seen(installed, monkeypatch):
    monkeypatch.setattr(staged_checks, "DEADLINE_SECONDS", 0.001)
    assert set(wrong(installed)) == {"time"}


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_what_was_chosen_at_install_is_part_of_the_promise(doctor, agent):
    wanted = ["--notice"] + ["--preserve"] * (agent == "claude-code")
    assert doctor.run("install", agent, "--yes", *wanted).returncode == 0
    if agent == "codex":
        doctor.settings = doctor.home / ".codex" / "hooks.json"
        approve_all(doctor, trusted_hash="sha256:0")

    assert wrong(doctor, agent) == {}
    assert "notice" in doctor.run("selftest", agent).stdout


def test_an_option_that_prints_nothing_is_found(installed):
    installed.run("install", "claude-code", "--yes", "--preserve", "--notice")
    break_hook(installed, "PreCompact", "HOOK > /dev/null; exit 0")
    assert "--preserve was chosen" in wrong(installed)["options"]["told"]


def test_a_line_that_nobody_asked_for_is_found(installed):
    break_hook(installed, "PostCompact", """HOOK; echo '{"systemMessage": "compact-guard: 1"}';""")
    assert "post_compact printed" in wrong(installed)["silence"]["told"]

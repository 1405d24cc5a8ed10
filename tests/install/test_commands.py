"""`compact-guard install` and `uninstall` as a person runs them, the real hook included."""

import json
import os
import pty
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest

OLD = b'{\r\n\t"model": "opus",\r\n\t"env": {"A": "\\u00e9"}\r\n}'
QUESTION = b"Write this? [y/N] "
SECONDS_MAX = 30


def compact_guard(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "compact_guard", *arguments],
        env={**os.environ, **environment},
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
    )


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        self.shown = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "compact_guard", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            # Started in the background these tests ignore Ctrl-C, and so would the command.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )
        os.close(slave)

    def read_until(self, awaited: bytes) -> None:
        deadline = time.monotonic() + SECONDS_MAX
        while awaited not in self.shown:
            self.shown += self._read(deadline)

    def answer(self, keys: bytes) -> int:
        """Type at the question; the exit status."""
        self.read_until(QUESTION)
        os.write(self.master, keys)
        return self.wait()

    def _read(self, deadline: float) -> bytes:
        ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            self.process.kill()
        assert ready, self.shown
        return os.read(self.master, 65536)

    def wait(self) -> int:
        deadline = time.monotonic() + SECONDS_MAX
        try:
            while chunk := self._read(deadline):
                self.shown += chunk
        except OSError:  # Linux reports the other side's end as an error
            pass
        os.close(self.master)
        return self.process.wait(SECONDS_MAX)


@pytest.fixture(autouse=True)
def no_agent_on_the_path(machine, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("TERM", "xterm")


def has_the_hooks(path) -> bool:
    return path.exists() and b"compact_guard/hook/__main__.py" in path.read_bytes()


def test_install_and_uninstall_on_a_fresh_machine(machine):
    installed = compact_guard("install", "claude-code", "--yes")

    assert installed.returncode == 0, installed.stderr
    assert has_the_hooks(machine.settings)
    assert "compact-guard evaluate" in installed.stdout
    assert "restart them" in installed.stdout

    uninstalled = compact_guard("uninstall", "claude-code", "--yes")

    assert uninstalled.returncode == 0, uninstalled.stderr
    assert not machine.settings.parent.exists()
    assert f"rm -r {shlex.quote(str(machine.data_home))}" in uninstalled.stdout
    assert (machine.data_home / "config.json").is_file()


def test_existing_settings_come_back_byte_for_byte(machine):
    path = machine.has_settings(OLD)

    compact_guard("install", "claude-code", "--yes")
    assert has_the_hooks(path)
    assert list(json.loads(path.read_bytes())) == ["model", "env", "hooks"]

    compact_guard("uninstall", "claude-code", "--yes")
    assert path.read_bytes() == OLD


def test_the_installed_command_runs_as_the_agent_runs_it(machine):
    compact_guard("install", "claude-code", "--yes")
    groups = json.loads(machine.settings.read_bytes())["hooks"]["PreCompact"]
    payload = {"session_id": "s1", "hook_event_name": "PreCompact", "trigger": "manual"}

    finished = subprocess.run(
        ["/bin/sh", "-c", groups[0]["hooks"][0]["command"]],
        input=json.dumps(payload).encode(),
        check=False,
        capture_output=True,
        timeout=SECONDS_MAX,
    )

    assert (finished.returncode, finished.stdout) == (0, b"")
    (log,) = (machine.data_home / "audit").iterdir()
    row = json.loads(log.read_bytes())
    host = json.loads((machine.data_home / "config.json").read_bytes())["host"]
    assert (row["event"], row["host"]) == ("pre_compact", host)


def test_a_second_installation_has_nothing_to_do(machine):
    compact_guard("install", "claude-code", "--yes")
    once = machine.settings.read_bytes()

    again = compact_guard("install", "claude-code")

    assert again.returncode == 0
    assert "already has the hooks" in again.stdout
    assert machine.settings.read_bytes() == once


def test_a_second_installation_mends_a_data_home_that_was_deleted(machine):
    compact_guard("install", "claude-code", "--yes")
    shutil.rmtree(machine.data_home)

    compact_guard("install", "claude-code", "--dry-run")
    assert not machine.data_home.exists()

    compact_guard("install", "claude-code")
    assert (machine.data_home / "config.json").is_file()


def test_the_host_id_outlives_uninstall_and_install(machine):
    compact_guard("install", "claude-code", "--yes")
    config = (machine.data_home / "config.json").read_bytes()
    compact_guard("uninstall", "claude-code", "--yes")
    compact_guard("install", "claude-code", "--yes")

    assert (machine.data_home / "config.json").read_bytes() == config


def test_a_dry_run_shows_the_plan_and_writes_nothing(machine):
    path = machine.has_settings(OLD)

    shown = compact_guard("install", "claude-code", "--dry-run", "--yes")

    assert shown.returncode == 0
    for part in ('+\t"hooks"', str(machine.data_home / "backups"), "audit/", "checkpoints/"):
        assert part in shown.stdout
    assert "nothing was written" in shown.stdout
    assert path.read_bytes() == OLD
    assert not machine.data_home.exists()


def test_a_dry_run_of_uninstall_writes_nothing(machine):
    compact_guard("install", "claude-code", "--yes")
    before = sorted(machine.root.rglob("*")), machine.settings.read_bytes()

    shown = compact_guard("uninstall", "claude-code", "--dry-run")

    assert '-  "hooks"' in shown.stdout
    assert (sorted(machine.root.rglob("*")), machine.settings.read_bytes()) == before


def test_where_nobody_can_be_asked_install_writes_nothing_without_yes(machine):
    path = machine.has_settings(OLD)

    refused = compact_guard("install", "claude-code")

    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert path.read_bytes() == OLD
    assert not machine.data_home.exists()


def test_where_nobody_can_be_asked_uninstall_writes_nothing_without_yes(machine):
    compact_guard("install", "claude-code", "--yes")

    refused = compact_guard("uninstall", "claude-code")

    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert has_the_hooks(machine.settings)


def test_uninstalling_what_is_not_installed_is_no_error(machine):
    finished = compact_guard("uninstall", "claude-code")

    assert finished.returncode == 0
    assert "has no hooks of compact-guard" in finished.stdout
    assert not machine.data_home.exists()


@pytest.mark.parametrize("where", [["DIR"], []])
def test_a_projects_settings_can_be_chosen(machine, monkeypatch, where):
    project = machine.root / "a project"
    project.mkdir()
    monkeypatch.chdir(project)
    choice = ["--project", *(str(project) for _ in where)]

    installed = compact_guard("install", "claude-code", *choice, "--yes")

    assert installed.returncode == 0, installed.stderr
    assert has_the_hooks(project / ".claude" / "settings.json")
    assert not machine.settings.exists()
    assert "do not commit them" in installed.stdout

    compact_guard("uninstall", "claude-code", *choice, "--yes")
    assert list(project.iterdir()) == []


def test_a_project_that_is_not_there_is_refused(machine):
    refused = compact_guard("install", "claude-code", "--yes", "--project", "nowhere")

    assert (refused.returncode, refused.stderr) == (
        2,
        "compact-guard: --project nowhere: no such folder\n",
    )


def test_the_configured_folder_of_the_agent_is_used(machine):
    folder = machine.root / "configured"

    compact_guard("install", "claude-code", "--yes", CLAUDE_CONFIG_DIR=str(folder))

    assert has_the_hooks(folder / "settings.json")


def test_an_older_agent_gets_only_events_that_it_knows(machine, monkeypatch):
    program = machine.root / "claude"
    program.write_text("#!/bin/sh\necho '2.1.75 (Claude Code)'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{machine.root}:/usr/bin:/bin")

    compact_guard("install", "claude-code", "--yes")

    hooks = json.loads(machine.settings.read_bytes())["hooks"]
    assert list(hooks) == ["PreCompact", "SessionStart"]


def test_broken_settings_are_refused_with_place_and_mend(machine):
    path = machine.has_settings(b'{\n  "model": "opus", // mine\n}')

    refused = compact_guard("install", "claude-code", "--yes")

    assert refused.returncode == 2
    assert refused.stderr == (
        f"compact-guard: {path}, line 2, column 20: comments are not JSON. Remove the comment.\n"
    )


def test_switched_off_hooks_are_installed_with_a_warning(machine):
    path = machine.has_settings(b'{"disableAllHooks": true}')

    installed = compact_guard("install", "claude-code", "--yes")

    assert installed.returncode == 0
    assert 'sets "disableAllHooks": the hooks will NOT run' in installed.stdout
    assert has_the_hooks(path)


def test_a_data_home_that_cannot_be_made_is_refused_before_the_settings_are_touched(machine):
    machine.data_home.write_text("a file is in the way")
    path = machine.has_settings(OLD)

    refused = compact_guard("install", "claude-code", "--yes")

    assert refused.returncode == 2
    assert "not installed, the settings are as they were" in refused.stderr
    assert path.read_bytes() == OLD


def test_output_to_a_pipe_has_no_colours(machine):
    shown = compact_guard("install", "claude-code", "--dry-run")

    assert "\x1b[" not in shown.stdout


@pytest.mark.parametrize(
    ("keys", "status", "is_written"),
    [
        (b"y\n", 0, True),
        (b"Yes\n", 0, True),
        (b"n\n", 1, False),
        (b"\n", 1, False),
        (b"what?\n", 1, False),
        (b"\x04", 1, False),
    ],
)
def test_on_a_terminal_only_a_yes_writes(machine, keys, status, is_written):
    path = machine.has_settings(OLD)
    terminal = Terminal("install", "claude-code")

    assert terminal.answer(keys) == status

    assert has_the_hooks(path) is is_written
    assert machine.data_home.exists() is is_written
    assert b"\x1b[32m+" in terminal.shown


def test_interrupting_the_question_writes_nothing(machine):
    path = machine.has_settings(OLD)
    terminal = Terminal("install", "claude-code")
    terminal.read_until(QUESTION)
    terminal.process.send_signal(signal.SIGINT)

    assert terminal.wait() == 130

    assert path.read_bytes() == OLD
    assert b"Traceback" not in terminal.shown


def test_uninstall_asks_too(machine):
    path = machine.has_settings(OLD)
    compact_guard("install", "claude-code", "--yes")

    assert Terminal("uninstall", "claude-code").answer(b"n\n") == 1
    assert has_the_hooks(path)
    assert Terminal("uninstall", "claude-code").answer(b"y\n") == 0
    assert path.read_bytes() == OLD


def test_no_colour_is_honoured_on_a_terminal(machine, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal("install", "claude-code", "--dry-run")

    assert terminal.wait() == 0
    assert b"\x1b[" not in terminal.shown

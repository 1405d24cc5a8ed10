"""The command in the settings: which interpreter, how quoted, and whether it runs at all."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from compact_guard.agents.claude_code import settings
from compact_guard.errors import UsageError
from compact_guard.install import hook_block, hook_command

GOOD_ROW = {
    "schema": "compact-guard.audit/1",
    "agent": "claude-code",
    "event": "pre_compact",
    "origin": "synthetic",
    "outcome": "saved",
    "reason": None,
}


@pytest.fixture
def hook_that(tmp_path, monkeypatch):
    """Puts a script in the hook's place, in a folder that wants quoting."""

    def place(*lines: str) -> None:
        script = tmp_path / "it's a folder" / "compact_guard" / "hook" / "__main__.py"
        script.parent.mkdir(parents=True)
        script.write_text("\n".join(("import json, os, sys", *lines)))
        monkeypatch.setattr(hook_command, "ENTRY_POINT", script)

    return place


def writes(*rows: object) -> str:
    """A line of a hook script that writes these rows to the audit log."""
    log = "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    folder = "os.environ['COMPACT_GUARD_HOME'] + '/audit'"
    return f"os.makedirs({folder}); open({folder} + '/2026-11-30.jsonl', 'w').write({log!r})"


def refusal() -> str:
    with pytest.raises(UsageError) as caught:
        hook_command.rehearse(settings)
    return str(caught.value)


def test_the_installed_hook_runs():
    hook_command.rehearse(settings)


def test_the_command_names_interpreter_flags_script_agent_and_event():
    words = shlex.split(hook_command.command_line("claude-code", "post_compact"))

    assert words[0] == hook_command.interpreter()
    assert words[1:3] == ["-I", "-S"]
    assert Path(words[3]).is_absolute()
    assert Path(words[3]).parts[-3:] == ("compact_guard", "hook", "__main__.py")
    assert words[4:6] == ["claude-code", "post_compact"]


def test_the_command_survives_a_folder_with_blanks_and_quotes(hook_that):
    hook_that(writes(GOOD_ROW))

    hook_command.rehearse(settings)


def test_the_command_needs_no_bash(hook_that):
    hook_that("print(' '.join(sys.argv[1:]))")
    command = hook_command.command_line("claude-code", "pre_compact")

    finished = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=True)

    assert finished.stdout == b"claude-code pre_compact\n"


def test_the_command_succeeds_when_our_code_is_gone(monkeypatch):
    """Exit status 2, Python's for a missing script, would block the compaction."""
    monkeypatch.setattr(hook_command, "ENTRY_POINT", Path("/vanished/hook/__main__.py"))

    command = hook_command.command_line("claude-code", "pre_compact")

    subprocess.run(["/bin/sh", "-c", command], stderr=subprocess.DEVNULL, check=True)


def test_the_rehearsal_is_synthetic_and_in_a_folder_of_its_own(hook_that, machine):
    facts = "[os.environ['COMPACT_GUARD_SYNTHETIC'], os.environ['COMPACT_GUARD_HOME']]"
    note = machine.root / "note"
    hook_that(writes(GOOD_ROW), f"json.dump({facts}, open({str(note)!r}, 'w'))")

    hook_command.rehearse(settings)

    synthetic, home = json.loads(note.read_text())
    assert synthetic == "1"
    assert not Path(home).exists()
    assert not machine.data_home.exists()


def test_the_rehearsal_hands_over_a_payload_of_a_compaction(hook_that, machine):
    note = machine.root / "note"
    hook_that(writes(GOOD_ROW), f"open({str(note)!r}, 'w').write(sys.stdin.read())")

    hook_command.rehearse(settings)

    assert json.loads(note.read_text())["hook_event_name"] == "PreCompact"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            ["sys.exit('no such module')"],
            "exit status 1 instead of 0, and it said 'no such module'",
        ),
        ([writes(GOOD_ROW), "print('hello')"], "it wrote to stdout, which agents read"),
        (["sys.stderr.write('cannot start')"], "0 audit rows instead of one, and it said"),
        ([writes(GOOD_ROW, GOOD_ROW)], "2 audit rows instead of one"),
        ([writes("{\n")], "its audit row is not JSON"),
        ([writes({**GOOD_ROW, "origin": "natural"})], "origin 'natural' instead of 'synthetic'"),
        (
            [writes({**GOOD_ROW, "outcome": "failed", "reason": "io_error"})],
            "its audit row says 'failed', reason 'io_error'",
        ),
    ],
)
def test_a_hook_that_does_not_work_is_refused_with_the_reason(hook_that, script, reason):
    hook_that(*script)

    assert reason in refusal()


def test_a_hook_that_hangs_is_refused(hook_that, monkeypatch):
    hook_that("import time; time.sleep(60)")
    monkeypatch.setattr(hook_command, "_REHEARSAL_SECONDS_MAX", 0.2)

    assert "no end after 0.2 s" in refusal()


def test_an_interpreter_that_vanished_is_refused(monkeypatch):
    monkeypatch.setattr(hook_command, "interpreter", lambda: "/vanished/bin/python")

    assert "exit status 127" in refusal()


def test_a_virtual_environments_python_stays_as_it_is(monkeypatch, tmp_path):
    python = tmp_path / "venv" / "python"
    python.parent.mkdir()
    python.symlink_to(Path(sys.executable).resolve())
    monkeypatch.setattr(sys, "executable", str(python))

    assert hook_command.interpreter() == str(python)


def test_a_version_managers_shim_gives_way_to_the_real_interpreter(monkeypatch, tmp_path):
    shim = tmp_path / "shims" / "python"
    shim.parent.mkdir()
    shim.write_text("#!/usr/bin/env bash\nexec pyenv exec python\n")
    shim.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(shim))

    found = hook_command.interpreter()

    assert found != str(shim)
    assert Path(found).resolve() == Path(sys._base_executable).resolve()


def test_without_any_real_interpreter_there_is_no_command(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", "")
    monkeypatch.setattr(sys, "_base_executable", "")
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))

    with pytest.raises(UsageError, match="use another Python"):
        hook_command.interpreter()


def test_a_path_that_json_cannot_hold_is_refused(monkeypatch):
    monkeypatch.setattr(hook_command, "interpreter", lambda: "/caf\udce9/python")

    with pytest.raises(UsageError, match="not UTF-8"):
        hook_command.command_line("claude-code", "pre_compact")


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ([r"C:\py\python.exe", "-I"], "C:/py/python.exe -I"),
        ([r"C:\Program Files\python.exe", "-I"], '"C:/Program Files/python.exe" -I'),
    ],
)
def test_on_windows_the_command_suits_cmd_and_bash(parts, line):
    assert hook_command._quoted_for_windows(parts) == line


def test_a_windows_command_is_recognised_as_ours():
    script = r"C:\lib\compact_guard\hook\__main__.py"
    line = hook_command._quoted_for_windows([r"C:\py\python.exe", script, "claude-code"])
    text = json.dumps({"hooks": {"PreCompact": [{"hooks": [{"command": line}]}]}})

    assert hook_block.has_entries(text)

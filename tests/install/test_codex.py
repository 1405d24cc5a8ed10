"""Codex: hooks.json, and the approvals in config.toml, which come with `--trust` and go again."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.agents.codex import approvals, trust
from compact_guard.agents.codex.trust import Trust
from compact_guard.install.settings_file import SettingsFile
from tests.install.conftest import Machine

# What `codex app-server` answers, with the hash of each handler as the real one gives one.
FAKE_CODEX = """\
#!{python}
import hashlib, json, os, re, sys
if sys.argv[1:] == ["--version"]:
    print("codex-cli 0.171.0"); sys.exit()
assert sys.argv[1:] == ["app-server"]
home = os.environ["CODEX_HOME"]
for line in sys.stdin:
    request = json.loads(line)
    if request.get("method") == "hooks/list":
        hooks = []
        for event, groups in json.load(open(home + "/hooks.json"))["hooks"].items():
            for group, content in enumerate(groups):
                for entry, handler in enumerate(content["hooks"]):
                    name = re.sub("(?<!^)(?=[A-Z])", "_", event).lower()
                    told = json.dumps([event, content.get("matcher"), handler]).encode()
                    hooks.append(dict(
                        key=f"{{home}}/hooks.json:{{name}}:{{group}}:{{entry}}",
                        sourcePath=home + "/hooks.json",
                        currentHash="sha256:" + hashlib.sha256(told).hexdigest()))
        print(json.dumps(dict(id=request["id"], result=dict(data=[dict(hooks=hooks)]))), flush=True)
"""
CONFIG = b'# mine\nmodel = "gpt-5.2"\n\n[projects."/home/user/herons"]\ntrust_level = "trusted"\n'
STRANGER = {"hooks": [{"type": "command", "command": "count-herons", "timeout": 5}]}


@pytest.fixture
def codex(machine: Machine, monkeypatch) -> Path:
    """CODEX_HOME of a user who has Codex."""
    programs = machine.root / "bin"
    programs.mkdir()
    program = programs / "codex"
    program.write_text(FAKE_CODEX.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.delenv("CODEX_HOME", raising=False)
    home = machine.home / ".codex"
    home.mkdir()
    return home


def run(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "compact_guard", command, "codex", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def done(command: str, *arguments: str) -> str:
    answer = run(command, "--yes", *arguments)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


def trusts(codex: Path) -> set[Trust]:
    hooks = codex / "hooks.json"
    return {judged.trust for judged in trust.judge(hooks, hooks.read_bytes(), os.environ)}


def files_in(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_install_tells_what_to_approve_and_approves_nothing(codex):
    (codex / "config.toml").write_bytes(CONFIG)
    said = done("install")

    hooks = json.loads((codex / "hooks.json").read_bytes())["hooks"]
    assert list(hooks) == ["PreCompact", "SessionStart", "PostCompact"]
    assert hooks["SessionStart"][0]["matcher"] == "compact|resume"
    for event, groups in hooks.items():
        (handler,) = groups[0]["hooks"]
        assert handler["timeout"] == 30
        assert f"  {event}: {handler['command']}" in said
    assert "/hooks" in said
    assert (codex / "config.toml").read_bytes() == CONFIG
    assert trusts(codex) == {Trust.UNTRUSTED}


@pytest.mark.parametrize(
    "config", [None, b"", CONFIG, CONFIG[:-1], CONFIG.replace(b"\n", b"\r\n"), b"# only a comment"]
)
def test_trust_appends_to_the_config_and_uninstall_gives_it_back(codex, config):
    if config is not None:
        (codex / "config.toml").write_bytes(config)
    before = files_in(codex)

    done("install", "--trust")
    after = files_in(codex)
    assert after["config.toml"].startswith(config or b"")
    assert trusts(codex) == {Trust.TRUSTED}
    assert "Nothing else to do." in run("install", "--trust").stdout
    assert files_in(codex) == after

    done("uninstall")
    assert files_in(codex) == before


def test_a_plan_shows_both_files_and_writes_neither(codex):
    (codex / "config.toml").write_bytes(CONFIG)
    said = run("install", "--trust", "--dry-run").stdout

    assert "+++" in said
    assert "+[hooks.state." in said
    assert files_in(codex) == {"config.toml": CONFIG}


def test_trust_may_follow_an_installation(codex):
    done("install")
    done("install", "--trust")

    assert trusts(codex) == {Trust.TRUSTED}


def test_a_changed_hook_is_found_and_approved_anew(codex):
    (codex / "config.toml").write_bytes(CONFIG)
    done("install", "--trust")
    hooks = codex / "hooks.json"
    hooks.write_bytes(hooks.read_bytes().replace(b'"timeout": 30', b'"timeout": 31'))
    assert trusts(codex) == {Trust.MODIFIED}

    done("install", "--trust")
    assert trusts(codex) == {Trust.TRUSTED}
    done("uninstall")
    assert (codex / "config.toml").read_bytes() == CONFIG


def test_what_codexs_own_review_recorded_is_left_alone(codex):
    done("install", "--trust")
    config = codex / "config.toml"
    reviewed = config.read_bytes() + b'[tui]\ntheme = "dark"\n'
    done("uninstall")
    config.write_bytes(reviewed)
    done("install")

    assert trusts(codex) == {Trust.TRUSTED}
    done("install", "--trust")
    done("uninstall")
    assert config.read_bytes() == reviewed


def test_a_hook_that_codex_switched_off_is_seen(codex):
    done("install", "--trust")
    config = codex / "config.toml"
    config.write_text(
        config.read_text().replace("trusted_hash", "enabled = false\ntrusted_hash", 1)
    )

    assert trusts(codex) == {Trust.DISABLED, Trust.TRUSTED}


def test_strangers_that_an_edit_moves_are_named(codex):
    """Codex trusts a hook at its place: the stranger behind ours moves up when ours go."""
    done("install")
    hooks = codex / "hooks.json"
    content = json.loads(hooks.read_bytes())
    content["hooks"]["PreCompact"].append(STRANGER)
    hooks.write_text(json.dumps(content))

    assert "approve this hook again: count-herons" in done("uninstall")


def test_strangers_before_ours_stay_where_they_are(codex):
    (codex / "hooks.json").write_text(json.dumps({"hooks": {"PreCompact": [STRANGER]}}))

    assert "count-herons" not in done("install").partition("Backup")[2]
    assert "approve this hook again" not in done("uninstall")


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (b"model = \n", "not valid TOML"),
        (b"hooks = {}\n", "not valid TOML"),
        (b"\xff = 1\n", "utf-8"),
    ],
)
def test_a_config_that_is_not_ours_to_edit_is_refused_and_nothing_is_written(codex, config, reason):
    (codex / "config.toml").write_bytes(config)
    answer = run("install", "--trust", "--yes")

    assert answer.returncode == 2
    assert reason in answer.stderr
    assert "/hooks" in answer.stderr
    assert files_in(codex) == {"config.toml": config}


def test_without_a_codex_that_answers_trust_is_refused(codex, monkeypatch, machine):
    program = machine.root / "bin" / "codex"
    program.write_text("#!/bin/sh\nexit 3\n")
    assert "cannot be asked" in run("install", "--trust", "--yes").stderr
    program.unlink()
    assert "needs `codex` on PATH" in run("install", "--trust", "--yes").stderr
    assert files_in(codex) == {}


def test_trust_is_codexs_alone(machine):
    answer = subprocess.run(
        [sys.executable, "-m", "compact_guard", "install", "claude-code", "--trust", "--yes"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 2
    assert "without an approval" in answer.stderr


def test_hooks_in_the_config_too_are_a_warning(codex):
    (codex / "config.toml").write_bytes(
        b'[[hooks.PreCompact]]\n[[hooks.PreCompact.hooks]]\ntype = "command"\ncommand = "x"\n'
    )
    assert "has [hooks] too" in run("install", "--dry-run").stdout


def test_hooks_that_are_switched_off_are_a_warning(codex):
    (codex / "config.toml").write_bytes(b"[features]\nhooks = false\n")
    assert "will NOT run" in run("install", "--dry-run").stdout


def test_a_linked_home_is_named_as_codex_names_it(codex, monkeypatch, machine):
    (machine.root / "link").symlink_to(codex)
    monkeypatch.setenv("CODEX_HOME", str(machine.root / "link"))
    done("install", "--trust")

    (key, *_) = tomllib.loads((codex / "config.toml").read_text())["hooks"]["state"]
    assert key == f"{codex.resolve()}/hooks.json:pre_compact:0:0"


def test_the_settings_module_keeps_the_contract():
    from compact_guard.agents.codex import settings

    members = [name for name in SettingsFile.__dict__ if not name.startswith("_")]
    assert [name for name in members if not hasattr(settings, name)] == []


KEYS = st.text(min_size=1, max_size=30).map(lambda text: f"/home/{text}/hooks.json:pre_compact:0:0")
HASHES = st.from_regex(r"sha256:[0-9a-f]{64}", fullmatch=True)
TEXTS = st.sampled_from([text.decode() for text in (b"", CONFIG, CONFIG[:-1], b"# a", b"\n\n")])


@settings(max_examples=40)
@given(TEXTS, st.dictionaries(KEYS, HASHES, max_size=4), st.dictionaries(KEYS, HASHES, max_size=4))
def test_approvals_come_and_go_without_a_trace(text, first, second):
    try:
        approved, appended = approvals.approve(text, first, "")
        again, appended_again = approvals.approve(approved, second, appended)
    except approvals.NotEditable:
        return  # a path that TOML cannot hold is refused
    assert {key: approvals.hash_in(value) for key, value in approvals.read(again).items()} == second
    assert approvals.withdraw(again, appended_again) == text

"""`compact-guard revert --window`: the earlier window, shown first, done with --apply, undone."""

import pytest

from compact_guard import cli
from tests.window.homes import CodexHome, Home

GROWN = [80_000] * 24 + [160_000] * 24  # a larger window, which costs more


@pytest.fixture(autouse=True)
def claude(tmp_path, monkeypatch):
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COMPACT_GUARD_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    return Home(tmp_path / "claude_config_dir")


@pytest.fixture
def run(capsys):
    """Run a command; returns standard output and error."""

    def of(*arguments: str, status: int = 0) -> str:
        assert cli.main(["revert", *arguments]) == status
        out, err = capsys.readouterr()
        return out + err

    return of


@pytest.fixture
def grown(claude):
    """A copy of the settings from before, and settings with other things in them since."""
    claude.sessions(GROWN).saved(5, autoCompactWindow=113_000).copied(".bak")
    text = '{\n  "model": "mine",\n  "autoCompactWindow": 193000\n}\n'
    return claude.written(claude.file, 6, text)


def test_it_says_what_the_study_says_and_shows_the_plan(run, grown):
    before = grown.file.read_bytes()

    out = run("claude-code/anthropic", "--window")

    assert "The study says REVERT: cost per turn changed by +" in out
    assert "autoCompactWindow = 113000 became autoCompactWindow = 193000: " in out
    assert '-  "autoCompactWindow": 193000\n+  "autoCompactWindow": 113000\n' in out
    assert out.endswith("Nothing was written. To do it, add --apply.\n")
    assert grown.file.read_bytes() == before


def test_apply_restores_it_with_a_backup_and_undo_gives_the_old_bytes_back(run, grown, tmp_path):
    before = grown.file.read_bytes()

    out = run("claude-code/anthropic", "--window", "--apply")

    assert grown.file.read_bytes() == before.replace(b"193000", b"113000")
    [backup] = (tmp_path / "compact_guard_home" / "backups").rglob("*.bak")
    assert backup.read_bytes() == before
    undo = out.splitlines()[-1].split()[2:]
    assert '+  "autoCompactWindow": 193000' in run(*undo[:-1])
    run(*undo)
    assert grown.file.read_bytes() == before
    assert "there is nothing to undo" in run(*undo, status=2)


def test_what_was_edited_since_is_not_overwritten(run, grown):
    run("claude-code/gateway", "--window", "--apply")
    grown.file.write_text("{}")

    out = run("claude-code/gateway", "--window", "--undo", "--apply", status=2)

    assert "was edited since" in out
    assert ".bak" in out
    assert grown.file.read_text() == "{}"


def test_the_hooks_and_what_undoes_them_stay(run, grown, capsys):
    assert cli.main(["install", "claude-code", "--yes"]) == 0
    run("claude-code/anthropic", "--window", "--apply")
    capsys.readouterr()

    assert b"pre_compact" in grown.file.read_bytes()
    assert cli.main(["uninstall", "claude-code", "--yes"]) == 0
    assert grown.file.read_text() == '{\n  "model": "mine",\n  "autoCompactWindow": 113000\n}\n'


def test_a_window_chosen_with_a_command_is_restored_where_it_stands(run, claude):
    claude.sessions(GROWN).typed(2, "/autocompact 113k").typed(6, "/autocompact 193k")
    told = {"claude-opus-5-5": {"autoCompactWindow": 193_000, "effortLevel": "low"}}
    claude.saved(6, modelSettings=told)

    run("claude-code/anthropic", "--window", "--apply")

    assert '"autoCompactWindow": 113000, "effortLevel": "low"' in claude.file.read_text()


def test_codexs_window_is_restored_too(run, claude, tmp_path):
    codex = CodexHome(tmp_path / "codex_home").rollouts([75_000] * 24 + [150_000] * 24)
    codex.written(codex.file, 5, "model_auto_compact_token_limit = 75000\n").copied(".bak")
    codex.written(codex.file, 6, 'model_auto_compact_token_limit = 150_000\nmodel = "mine"\n')

    run("codex/cli", "--window", "--apply")

    assert codex.file.read_text() == 'model_auto_compact_token_limit = 75000\nmodel = "mine"\n'


def test_without_settings_there_is_nothing_to_restore(run, claude):
    claude.sessions(GROWN)

    out = run("claude-code/anthropic", "--window", "--apply")

    assert "only seen where compactions begin: nothing to restore" in out


def test_a_window_that_is_as_before_needs_nothing(run, grown):
    run("claude-code/anthropic", "--window", "--apply")

    assert "has that window already. Nothing to do." in run("claude-code/anthropic", "--window")


def test_sessions_tell_of_a_change_but_not_of_what_was_set(run, claude, tmp_path):
    CodexHome(tmp_path / "codex_home").rollouts(
        [75_000] * 24 + [150_000] * 24, [90_000] * 24 + [190_000] * 24
    )

    out = run("codex/cli", "--window", status=2)

    assert "no copy of the earlier settings is there" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["codex/cli", "--window"], "no transcripts of codex"),
        (["claude-code/anthropic", "--undo"], "compact-guard install claude-code"),
        (["claude-code/anthropic", "--window", "--undo"], "there is nothing to undo"),
    ],
)
def test_bad_usage_names_the_mend(run, claude, arguments, said):
    claude.sessions([80_000])

    assert said in run(*arguments, status=2)

"""`compact-guard revert`: shown first, done with --apply, undone by what it says."""

from pathlib import Path

import pytest

from compact_guard import cli
from compact_guard.hook import paths
from tests.builders import Session, busy_weeks
from tests.operate.stories import failing


@pytest.fixture
def run(capsys):
    """Run a command; returns standard output."""

    def of(*arguments: str, status: int = 0) -> str:
        assert cli.main([*arguments]) == status
        out, _ = capsys.readouterr()
        return out

    return of


@pytest.fixture
def settings(a_home_of_its_own, run):
    """Claude Code's settings, somebody's own words in them, with our hooks."""
    file = a_home_of_its_own / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"model": "mine"}\n')
    run("install", "claude-code", "--yes")
    return file


def test_it_shows_the_plan_and_writes_nothing(run, settings):
    before = settings.read_bytes()

    out = run("revert", "claude-code/gateway")

    assert '-{"model": "mine"' in out
    assert out.endswith("Nothing was written. To do it, add --apply.\n")
    assert settings.read_bytes() == before


def test_apply_gives_the_old_settings_back_and_says_how_to_undo_it(run, settings):
    installed = settings.read_bytes()

    out = run("revert", "claude-code/gateway", "--apply")

    assert settings.read_text() == '{"model": "mine"}\n'
    undo = out.splitlines()[-1].strip()
    assert undo == "compact-guard install claude-code"
    run(*undo.split()[1:], "--yes")
    assert settings.read_bytes() == installed


def test_projects_that_were_given_the_hooks_lose_them_too(run, settings, tmp_path):
    project = tmp_path / "my project"
    project.mkdir()
    run("install", "claude-code", "--project", str(project), "--yes")

    out = run("revert", "claude-code/gateway", "--apply")

    assert list(project.iterdir()) == []
    assert f"compact-guard install claude-code --project '{project}'" in out
    assert "does not have the hooks" in run("revert", "claude-code/gateway")


def test_other_agents_keep_theirs(run, settings):
    before = settings.read_bytes()

    assert "codex does not have the hooks." in run("revert", "codex/cli", "--apply")
    assert settings.read_bytes() == before


def test_it_names_the_verdict_and_the_interfaces_that_share_the_hooks(run, settings, log):
    log.audit = Path(paths.audit_folder())
    log.grow(*busy_weeks(interface="claude-code/gateway"), Session("other").delivered("a"))
    log.grow(failing("bad", interface="claude-code/gateway")).news()

    out = run("revert", "claude-code/gateway")

    assert out.splitlines()[:2] == [
        "claude-code/gateway: REVERT (1 missed of 60 delivered or due)",
        "The same hooks serve claude-code/anthropic, which will be without them, too.",
    ]


def test_an_interface_of_nobody_is_bad_usage(capsys):
    assert cli.main(["revert", "emacs/doctor"]) == 2
    assert "no such interface; there are claude-code/..., codex/..." in capsys.readouterr().err

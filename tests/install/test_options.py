"""`--preserve` and `--notice`: chosen at install, kept in config.json, part of the fingerprint."""

import json

import pytest

from compact_guard import cli
from compact_guard.errors import UsageError
from compact_guard.install import options
from compact_guard.install.options import Options

BOTH = Options(preserve=True, notice=True)


@pytest.fixture(autouse=True)
def no_agent_on_the_path(machine, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


@pytest.fixture
def install(machine, capsys):
    """Run the command; its exit status and all that it said."""

    def run(*arguments: str, agent: str = "claude-code") -> tuple[int, str]:
        status = cli.main(["install", agent, *arguments])
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


def config(machine) -> dict:
    return json.loads((machine.data_home / "config.json").read_bytes())


def events(machine) -> list[str]:
    return list(json.loads(machine.settings.read_bytes())["hooks"])


def test_nothing_is_on_that_was_not_chosen(install, machine):
    install("--yes")

    assert options.of("claude-code") == Options()
    assert "behaviour" not in config(machine)
    assert events(machine) == ["PreCompact", "SessionStart", "PostCompact"]


def test_what_was_chosen_is_told_and_kept(install, machine):
    status, said = install("--yes", "--preserve", "--notice")

    assert status == 0
    assert "Option --preserve: the agent's summary is asked for rejected alternatives" in said
    assert "a new observation period begins" in said
    assert config(machine)["behaviour"] == {"claude-code": {"preserve": True, "notice": True}}
    assert options.of("codex") == Options()
    assert events(machine) == ["PreCompact", "SessionStart", "PostCompact", "Stop"]


def test_installing_again_leaves_the_choice_as_it_is(install, machine):
    install("--yes", "--preserve", "--notice")
    before = machine.settings.read_bytes()

    status, said = install()

    assert (status, options.of("claude-code")) == (0, BOTH)
    assert "already has the hooks" in said
    assert machine.settings.read_bytes() == before


def test_each_option_can_be_taken_back_and_leaves_no_trace(install, machine):
    install("--yes")
    before = config(machine), machine.settings.read_bytes()
    install("--yes", "--preserve", "--notice")

    status, said = install("--yes", "--no-preserve", "--no-notice")

    assert status == 0
    assert "Option --no-preserve" in said
    assert config(machine) == before[0] | {"behaviour": {}}
    assert machine.settings.read_bytes() == before[1]


def test_a_dry_run_and_a_no_change_nothing(install, machine):
    install("--yes")

    assert install("--dry-run", "--preserve")[0] == 0
    assert options.of("claude-code") == Options()


def test_other_settings_of_the_hooks_stay(install, machine):
    install("--yes")
    behaviour = {"redaction_library": "x==1", "codex": {"notice": True}}
    (machine.data_home / "config.json").write_text(json.dumps({"behaviour": behaviour}))

    install("--yes", "--preserve")

    assert config(machine)["behaviour"] == behaviour | {"claude-code": {"preserve": True}}


def test_a_config_that_holds_no_settings_is_named_and_left_alone(install, machine):
    install("--yes")
    broken = b'{"behaviour": [1]}'
    (machine.data_home / "config.json").write_bytes(broken)

    status, said = install("--yes", "--preserve")

    assert status == 2
    assert "config.json: not a JSON object of settings" in said
    assert (machine.data_home / "config.json").read_bytes() == broken


def test_codex_cannot_be_asked_to_preserve_and_is_told_why(install, machine):
    status, said = install("--yes", "--preserve", agent="codex")

    assert status == 2
    assert "--preserve: Codex ignores what a PreCompact hook prints" in said
    assert not (machine.home / ".codex").exists()


def test_codex_has_the_line_without_another_hook(install, machine):
    install("--yes", "--notice", agent="codex")

    assert options.of("codex") == Options(notice=True)
    hooks = json.loads((machine.home / ".codex" / "hooks.json").read_bytes())["hooks"]
    assert list(hooks) == ["PreCompact", "SessionStart", "PostCompact"]


def test_a_claude_code_without_receipts_has_no_line_to_give():
    from compact_guard.agents.claude_code import settings

    with pytest.raises(UsageError, match=r"--notice: Claude Code 2\.1\.75 has no PostCompact"):
        options.chosen(settings, "2.1.75", {"notice": True})
    assert options.chosen(settings, "2.1.75", {"preserve": True}) == Options(preserve=True)
    assert [each.event for each in settings.registrations(str, "2.1.75", has_notice=True)] == [
        "PreCompact",
        "SessionStart",
    ]

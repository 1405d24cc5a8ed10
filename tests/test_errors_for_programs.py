"""With `--json` a program reads standard output: an answer, or nothing at all and a status."""

import argparse
import json
from collections.abc import Iterator

import pytest

from compact_guard import cli
from compact_guard.errors import BusyError, UsageError

# What each command that answers in JSON cannot do; `None`: it always has an answer.
FAILING = {
    "checkpoints list": None,
    "doctor": ["--project", "nowhere"],
    "evaluate": ["--audit", "nowhere"],
    "find": ["herons", "--session", "unknown"],
    "last": None,
    "replay": ["nowhere"],
    "selftest": ["--project", "nowhere"],
    "simulate": ["nowhere"],
    "status": None,
    "window": ["nowhere"],
}
STATUSES = {UsageError: 2, BusyError: 75, OSError: 1}


def commands_with_json(
    parser: argparse.ArgumentParser, name: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command with that option, as it is called."""
    if any("--json" in action.option_strings for action in parser._actions):
        yield name.strip(), parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, subparser in action.choices.items():
                yield from commands_with_json(subparser, f"{name} {word}")


COMMANDS = dict(commands_with_json(cli.build_parser()))
ANSWERING = [name for name, arguments in FAILING.items() if arguments is None]


def called(name: str, *arguments: str) -> list[str]:
    """The command line: `find` asks for words, too."""
    words = ["herons"] if name == "find" and not arguments else []
    return [*name.split(), "--json", *words, *arguments]


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path, monkeypatch):
    """An empty machine: no agent, no log."""
    for name in ("HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COMPACT_GUARD_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.chdir(tmp_path)


def test_no_command_that_answers_in_json_is_left_out():
    assert sorted(COMMANDS) == sorted(FAILING)


@pytest.mark.parametrize("name", [name for name in FAILING if FAILING[name] is not None])
def test_what_cannot_be_done_is_told_on_stderr_alone(name, capsys):
    status = cli.main(called(name, *FAILING[name]))

    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.startswith("compact-guard: ")
    assert any(word in said.err for word in ("nowhere", "unknown"))


@pytest.mark.parametrize("name", ANSWERING)
def test_a_command_that_knows_nothing_says_so_in_json(name, capsys):
    cli.main(called(name))

    said = capsys.readouterr()
    assert not json.loads(said.out) or "installed" in json.loads(said.out)
    assert said.err == ""


@pytest.mark.parametrize("name", sorted(FAILING))
def test_bad_usage_is_told_on_stderr_alone(name, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(called(name, "--no-such-option"))

    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert ": error: " in said.err


@pytest.mark.parametrize("error", STATUSES, ids=lambda error: error.__name__)
@pytest.mark.parametrize("name", sorted(FAILING))
def test_whatever_ends_a_command_has_one_line_and_a_status(name, error, capsys, monkeypatch):
    def fails(arguments):
        raise error("the heron is in the way")

    parser = cli.build_parser()
    dict(commands_with_json(parser))[name].set_defaults(run=fails)
    monkeypatch.setattr(cli, "build_parser", lambda: parser)

    status = cli.main(called(name))

    said = capsys.readouterr()
    assert (status, said.out) == (STATUSES[error], "")
    assert said.err == "compact-guard: the heron is in the way\n"

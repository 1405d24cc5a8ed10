"""The README's commands, one after the other, in a copy of the checkout and a home of their own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.consoles import blocks_of, commands_in, commands_of, pattern_of
from tests.source_tree import ROOT, copy_checkout

pytestmark = pytest.mark.slow

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = blocks_of(README)
SECONDS_MAX = 300
END = "-- end of command --"
# The tests cannot run inside themselves: make reads the recipe and stops.
INSTEAD = {"make test": "make --dry-run test"}


COMMANDS = commands_of(README)


@pytest.fixture(scope="module")
def answers(tmp_path_factory) -> list[tuple[str, int]]:
    """What each command printed, and its exit status."""
    folder = tmp_path_factory.mktemp("readme")
    script = "".join(
        f"{INSTEAD.get(command.typed, command.typed)}\nprintf '%s %s\\n' '{END}' $?\n"
        for command in COMMANDS
    )
    finished = subprocess.run(
        ["bash", "-c", script],
        cwd=copy_checkout(folder / "checkout"),
        env=environment_in(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    parts = re.split(rf"{END} (\d+)\n", finished.stdout)
    return [(text, int(status)) for text, status in zip(parts[::2], parts[1::2], strict=False)]


def environment_in(folder: Path) -> dict[str, str]:
    """A user with an empty home, whose packages all come from the environment of these tests."""
    programs, home = folder / "bin", folder / "home"
    programs.mkdir()
    home.mkdir()
    (programs / "python3").symlink_to(Path(sys.executable).resolve())
    return {
        "HOME": str(home),
        "PATH": f"{programs}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "VENV": str(finished_environment(folder / "venv")),
        "PYTHONPATH": str(site_packages()),
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this as "no isolation": hatchling is at hand
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def finished_environment(folder: Path) -> Path:
    """What `make` finds when it has set up its environment before: this one, and its stamps."""
    folder.mkdir()
    for part in Path(sys.prefix).iterdir():
        if part.name not in (".evaluator", ".dev"):
            (folder / part.name).symlink_to(part)
    for stamp in (".evaluator", ".dev"):
        (folder / stamp).touch()
    return folder


def site_packages() -> Path:
    return Path(pytest.__file__).parents[1]


def test_every_block_is_a_console_with_something_to_run():
    assert {kind for kind, _ in BLOCKS} == {"console"}
    assert all(commands_in(block) for _, block in BLOCKS)


def test_every_command_runs_and_prints_what_is_shown(answers):
    assert len(answers) == len(COMMANDS), answers[-1]
    for command, (printed, status) in zip(COMMANDS, answers, strict=True):
        assert status == 0, f"$ {command.typed}\n{printed}"
        if command.shown:
            assert pattern_of(command.shown).fullmatch(printed), f"$ {command.typed}\n{printed}"


def test_the_two_commands_of_a_newcomer_come_first():
    assert [command.typed for command in COMMANDS[:2]] == ["make verdict", "make test"]


@pytest.mark.parametrize(
    ("shown", "printed", "is_same"),
    [
        ("a\n…\nz\n", "a\nb\nc\nz\n", True),
        ("a\n…\n", "a\n", True),
        ("a … z\n", "a b and z\n", True),
        ("a … z\n", "a\nz\n", False),
        ("a.\n", "ab\n", False),
        ("a\n", "a\nb\n", False),
    ],
)
def test_shown_output_is_compared(shown, printed, is_same):
    assert bool(pattern_of(shown).fullmatch(printed)) == is_same

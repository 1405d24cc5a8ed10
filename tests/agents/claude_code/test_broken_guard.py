"""Whatever is broken about the guard, the agent compacts and answers as if it were not there."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.agents import needs
from tests.agents.claude_code.evidence import only_transcript
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import DECISION, TASK, session_id_of

pytestmark = pytest.mark.agents


def is_a_file(home: Path) -> None:
    shutil.rmtree(home)
    home.write_text("")


def is_below_a_file(home: Path) -> None:
    is_a_file(home)
    home.rename(home.with_name("file"))
    home.symlink_to(home.with_name("file") / "below")


def refuses_writing(home: Path) -> None:
    """Not even root may create anything below /proc/self."""
    shutil.rmtree(home)
    home.symlink_to("/proc/self")


def has_files_for_folders(home: Path) -> None:
    for name in ("audit", "checkpoints"):
        shutil.rmtree(home / name, ignore_errors=True)
        (home / name).write_text("")


def has_a_device_full_of_zeros_for_a_config(home: Path) -> None:
    (home / "config.json").unlink(missing_ok=True)
    (home / "config.json").symlink_to("/dev/zero")


def has_garbage_for_a_config(home: Path) -> None:
    (home / "config.json").write_bytes(b"\xff\xfe{]\0")


BREAKAGES = [
    is_a_file,
    is_below_a_file,
    refuses_writing,
    has_files_for_folders,
    has_a_device_full_of_zeros_for_a_config,
    has_garbage_for_a_config,
]


def compact_and_go_on(sandbox: Sandbox) -> list[tuple[int, str]]:
    """Exit status and answer of each step of a session with one manual and one auto compaction."""
    first = sandbox.ask(DECISION, "--output-format", "json")
    session = session_id_of(first.stdout)
    steps = [TASK, "/compact", "Please fill the context", "What now?"]
    done = [sandbox.ask(step, "--resume", session) for step in steps]
    return [(step.returncode, step.stdout.strip()) for step in done]


def assert_compacted_undisturbed(sandbox: Sandbox) -> None:
    assert compact_and_go_on(sandbox) == [
        (0, "Canned reply."),
        (0, ""),
        (0, "Filled."),
        (0, "Canned reply."),
    ]
    triggers = [boundary.trigger for boundary in only_transcript(sandbox).boundaries()]
    assert triggers == ["manual", "auto"]


def test_what_a_session_without_guard_answers(bare: Sandbox):
    assert_compacted_undisturbed(bare)


@pytest.mark.parametrize("broken", BREAKAGES, ids=lambda broken: broken.__name__)
def test_a_compaction_goes_on_when_the_guards_home(
    guarded: Sandbox, broken: Callable[[Path], None]
):
    guarded.guard_home.mkdir(exist_ok=True)
    broken(guarded.guard_home)

    assert_compacted_undisturbed(guarded)


def test_a_compaction_goes_on_when_the_guards_code_is_gone(guarded: Sandbox):
    """Python's exit status for a missing script is 2, which tells Claude Code to block."""
    settings = guarded.config / "settings.json"
    package = str(needs.CHECKOUT / "compact_guard")
    moved = settings.read_text().replace(package, "/nowhere/compact_guard")
    assert package not in moved
    assert "/nowhere/compact_guard" in moved
    settings.write_text(moved)

    assert_compacted_undisturbed(guarded)

"""`compact-guard checkpoints purge`: all that was asked for goes, and nothing else."""

import io
import os
import sys
from pathlib import Path

import pytest

from compact_guard import cli
from compact_guard.hook import identity

DAY = 86_400


def spill(machine, agent: str, session: str, content: str, age: int = 0) -> Path:
    """A file that the agent made of over-long hook output."""
    if agent == "codex":
        file = machine.folder / "tmp" / "hook_outputs" / session / "1.txt"
    else:
        results = machine.folder / "claude" / "projects" / "-w" / session / "tool-results"
        file = results / "hook-1.txt"
    while file.exists():
        file = file.with_name(f"{file.stem}0.txt")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)
    os.utime(file, (file.stat().st_mtime - age,) * 2)
    return file


@pytest.fixture
def text(machine) -> str:
    """What our hook prints."""
    machine.compacted("spilled")
    story = machine.stories["spilled"]
    return machine.guard.session_start(story.path, session_id="spilled").stdout.decode()


def test_all_goes_with_every_marker_and_folder(machine):
    machine.compacted(is_delivered=True)
    machine.compacted("s2")

    answer = machine.run("purge", "--all", "--yes")
    assert answer.returncode == 0
    assert "2 checkpoints of 2 sessions" in answer.stdout
    assert [file.name for file in machine.checkpoints.iterdir()] == [".swept"]
    assert machine.run("purge", "--all").stdout == "Nothing to remove.\n"


def test_one_session_goes_and_the_others_stay(machine):
    machine.compacted(is_delivered=True)
    stays = machine.compacted("s2")

    machine.run("purge", "--session", machine.hash_of("s1")[:12], "--yes")
    assert [each["checkpoint_hash"] for each in machine.listed()] == [stays]
    assert not (machine.checkpoints / machine.hash_of("s1")).exists()


def test_what_is_old_goes_and_what_is_new_stays(machine):
    machine.compacted("s1", is_delivered=True)
    machine.compacted("s2")
    machine.aged("s1", 3 * DAY)
    newer = machine.compacted("s1", "No, not Redis: use Postgres.")

    machine.run("purge", "--older-than", "2d", "--yes")
    left = {each["checkpoint_hash"] for each in machine.listed()}
    assert len(left) == 2
    assert newer in left
    assert not any(file.name.startswith("000001") for file in machine.files("s1"))


def test_what_does_not_fit_goes_oldest_first(machine):
    for day, session in enumerate(("s3", "s2", "s1")):
        machine.compacted(session, is_delivered=True)
        machine.aged(session, day * DAY)
    newest, middle, _ = machine.listed()
    fitting = newest["bytes"] + middle["bytes"]

    machine.run("purge", "--max-size", str(fitting), "--yes")
    assert machine.listed() == [newest, middle]
    machine.run("purge", "--max-size", str(fitting - 1), "--yes")
    assert machine.listed() == [newest]
    assert machine.run("purge", "--max-size", "0k", "--yes").returncode == 0
    assert machine.listed() == []
    assert [file.name for file in machine.checkpoints.iterdir()] == [".swept"]


def test_age_and_size_go_together(machine, text):
    old, new = machine.compacted("s1"), machine.compacted("s2")
    machine.aged("s1", 3 * DAY)
    spilled = spill(machine, "codex", "s1", text, age=3 * DAY)
    assert old != new

    machine.run("purge", "--older-than", "2d", "--max-size", "10M", "--yes")
    assert not machine.files("s1")
    assert len(machine.listed()) == 2
    assert not spilled.exists()


def test_size_alone_takes_no_output_from_an_agents_folder(machine, text):
    spilled = spill(machine, "codex", "s1", text)

    machine.run("purge", "--max-size", "0", "--yes")
    assert machine.listed() == []
    assert spilled.exists()


def test_after_a_purge_the_guard_goes_on(machine):
    machine.compacted()
    machine.run("purge", "--all", "--yes")

    machine.compacted("s1", "No, not Redis: use Postgres.")
    assert "Postgres" in machine.guard.injected_text(machine.stories["s1"].path)


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_our_output_in_an_agents_folder_goes_and_other_hooks_output_stays(machine, text, agent):
    ours = spill(machine, agent, "s1", text)
    others = spill(machine, agent, "s1", "[compact-guard] Evidence is what this hook looks for.")

    assert str(ours) in machine.run("purge", "--all", "--yes").stdout
    assert not ours.exists()
    assert others.exists()


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_spilled_output_is_chosen_by_session_and_age_too(machine, text, agent):
    old = spill(machine, agent, "s1", text, age=3 * DAY)
    new = spill(machine, agent, "s1", text)
    other = spill(machine, agent, "s2", text, age=3 * DAY)

    machine.run("purge", "--session", identity.session_hash(agent, "s2"), "--yes")
    assert [old.exists(), new.exists(), other.exists()] == [True, True, False]
    machine.run("purge", "--older-than", "2d", "--yes")
    assert [old.exists(), new.exists()] == [False, True]


def test_a_link_among_spilled_output_is_left_alone(machine, text):
    target = machine.folder / "precious.txt"
    target.write_text(text)
    link = spill(machine, "claude-code", "s1", "")
    link.unlink()
    link.symlink_to(target)

    machine.run("purge", "--all", "--yes")
    assert link.is_symlink()
    assert target.exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", 1), ("", 1)])
def test_a_person_is_asked(machine, monkeypatch, typed, status):
    machine.compacted()
    monkeypatch.setattr(sys, "stdin", Terminal(typed))

    answer = machine.run("purge", "--all")
    assert answer.returncode == status
    assert "Remove this for good? [y/N]" in answer.stdout
    assert len(machine.listed()) == status


def test_where_nobody_can_be_asked_nothing_goes(machine, monkeypatch):
    machine.compacted()
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))

    assert machine.run("purge", "--all").returncode == 2
    assert len(machine.listed()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--all", "--session", "abcd"],
        ["--older-than", "soon"],
        ["--session", ""],
        ["--max-size", "much"],
        ["--max-size", "-1"],
        ["--max-size", "1M", "--all"],
        ["--max-size", "1M", "--session", "abcd"],
    ],
)
def test_what_to_purge_must_be_said_and_said_once(machine, arguments):
    machine.compacted()
    try:
        status = cli.main(["checkpoints", "purge", "--yes", *arguments])
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert len(machine.listed()) == 1


def test_what_cannot_be_removed_is_said(machine, monkeypatch):
    machine.compacted()

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("compact_guard.checkpoints.purging.os.unlink", refuse)
    answer = machine.run("purge", "--all", "--yes")
    assert answer.returncode == 1
    assert "Not removed: " in answer.stdout

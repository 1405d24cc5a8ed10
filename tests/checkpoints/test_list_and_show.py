"""`compact-guard checkpoints list` and `show`."""

import pytest


def test_an_empty_machine_says_so(machine):
    assert machine.listed() == []
    assert machine.run("list").stdout == "No checkpoint is stored.\n"
    assert "no checkpoint" in machine.run("show").stderr


def test_the_newest_comes_first_and_tells_what_became_of_it(machine):
    first = machine.compacted(is_delivered=True)
    second = machine.compacted("s1", "No, not Redis: use Postgres.")

    newest, oldest = machine.listed()
    assert [newest["checkpoint_hash"], oldest["checkpoint_hash"]] == [second, first]
    assert [newest["is_used"], oldest["is_used"]] == [False, True]
    assert oldest["items"]["corrections"] == 1
    assert oldest["items"]["constraints"] == 1
    assert oldest["session_hash"] == machine.hash_of("s1")
    assert (oldest["agent"], oldest["trigger"], oldest["problem"]) == ("claude-code", "auto", None)
    assert oldest["bytes"] == machine.files("s1")[0].stat().st_size


def test_the_list_holds_no_word_of_the_conversation(machine):
    machine.compacted()
    assert "kingfisher" not in machine.run("list").stdout + machine.run("list", "--json").stdout


def test_the_table_has_a_line_for_each(machine):
    saved = machine.compacted()
    head, line = machine.run("list").stdout.splitlines()
    assert head.split()[:2] == ["session", "checkpoint"]
    assert line.split()[:2] == [machine.hash_of("s1")[:12], saved[:12]]
    assert "1 correction, 1 constraint" in line


@pytest.mark.parametrize("which", ["nothing", "checkpoint", "session"])
def test_show_prints_what_is_injected(machine, which):
    saved = machine.compacted("other") and machine.compacted()
    name = {"nothing": [], "checkpoint": [saved[:8]], "session": [machine.hash_of("s1")[:8]]}[which]

    shown = machine.run("show", *name)
    injected = machine.guard.injected_text(machine.stories["s1"].path)
    assert shown.returncode == 0
    assert shown.stdout == injected + "\n"


def test_showing_does_not_use_it_up(machine):
    machine.compacted()
    machine.run("show")
    assert machine.listed()[0]["is_used"] is False


def test_what_was_typed_cannot_steer_the_terminal(machine):
    machine.compacted("s1", "Never use \x1b[31mred\x07 here.")
    assert not {"\x1b", "\x07"} & set(machine.run("show").stdout)


def test_a_checkpoint_that_somebody_changed_is_listed_and_not_shown(machine):
    saved = machine.compacted()
    with machine.files("s1")[0].open("a") as file:
        file.write(" ")

    assert machine.listed()[0]["problem"] == "hash_mismatch"
    assert "hash_mismatch" in machine.run("list").stdout
    assert "hash_mismatch" in machine.run("show", saved[:6]).stderr


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff", b'{"agent": 3}'])
def test_a_checkpoint_that_is_none_is_listed_with_its_problem(machine, content):
    machine.compacted()
    machine.files("s1")[0].write_bytes(content)

    assert machine.listed()[0]["problem"]
    assert machine.run("list").returncode == 0


@pytest.mark.parametrize("name", ["abc", "xyzw", "../..", "ABCDEF", ""])
def test_what_is_no_hash_is_bad_usage(machine, name):
    machine.compacted()
    assert machine.run("show", name).returncode == 2


def test_a_link_in_a_sessions_place_is_not_followed(machine, tmp_path):
    machine.compacted()
    folder = machine.checkpoints / machine.hash_of("s1")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")

    assert machine.listed() == []

"""`compact-guard window`: what it prints, and how it ends."""

import json
from contextlib import nullcontext
from functools import partial

import pytest

from compact_guard.cli import main
from compact_guard.commands import window
from tests.window.stories import ClaudeStory, CodexStory


@pytest.fixture(autouse=True)
def homes(tmp_path, monkeypatch):
    for name in ("COMPACT_GUARD_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


def test_json_alone_stands_on_standard_output(tmp_path, capfdbinary):
    ClaudeStory(tmp_path / "t" / "a.jsonl").said("m1", read=9).boundary().said("m2", read=9)

    assert main(["window", "--json", str(tmp_path / "t")]) == 0

    study = json.loads(capfdbinary.readouterr().out)
    assert {"verdict", "change", "totals", "periods", "bands", "files", "boundaries",
            "unpriced_models"} <= study.keys()  # fmt: skip
    assert (study["verdict"], study["change"]["at"]) == ("OBSERVE", None)
    assert "nothing to compare" in study["reasons"][0]


def test_a_person_gets_a_few_lines(tmp_path, capsys):
    story = ClaudeStory(tmp_path / "t" / "a.jsonl").said("m1", read=9, model="heron-9")
    story.raw(b"{torn\n")

    assert main(["window", "--no-cache", str(tmp_path / "t")]) == 0

    told = capsys.readouterr().out
    for words in ("1 turn of main sessions", "heron-9", "(1 torn)", "OBSERVE"):
        assert words in told


def test_without_a_path_the_agents_own_folders_are_read(tmp_path, capfdbinary):
    ClaudeStory(tmp_path / "claude_config_dir" / "projects" / "p" / "a.jsonl").said("m1")
    CodexStory(tmp_path / "codex_home" / "sessions" / "2026" / "rollout-1.jsonl").counted(9, None)

    assert main(["window", "--json"]) == 0

    files = json.loads(capfdbinary.readouterr().out)["files"]
    assert {file["agent"] for file in files} == {"claude-code", "codex"}


@pytest.mark.parametrize("content", [None, b"", b"not a transcript\n"])
def test_it_ends_with_2_only_where_nothing_was_readable(tmp_path, capsys, content):
    (tmp_path / "t").mkdir()
    if content is not None:
        (tmp_path / "t" / "a.jsonl").write_bytes(content)

    assert main(["window", str(tmp_path / "t")]) == 2
    assert "could be read" in capsys.readouterr().err


def test_a_missing_path_ends_with_2(tmp_path, capsys):
    assert main(["window", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_a_warehouse_in_no_folder_ends_with_2(tmp_path, capsys):
    ClaudeStory(tmp_path / "a.jsonl").said("m1", read=9)
    (tmp_path / "notes").touch()

    asked = ["window", str(tmp_path / "a.jsonl"), "--warehouse", str(tmp_path / "notes" / "w")]
    assert main(asked) == 2
    assert "notes is no folder" in capsys.readouterr().err


def test_no_folder_of_any_agent_ends_with_2(capsys):
    assert main(["window"]) == 2
    assert "name a PATH" in capsys.readouterr().err


def test_whoever_waits_is_told_of_each_file_that_is_there(tmp_path, monkeypatch):
    told = []
    reading = partial(nullcontext, told.append)
    monkeypatch.setattr("compact_guard.progress.reading", lambda *what, **how: reading())
    (tmp_path / "a").write_bytes(b"12345")

    with window.telling(is_wanted=True) as tell:
        tell(tmp_path / "a")
        tell(tmp_path / "gone")

    assert told == [5]

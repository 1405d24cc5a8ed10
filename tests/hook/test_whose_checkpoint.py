"""Each session is given what is its own, whatever its agent, folder or file is called."""

import json
import unicodedata

import pytest

from tests.hook.conftest import payload_of
from tests.hook.transcripts import Transcript


def said_in(folder, name: str, words: str) -> Transcript:
    """The transcript of a session in which that was typed."""
    folder.mkdir(parents=True, exist_ok=True)
    return Transcript(folder / f"{name}.jsonl", name).typed(words).answered("Understood.")


@pytest.mark.parametrize("newer", ["s1", "s2"])
def test_of_two_sessions_in_one_folder_each_gets_its_own(guard, tmp_path, newer):
    words = {"s1": "Use DuckDB, never SQLite.", "s2": "Count the herons, never the storks."}
    told = {name: said_in(tmp_path, name, text) for name, text in words.items()}
    for name in sorted(told, key=lambda name: name == newer):
        guard.pre_compact(told[name].path, session_id=name)

    for name, other in (("s1", "s2"), ("s2", "s1")):
        text = guard.injected_text(told[name].path, session_id=name)
        assert words[name] in text
        assert words[other] not in text


def test_a_fork_whose_first_hook_names_its_parent_takes_nothing_from_it(guard, tmp_path):
    parent = said_in(tmp_path, "s1", "Use DuckDB, never SQLite.")
    guard.pre_compact(parent.path)
    fork = said_in(tmp_path, "s2", "In the fork we count the herons at dawn.")

    assert guard.session_start(parent.path, source="resume").stdout == b""
    guard.pre_compact(fork.path, session_id="s2")
    own = guard.injected_text(fork.path, session_id="s2")

    assert "herons at dawn" in own
    assert "SQLite" not in own
    assert "never SQLite" in guard.injected_text(parent.path)
    starts = [row for row in guard.rows() if row["event"] == "session_start"]
    saves = [row for row in guard.rows() if row["event"] == "pre_compact"]
    assert {row["checkpoint_hash"] for row in starts} == {row["checkpoint_hash"] for row in saves}
    assert len({row["session_hash"] for row in starts}) == 2


def test_a_transcript_that_moves_between_two_hooks_is_known_by_its_first_line(guard, tmp_path):
    before = said_in(tmp_path / "project", "s1", "Use DuckDB, never SQLite.")
    guard.pre_compact(before.path)
    moved = tmp_path / "worktree" / "s1.jsonl"
    moved.parent.mkdir()
    before.path.rename(moved)

    assert "never SQLite" in guard.injected_text(moved)


def test_an_emoji_in_a_path_and_a_mark_before_the_payload_are_no_obstacles(guard, tmp_path):
    story = said_in(tmp_path / "⚙️ Meta", "s1", "Use DuckDB, never SQLite.")
    payload = payload_of("pre_compact", story.path)

    guard.run("pre_compact", b"\xef\xbb\xbf" + json.dumps(payload, ensure_ascii=False).encode())

    assert guard.last()["outcome"] == "saved"
    assert "never SQLite" in guard.injected_text(story.path)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_folder_spelled_in_the_other_form_of_its_letters_is_found(guard, tmp_path, form):
    story = said_in(tmp_path / "projects" / "-home-Rene-e", "s1", "Use DuckDB, never SQLite.")
    told = unicodedata.normalize(form, "-home-René-é")

    guard.pre_compact(story.path.parent.with_name(told) / "s1.jsonl")

    assert guard.last()["outcome"] == "saved"

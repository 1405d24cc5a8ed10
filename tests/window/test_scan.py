"""Damage of every kind is counted by file and reason, and loses nothing that can be read."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compact_guard.errors import UsageError
from compact_guard.transcripts import stretches
from compact_guard.window import scan as scanning
from tests.window.stories import ClaudeStory
from tests.window.studies import studied


def told(story):
    """Turns, rejected lines by reason, recovered lines."""
    found = story.scan()
    turns = [event.event_key for event in found.events if event.kind == "turn"]
    return turns, found.file.rejected, found.file.recovered_lines


def line(story, message_id):
    return json.dumps(story.response(message_id)).encode()


@pytest.fixture
def story(tmp_path):
    return ClaudeStory(tmp_path / "a.jsonl").typed().said("m1")


def test_a_torn_line_is_counted_and_the_next_one_read(story):
    story.raw(b'{"type":"assistant","message":{"id"\n').said("m2")

    assert told(story) == (["m1", "m2"], "torn=1", 0)


def test_a_last_line_that_breaks_off_is_counted(story):
    story.raw(b'{"type":"assistant","mess')

    assert told(story) == (["m1"], "torn=1", 0)


def test_lines_glued_together_are_recovered_whole(story):
    story.raw(line(story, "m2") + line(story, "m3") + b"\n")

    assert told(story) == (["m1", "m2", "m3"], "", 1)


def test_what_follows_a_torn_line_on_the_same_line_is_not_lost_in_silence(story):
    story.raw(b'{"type":"user","message":{"role":"us' + line(story, "m2") + b"\n").said("m3")

    assert told(story) == (["m1", "m3"], "torn=1", 0)


def test_a_run_of_nul_bytes_is_counted_and_what_follows_it_is_read(story):
    story.raw(b"\0" * 300 + b"\n").raw(b"\0" * 8 + line(story, "m2") + b"\n").said("m3")

    assert told(story) == (["m1", "m2", "m3"], "nul=2", 0)


def test_a_byte_order_mark_and_windows_line_ends_are_no_damage(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl")
    story.raw(b"\xef\xbb\xbf" + line(story, "m1") + b"\r\n" + line(story, "m2") + b"\r\n\r\n")

    assert told(story) == (["m1", "m2"], "", 0)


def test_half_a_character_in_an_escape_is_no_damage(story):
    story.raw(line(story, "m2").replace(b'"isSidechain"', b'"x": "\\ud83d", "isSidechain"') + b"\n")

    assert told(story) == (["m1", "m2"], "", 0)


def test_json_that_is_no_object_is_counted(story):
    story.raw(b"[]\n42\n")

    assert told(story) == (["m1"], "not_an_object=2", 0)


def test_a_line_too_long_to_hold_is_counted_and_skipped(story, monkeypatch):
    monkeypatch.setattr(stretches, "LINE_BYTES_MAX", 5_000)
    story.raw(b'{"x":"' + b"y" * 12_000 + b'"}\n').said("m2")

    assert told(story) == (["m1", "m2"], "too_long=1", 0)


def test_objects_nested_too_deeply_are_counted(story):
    story.raw(b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n").said("m2")

    turns, rejected, _ = told(story)

    assert turns == ["m1", "m2"]
    assert rejected in ("", "torn=1")


def test_a_packed_file_counts_like_a_plain_one(story):
    packed = story.path.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(story.path.read_bytes()))

    assert scanning.scan(packed).events == story.scan().events


def test_a_packed_file_that_breaks_off_gives_what_stands_before(story):
    for number in range(200):
        story.said(f"n{number}")
    packed = story.path.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(story.path.read_bytes())[:-400])

    found = scanning.scan(packed)

    assert "broken_stream=1" in found.file.rejected
    assert found.events


def test_a_study_says_of_each_file_why_it_was_not_read(tmp_path):
    ClaudeStory(tmp_path / "good.jsonl").said("m1")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    (tmp_path / "foreign.jsonl").write_bytes(b'{"event": "click"}\n' * 3)

    files = {file["path"].rpartition("/")[2]: file for file in studied(tmp_path)["files"]}

    assert {name: file["reject_reason"] for name, file in files.items()} == {
        "good.jsonl": None,
        "empty.jsonl": "no_object",
        "foreign.jsonl": "foreign",
    }
    assert files["foreign.jsonl"]["lines"] == 3


def test_a_file_that_may_not_be_opened_is_counted(tmp_path, monkeypatch):
    ClaudeStory(tmp_path / "open.jsonl").said("m1")
    ClaudeStory(tmp_path / "closed.jsonl").said("m2")
    really = scanning.open_raw

    def opened(path):
        if path.name == "closed.jsonl":
            raise PermissionError(13, "Permission denied", str(path))
        return really(path)

    monkeypatch.setattr(scanning, "open_raw", opened)
    reasons = [file["reject_reason"] for file in studied(tmp_path)["files"]]

    assert sorted(map(str, reasons)) == ["None", "no_access"]


def test_a_folder_that_may_not_be_listed_is_counted(tmp_path):
    """The search names such a folder among the files."""
    assert scanning.scan(tmp_path).file.reject_reason == "no_access"


def test_a_study_of_nothing_readable_says_so(tmp_path):
    (tmp_path / "empty.jsonl").write_bytes(b"")

    with pytest.raises(UsageError, match=r"could be read.*1 no_object"):
        studied(tmp_path)


@given(damage=st.binary(max_size=60).filter(lambda text: b"\n" not in text and text.strip()))
def test_no_damage_on_a_line_of_its_own_costs_a_response(damage, tmp_path_factory):
    story = ClaudeStory(tmp_path_factory.mktemp("damage") / "a.jsonl").said("m1")
    story.raw(damage + b"\n").said("m2")

    turns, _, _ = told(story)

    assert turns == ["m1", "m2"]
    assert story.scan().file.lines_read == 3

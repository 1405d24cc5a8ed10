"""Bytes to objects: offsets are exact, damage is found, nothing is lost with it."""

import gzip
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compact_guard.transcripts import stretches
from compact_guard.transcripts.lines import objects_in
from tests.transcripts.stories import ClaudeStory
from tests.zstandard import zstd

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(), JSON), min_size=1, max_size=4)
SEPARATORS = st.sampled_from([b"", b" ", b"\t", b"\r"])


@given(OBJECTS, SEPARATORS)
def test_every_object_is_found_where_its_first_byte_stands(objects, separator):
    line = b""
    expected = []
    for record in objects:
        line += separator
        expected.append((len(line), record))
        line += json.dumps(record, ensure_ascii=True).encode()

    found = objects_in(line + b"\r\n")

    assert found.found == expected
    assert found.damage_offsets == []


@given(st.binary(max_size=60))
def test_no_bytes_are_too_strange_to_be_told_apart(noise):
    found = objects_in(noise)

    assert all(noise[offset : offset + 1] == b"{" for offset, _ in found.found)
    assert all(0 <= offset < len(noise) for offset in found.damage_offsets)


def test_a_torn_object_before_the_line_end_is_damage_and_what_stands_before_it_is_kept():
    found = objects_in(b'{"a":1}{"b":"tor\n')

    assert found.found == [(0, {"a": 1})]
    assert found.damage_offsets == [7]


def test_a_run_of_nul_bytes_is_one_damage_and_the_object_behind_it_is_kept():
    found = objects_in(b"\0" * 300 + b'{"a":1}\n')

    assert found.found == [(300, {"a": 1})]
    assert found.damage_offsets == [0]


def test_bytes_that_are_no_utf8_inside_a_string_are_readable_and_counted():
    found = objects_in(b'{"a":"\x8f\x9d"}{"b":2}\n')

    assert [offset for offset, _ in found.found] == [0, 10]
    assert found.damage_offsets == []
    assert not found.is_valid_utf8


def test_half_an_emoji_that_the_agent_escaped_is_readable():
    assert objects_in(b'{"a":"\\ud83d"}\n').found == [(0, {"a": "\ud83d"})]


def test_a_byte_order_mark_is_no_damage():
    found = objects_in(b'\xef\xbb\xbf{"a":1}\n')

    assert found == ([(3, {"a": 1})], [], True)


@pytest.mark.parametrize("line", [b"[1]\n", b"7\n", b'"text"\n', b'{"a":1} TRAILER\n'])
def test_what_is_no_object_is_damage(line):
    assert objects_in(line).damage_offsets != []


def test_endless_nesting_is_damage_not_a_crash():
    assert objects_in(b'{"a":' * 100_000 + b"\n").damage_offsets == [0]


def test_a_line_longer_than_the_bound_is_one_unreadable_line_and_the_rest_is_read(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(stretches, "LINE_BYTES_MAX", 1_000)
    story = ClaudeStory(tmp_path / "s.jsonl").typed().typed("x" * 5_000).boundary()

    read = story.read()

    assert [fact.kind for fact in read.events] == ["user_prompt", "unreadable", "boundary"]
    assert [fact.byte_offset for fact in read.events] == story.offsets
    assert read.file.complete_bytes == story.path.stat().st_size
    assert read.file.unreadable_lines == 1


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".zst", zstd.compress)])
class TestCompressed:
    def test_a_compressed_file_proves_what_the_plain_one_proves(self, tmp_path, suffix, compress):
        story = ClaudeStory(tmp_path / "s.jsonl").typed().answered("m1").boundary().answered("m2")
        packed = tmp_path / f"s.jsonl{suffix}"
        packed.write_bytes(compress(story.path.read_bytes()))
        plain = story.read()

        story.path = packed

        assert story.read().events == plain.events
        assert story.read().file == plain.file._replace(file=str(packed))

    def test_a_file_that_breaks_off_keeps_what_stands_before(self, tmp_path, suffix, compress):
        story = ClaudeStory(tmp_path / f"s.jsonl{suffix}")
        words = random.Random(7)
        for _ in range(3_000):
            story.typed(f"{words.getrandbits(1_000):x}")
        whole = story.path.read_bytes()
        packed = compress(whole)
        story.path.write_bytes(packed[: len(packed) * 3 // 4])

        read = story.read()

        assert read.file.agent == "claude-code"
        assert 0 < read.file.complete_bytes < len(whole)
        assert read.events[-1] == (read.file.complete_bytes, "unreadable", *[None] * 6)

    def test_garbage_under_a_compressed_name_is_no_transcript(self, tmp_path, suffix, compress):
        story = ClaudeStory(tmp_path / f"s.jsonl{suffix}").raw(b"this was never compressed\n" * 9)

        assert story.read().file.reject_reason == "no_object"
        assert story.read().file.unreadable_lines == 1

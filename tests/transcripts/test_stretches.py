"""Reading stretches of lines at once finds what reading every line by itself finds."""

import io
from contextlib import contextmanager
from unittest import mock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compact_guard.agents.claude_code import usage as claude_code
from compact_guard.agents.codex import usage as codex
from compact_guard.transcripts import stretches, witness
from compact_guard.transcripts.lines import Line
from compact_guard.transcripts.stretches import Stretch
from compact_guard.window.scan import scan
from tests.transcripts.damage import CONTENTS


class Anything(msgspec.Struct):
    """Every object has this shape."""


decode_lines = msgspec.json.Decoder(Anything).decode_lines
SIZES = st.sampled_from([1, 7, 64, 900, 1 << 20])


@contextmanager
def reading_by(size: int):
    with (
        mock.patch.object(stretches, "STRETCH_BYTES", size),
        mock.patch.object(stretches, "HALVED_BYTES_MIN", size // 4),
    ):
        yield


@contextmanager
def reading_line_by_line():
    """Every line goes through a parser that builds all of it."""

    def refuse(self, line_number, line):
        raise msgspec.DecodeError

    with (
        mock.patch.object(Stretch, "rows", return_value=None),
        mock.patch.object(claude_code.Reader, "take", refuse),
        mock.patch.object(codex.Reader, "take", refuse),
    ):
        yield


def of(content: bytes) -> Stretch:
    return Stretch(bytearray(content), 0, len(content), 0)


def lines_of(content: bytes) -> list[bytes]:
    *ended, last = content.split(b"\n")
    return [line + b"\n" for line in ended] + ([last] if last else [])


def read_in_stretches(content: bytes) -> list[Line]:
    stream = io.BytesIO(content)
    return [line for stretch in stretches.stretches(stream) for line in stretch.lines()]


TEXTS = st.lists(st.sampled_from([b"a", b"bc" * 9, b"\n", b"\r", b"\0"])).map(b"".join)


@given(TEXTS, SIZES)
def test_lines_are_those_that_line_feeds_divide_whatever_the_size_of_a_stretch(content, size):
    with reading_by(size):
        found = read_in_stretches(content)

    assert [line.content for line in found] == lines_of(content)
    assert [line.offset for line in found] == offsets_of(lines_of(content))
    assert all(line.is_complete == line.content.endswith(b"\n") for line in found)


def offsets_of(lines: list[bytes]) -> list[int]:
    return [sum(map(len, lines[:index])) for index in range(len(lines))]


@given(TEXTS, SIZES)
def test_a_line_too_long_to_hold_is_told_with_its_place_and_the_others_are_held(content, size):
    with reading_by(size), mock.patch.object(stretches, "LINE_BYTES_MAX", 20):
        found = read_in_stretches(content)

    expected = lines_of(content)
    assert [(line.offset, line.end - line.offset) for line in found] == list(
        zip(offsets_of(expected), map(len, expected), strict=True)
    )
    for line, text in zip(found, expected, strict=True):
        assert line.content in ((text, None) if len(text) == 20 else (text,)) or len(text) > 20
        assert line.is_complete == text.endswith(b"\n")


@given(CONTENTS)
def test_rows_are_given_only_where_each_line_is_one_object(content):
    rows = of(content).rows(decode_lines)

    singly = [is_one_object(line) for line in content.split(b"\n")[:-1]]
    is_plain = bool(singly) and content.endswith(b"\n") and all(singly)
    assert rows is None or (is_plain and len(rows) == len(singly))


@pytest.mark.parametrize(
    "content",
    [
        b'{"a":\n1}{}\n',
        b"{}{}\n\n",
        b"\n{}{}\n",
        b"{}{}\n",
        b"{}",
        b"{}\r\n{}\r\n",
        b"{}\n[]\n",
        b"",
    ],
)
def test_lines_that_only_together_hold_as_many_objects_are_not_plain(content):
    assert of(content).rows(decode_lines) is None


def is_one_object(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=Anything)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


@given(content=CONTENTS, size=SIZES)
def test_the_witness_says_the_same_as_when_it_reads_line_by_line(content, size, tmp_path_factory):
    path = tmp_path_factory.mktemp("damage") / "s.jsonl"
    path.write_bytes(content)

    with reading_by(size):
        found = witness.read(path)
    with reading_line_by_line():
        expected = witness.read(path)

    # What can prove nothing is not decoded: bytes in it that are no UTF-8 do not show.
    seen = found.file._replace(invalid_utf8_lines=0)
    assert (seen, found.events) == (expected.file._replace(invalid_utf8_lines=0), expected.events)


@given(content=CONTENTS, size=SIZES)
def test_the_study_says_the_same_as_when_it_reads_line_by_line(content, size, tmp_path_factory):
    path = tmp_path_factory.mktemp("damage") / "s.jsonl"
    path.write_bytes(content)

    with reading_by(size):
        found = scan(path)
    with reading_line_by_line():
        expected = scan(path)

    assert found == expected

"""What is shown, in which colours, to whom; and who is asked."""

import io
import sys

import pytest

from compact_guard.install import consent


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


OLD = b'\xef\xbb\xbf{\r\n"a": 1\r\n}\r\n'
NEW = b'\xef\xbb\xbf{\r\n"a": 1,\r\n"b": 2\r\n}\r\n'


def test_the_difference_is_shown_without_marks_and_line_ends():
    assert consent.diff("f", OLD, NEW) == [
        "--- f",
        "+++ f",
        "@@ -1,3 +1,4 @@",
        " {",
        '-"a": 1',
        '+"a": 1,',
        '+"b": 2',
        " }",
    ]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (None, b"{}\n", ["--- (no file)", "+++ f", "@@ -0,0 +1 @@", "+{}"]),
        (b"{}\n", None, ["--- f", "+++ (no file)", "@@ -1 +0,0 @@", "-{}"]),
    ],
)
def test_a_new_and_a_removed_file_are_shown_as_such(before, after, shown):
    assert consent.diff("f", before, after) == shown


def test_characters_that_steer_a_terminal_are_not_passed_on():
    (*_, line) = consent.diff("f", None, '"\x9b2J\u202e"'.encode())

    assert line == '+"\ufffd2J\ufffd"'


@pytest.mark.parametrize(
    ("stream", "environment", "expected"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colours_are_for_terminals_of_people_who_want_them(stream, environment, expected):
    assert consent.has_colours(stream, environment) is expected


def test_on_a_terminal_the_difference_is_coloured(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", Terminal())

    assert consent.diff("f", None, b"{}")[-1] == "\x1b[32m+{}\x1b[0m"


def test_a_terminal_that_cannot_show_a_character_gets_its_escape(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)

    consent.say(["ключ"])

    assert stream.buffer.getvalue() == b"\\u043a\\u043b\\u044e\\u0447\n"

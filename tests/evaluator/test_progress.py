"""Whoever waits at a terminal sees what is read; a pipe sees nothing."""

import io
import sys

import pytest

from compact_guard import progress


class Terminal(io.StringIO):
    """Standard error of a person."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch):
    """Call it to make standard error a terminal: pytest puts its own back after set-up."""

    def sit_down() -> Terminal:
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        return stream

    return sit_down


def test_what_takes_a_second_shows_how_much_was_read(terminal, monkeypatch):
    screen = terminal()
    monkeypatch.setattr(progress, "_SILENT_SECONDS", -1.0)

    with progress.reading("reading audit logs", is_wanted=True) as advance:
        advance(3_000_000)

    assert "reading audit logs" in screen.getvalue()


def test_the_base_installation_shows_a_line_that_it_wipes_away(terminal, monkeypatch):
    screen = terminal()
    monkeypatch.setattr(progress, "_SILENT_SECONDS", -1.0)
    monkeypatch.setitem(sys.modules, "rich.progress", None)  # importing it fails

    with progress.reading("reading", is_wanted=True, total=5_000_000) as advance:
        advance(3_000_000)

    assert screen.getvalue() == "\rreading: 3 of 5 MB\r                  \r"


def test_where_the_end_is_known_a_bar_shows_how_far_it_is(terminal, monkeypatch):
    screen = terminal()
    monkeypatch.setattr(progress, "_SILENT_SECONDS", -1.0)

    with progress.reading("reading", is_wanted=True, total=6_000_000) as advance:
        advance(3_000_000)

    assert "3.0/6.0 MB" in screen.getvalue()


def test_what_is_done_at_once_shows_nothing(terminal):
    screen = terminal()
    with progress.reading("reading audit logs", is_wanted=True) as advance:
        advance(3_000_000)

    assert screen.getvalue() == ""


def test_it_can_be_unwanted(terminal):
    terminal()
    with progress.reading("reading audit logs", is_wanted=False) as advance:
        assert advance is progress.silent


def test_a_pipe_sees_neither_progress_nor_waiting(capsys):
    with progress.reading("reading audit logs", is_wanted=True) as advance:
        assert advance is progress.silent
    progress.tell("waiting")

    assert capsys.readouterr() == ("", "")


def test_a_person_is_told_for_whom_they_wait(terminal):
    screen = terminal()
    progress.tell("waiting: w.duckdb is in use by PID 7")

    assert screen.getvalue() == "compact-guard: waiting: w.duckdb is in use by PID 7\n"


def test_a_warning_goes_wherever_standard_error_goes(capsys):
    progress.warn("the warehouse was damaged")

    assert capsys.readouterr().err == "compact-guard: WARNING: the warehouse was damaged\n"

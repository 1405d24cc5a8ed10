"""Widths as they are seen."""

import pytest

from compact_guard.replay import phrases, terminal


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("heron", 5, "heron"),
        ("kingfisher", 5, "king…"),
        ("所有时间", 8, "所有时间"),
        ("所有时间必须", 8, "所有时…"),
        ("e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"),
        ("a b", 3, "a b"),
        ("a bc", 3, "a…"),
    ],
)
def test_what_is_too_wide_is_cut_and_marked(text, cells, shown):
    assert terminal.shortened(text, cells) == shown


def test_lines_are_as_wide_as_they_are_seen():
    assert terminal.wrapped("所有时间必须是 UTC 。", 10) == ["所有时间必", "  须是 UTC", "  。"]
    assert terminal.wrapped("a heron and a crane", 10, "") == ["a heron", "and a", "crane"]


def test_counts_are_told_in_words():
    counts = {"corrections": 1, "decisions": 0, "evidence": 1, "recent": 2_000}

    assert phrases.ranked(counts) == "1 correction, 1 piece of evidence and 2,000 recent statements"
    assert phrases.ranked({"tasks": 0}) == "nothing"
    assert (phrases.sized(23_000), phrases.sized(123_000_000)) == ("23 kB", "123.0 MB")

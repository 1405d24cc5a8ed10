"""`compact-guard simulate`: what it prints, and how it ends."""

import argparse
import json
from itertools import pairwise

import pytest

from compact_guard.cli import main
from compact_guard.commands import window
from compact_guard.window import window_range
from tests.window import histories
from tests.window.stories import ClaudeStory


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    return histories.change_of_window(tmp_path_factory.mktemp("history"), sessions=16)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path / "home"))


def test_json_alone_stands_on_standard_output(history, capfdbinary):
    assert main(["simulate", "--json", "--windows", "80k,100k", str(history)]) == 0

    answer = json.loads(capfdbinary.readouterr().out)
    [model] = answer["models"]
    assert [row["window"] for row in model["windows"]] == [80_000, 100_000]
    assert abs(answer["back_test"]["cost_per_turn_usd"]["error"]) < 0.1


def test_a_person_sees_money_and_waiting_side_by_side(history, capsys):
    assert main(["simulate", "--hour", "50", str(history)]) == 0

    told = capsys.readouterr().out
    assert len(told.splitlines()) <= 28
    for words in ("best: compaction at", "with waiting", "present", "beyond what was seen",
                  "naive replay", "assumed:"):  # fmt: skip
        assert words in told


def test_many_models_still_fit_a_screen(tmp_path, capsys):
    for number in range(24):
        model = f"claude-opus-4-{5 + number % 4}"
        histories.session(tmp_path / "t", number, 100_000, turns=40, model=model)
    for number in range(5):
        story = ClaudeStory(tmp_path / "t" / f"small{number}.jsonl", f"small{number}")
        story.said(f"m{number}", read=9, model="claude-haiku-4-5")

    assert main(["simulate", "--no-cache", str(tmp_path / "t")]) == 0

    told = capsys.readouterr().out
    assert len(told.splitlines()) <= 45
    assert "claude-haiku-4-5: no session grew as large as" in told


def test_nothing_readable_ends_with_2(tmp_path, capsys):
    (tmp_path / "empty").mkdir()

    assert main(["simulate", str(tmp_path / "empty")]) == 2
    assert "could be read" in capsys.readouterr().err


def test_a_range_of_windows_is_even_and_holds_both_ends():
    tried = window_range.windows("50k..1M")

    assert (tried[0], tried[-1]) == (50_000, 1_000_000)
    ratios = [after / before for before, after in pairwise(tried)]
    assert max(ratios) < 1.12
    assert min(ratios) > 1.06


@pytest.mark.parametrize("text", ["1M", "0.2m,150K", "1000"])
def test_windows_can_be_listed(text):
    assert window_range.windows(text)[-1] in (1_000_000, 200_000, 1_000)


@pytest.mark.parametrize("text", ["", "9", "k", "1M..50k", "50k..", "50k..50k", "-1k", "1e9k"])
def test_what_is_no_window_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError):
        window_range.windows(text)


@pytest.mark.parametrize("text", ["-1", "nan", "inf"])
def test_what_is_no_price_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError):
        window.dollars(text)

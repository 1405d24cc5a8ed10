"""What is shared holds ratios and nothing else."""

import json
import re

import pytest

from compact_guard.cli import main
from compact_guard.window import share
from tests.window import histories
from tests.window.stories import MODEL, ClaudeStory
from tests.window.studies import studied


def shared(study):
    return json.loads(share.ratios(json.dumps(study).encode()))


def leaves(value):
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not isinstance(value, dict | list):
        yield value
    for part in parts:
        yield from leaves(part)


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    return histories.change_of_window(tmp_path_factory.mktemp("history"))


def test_nothing_but_a_verdict_and_ratios_is_shared(history):
    text = json.dumps(shared(studied(history)))

    assert [one for one in leaves(json.loads(text)) if isinstance(one, str)] == ["KEEP"]
    numbers = [one for one in leaves(json.loads(text)) if isinstance(one, int | float)]
    assert len(numbers) > 20
    assert max(numbers) < 20
    assert not re.search(r"herons|project|s0\d\d|2026|\.jsonl|" + MODEL, text)


def test_other_prices_give_the_same_ratios(history, tmp_path):
    """Whoever sees them learns no dollar: twice the price of everything changes nothing."""
    answers = []
    for factor in (1, 2):
        prices = tmp_path / f"{factor}.toml"
        prices.write_text(
            f'[[price]]\nmodel = "{MODEL}"\ninput = {4 * factor}\noutput = {20 * factor}\n'
            f"cache_read = {0.4 * factor}\ncache_write_5m = {5 * factor}\n"
            f"cache_write_1h = {8 * factor}\n"
        )
        answers.append(shared(studied(history, prices=prices)))

    assert answers[0] == answers[1]


def test_shares_add_up(history):
    told = shared(studied(history))

    assert sum(row["share_of_spend"] for row in told["spend_by_context"]) == pytest.approx(
        1, abs=0.03
    )
    assert sum(row["share"] for row in told["compactions"]) == pytest.approx(1, abs=0.03)
    assert told["change"]["window_after_of_before"] == pytest.approx(0.5, abs=0.05)


def test_a_study_of_nearly_nothing_can_be_shared(tmp_path):
    ClaudeStory(tmp_path / "a.jsonl").said("m1", read=9, model="heron-9")

    told = shared(studied(tmp_path))

    assert told["change"] is None
    assert (told["unpriced_share"], told["output_stub_share"]) == (1.0, 1.0)
    assert told["spend_by_context"][0]["share_of_spend"] is None


def test_the_command_prints_it_alone(history, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path / "home"))

    assert main(["window", "--share", str(history)]) == 0

    assert json.loads(capsys.readouterr().out)["verdict"] == "KEEP"

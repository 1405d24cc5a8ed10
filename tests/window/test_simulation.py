"""The replay against other windows: right where the truth is known, and honest where it is not."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.window import comparison, growth, rules, simulation
from compact_guard.window.growth import Fit, Rates, Step, Work
from compact_guard.window.replay import replay
from tests.window import histories
from tests.window.stories import ClaudeStory
from tests.window.studies import built

FIT = Fit((0.0,) * 15, 20_000, 0.5, 1_000, 60.0, 9)
RATES = (Rates(-1, 1e-6, 5e-6, 20e-6),)


def simulated(*paths, windows=(60_000, 100_000, 160_000), hour=0.0, change=None):
    with built(*paths) as connection:
        compared = comparison.compare(connection, rules.load(), change)
        question = simulation.Question(windows, hour)
        return simulation.simulate(connection, compared, question)


def work(grown, first=20_000, rates=RATES):
    steps, context = [], first
    for turn, tokens in enumerate(grown, start=1):
        context += tokens
        steps.append(Step(0, turn, context, tokens if turn > 1 else None, 0.001, 0.1, False))
    return Work("claude-code", "s", "opus", None, tuple(steps), rates)


@pytest.mark.parametrize("read_again", [0, 6_000])
def test_the_window_that_was_in_effect_gives_what_happened(tmp_path, read_again):
    for number in range(12):
        histories.session(tmp_path, number, 100_000, turns=90 + number, read_again=read_again)

    with built(tmp_path) as connection:
        works, seen = growth.works(connection), growth.boundaries(connection)
        outcome = replay(works, growth.fit(works, seen), [100_000])
        spent = sum(step.cost_usd for one in works for step in one.steps)
        spent += sum(one.call_usd for one in seen)

    assert outcome.boundaries.sum() == pytest.approx(len(seen), rel=0.08)
    assert outcome.cost_usd.sum() == pytest.approx(spent, rel=0.08)


def test_the_back_test_is_right_where_the_naive_replay_promises_too_little(tmp_path):
    """A naive replay of sessions that hardly ever compacted forgets what is read again."""
    for number in range(48):
        window = 170_000 if number < 24 else 70_000
        histories.session(
            tmp_path, number, window, turns=60 + number % 7, written=4_000, read_again=6_000
        )

    told = simulated(tmp_path, change=histories.at(24))["back_test"]["boundaries_per_turn"]

    assert abs(told["error"]) < 0.1
    assert told["naive_error"] < -0.3


@pytest.mark.parametrize(("read_again", "error"), [(0, 0.05), (6_000, 0.35)])
def test_a_window_too_small_for_steady_growth_still_predicts_a_larger_one(
    tmp_path, read_again, error
):
    """Its stretches end before all re-reading is surely over: five to ten turns."""
    for number in range(48):
        window = 70_000 if number < 24 else 170_000
        histories.session(tmp_path, number, window, turns=80 + number % 7, read_again=read_again)

    told = simulated(tmp_path, change=histories.at(24))["back_test"]

    assert abs(told["boundaries_per_turn"]["error"]) < error
    assert abs(told["cost_per_turn_usd"]["error"]) < error


def test_a_dear_hour_moves_the_best_window_up(tmp_path):
    for number in range(10):
        histories.session(tmp_path, number, 160_000, turns=80)

    cheap, dear = (simulated(tmp_path, hour=hour)["models"][0] for hour in (0.0, 500.0))

    assert dear["best"]["window"] > cheap["best"]["window"]
    for row in dear["windows"]:
        waited = row["seconds_waited_per_turn"] * 500 / 3_600
        assert row["cost_with_waiting_usd"] == pytest.approx(row["cost_per_turn_usd"] + waited)


def test_the_present_window_is_among_those_tried(tmp_path):
    for number in range(10):
        histories.session(tmp_path, number, 120_000, turns=80)

    [model] = simulated(tmp_path)["models"]

    assert model["present_window"] == 120_000
    assert [row["window"] for row in model["windows"]] == [60_000, 100_000, 120_000, 160_000]
    assert [row["is_beyond_observed"] for row in model["windows"]] == [False, False, False, True]


@pytest.mark.parametrize(
    ("window", "windows", "reason"),
    [
        (1_000_000, (100_000,), "no compaction of this agent"),
        (100_000, (10_000,), None),
        (100_000, (900_000,), None),
    ],
)
def test_what_cannot_be_replayed_says_why(tmp_path, window, windows, reason):
    histories.session(tmp_path, 0, window, turns=40)

    [model] = simulated(tmp_path, windows=windows)["models"]

    assert (model["best"] is None) == bool(reason)
    assert reason is None or reason in model["reason"]
    assert all(row["window"] >= 25_000 for row in model["windows"])


def test_small_sessions_say_nothing_of_windows(tmp_path):
    ClaudeStory(tmp_path / "small.jsonl", "small").said("m", read=9, model="claude-haiku-4-5")
    histories.session(tmp_path, 0, 100_000, turns=40)

    models = {model["model"]: model for model in simulated(tmp_path)["models"]}

    assert "no session grew" in models["claude-haiku-4-5"]["reason"]


def test_without_a_change_there_is_no_back_test(tmp_path):
    histories.session(tmp_path, 0, 100_000, turns=40)

    assert simulated(tmp_path)["back_test"] is None


@given(st.lists(st.integers(0, 9_000), min_size=2, max_size=80), st.integers(30_000, 90_000))
@settings(max_examples=80)
def test_a_session_compacts_where_it_reaches_the_window_and_every_turn_costs(grown, window):
    outcome = replay([work(grown)], FIT, [window])

    assert outcome.turns.tolist() == [len(grown)]
    assert outcome.cost_usd[0][0] >= len(grown) * 0.001
    before_last = work(grown).steps[-2].context
    assert (outcome.boundaries[0][0] > 0) == (before_last >= window)


def test_even_growth_compacts_as_often_as_arithmetic_says():
    outcome = replay([work([4_000] * 101, first=16_000)], FIT, [60_000, 100_000, 10**9])

    # From 20,000 tokens, 10 or 20 turns of 4,000 fit in; the next one compacts.
    assert outcome.boundaries.tolist() == [[100 // 11, 100 // 21, 0]]


def test_sessions_do_not_disturb_each_other():
    short, long = work([3_000] * 9), work([5_000] * 60)
    together = replay([short, long], FIT, [50_000])

    for number, alone in enumerate((short, long)):
        single = replay([alone], FIT, [50_000])
        assert np.allclose(together.cost_usd[number], single.cost_usd[0])
        assert together.boundaries[number] == single.boundaries[0]


def test_a_dearer_tier_is_paid_above_its_size():
    tiers = (Rates(-1, 1e-6, 5e-6, 2e-5), Rates(200_000, 2e-6, 1e-5, 4e-5))
    grown = [10_000] * 40

    plain, tiered = (
        replay([work(grown, rates=rates)], FIT, [10**9]).cost_usd[0][0] for rates in (RATES, tiers)
    )
    below, tiered_below = (
        replay([work(grown, rates=rates)], FIT, [150_000]).cost_usd[0][0]
        for rates in (RATES, tiers)
    )

    assert tiered > 1.3 * plain
    assert tiered_below == pytest.approx(below)


def test_windows_as_good_as_the_best_are_told():
    assert simulation.flat({1: 5.0, 2: 3.0, 3: 3.02, 4: 4.0}) == {
        "window": 2,
        "flat_from": 2,
        "flat_to": 3,
    }


def test_the_answer_is_json_and_says_what_it_assumes(tmp_path):
    histories.session(tmp_path, 0, 100_000, turns=40)

    answer = simulated(tmp_path)

    assert json.loads(json.dumps(answer)) == answer
    assert len(answer["assumptions"]) == 6

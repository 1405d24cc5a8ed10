"""The interval of a difference: whole sessions, like for like."""

import random

import pytest

from compact_guard.window.resample import Sums, difference


def sessions(chance, mean, count=25, spread=0.3, stratum="a"):
    """Turns of one session cost alike: the session's own level is the noise."""
    found = []
    for _ in range(count):
        turns = chance.randint(20, 80)
        found.append(Sums(stratum, turns, turns * mean * chance.gauss(1, spread)))
    return found


def test_no_difference_is_within_the_interval_about_as_often_as_promised():
    chance = random.Random(11)
    held = 0
    for _ in range(150):
        found = difference(sessions(chance, 1.0), sessions(chance, 1.0), 0.95, 300)
        held += found.low <= 0 <= found.high

    assert held >= 0.88 * 150


def test_a_large_difference_is_found():
    chance = random.Random(12)
    found = difference(sessions(chance, 1.0), sessions(chance, 0.5), 0.95, 500)

    assert found.low < found.relative < found.high < 0
    assert found.relative == pytest.approx(-0.5, abs=0.15)


def test_a_shift_of_work_to_a_dearer_model_is_no_difference():
    cheap, dear = (Sums("cheap", 100, 100.0), Sums("dear", 100, 500.0))
    before, after = [cheap] * 9 + [dear], [cheap] + [dear] * 9

    assert difference(before, after, 0.95, 200).relative == pytest.approx(0)


def test_many_turns_of_few_sessions_do_not_make_it_sure():
    few = [Sums("a", 10_000, 10_000.0), Sums("a", 10_000, 30_000.0)]

    found = difference(few, [Sums("a", 10_000, 20_000.0)] * 2, 0.95, 400)

    assert found.high - found.low > 0.5


def test_the_same_sessions_give_the_same_interval():
    first, second = (
        difference(sessions(random.Random(3), 1), sessions(random.Random(4), 1), 0.95, 100)
        for _ in range(2)
    )

    assert first == second


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], []),
        ([Sums("a", 9, 1.0)], []),
        ([], [Sums("a", 9, 1.0)]),
        ([Sums("a", 9, 0.0)], [Sums("a", 9, 1.0)]),
        ([Sums("a", 9, 1.0)], [Sums("b", 9, 1.0)]),
    ],
    ids=["nothing", "no after", "no before", "free before", "nothing in common"],
)
def test_nothing_to_compare_is_no_difference(before, after):
    assert difference(before, after, 0.95, 100) is None

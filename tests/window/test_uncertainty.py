"""How sure the best window is: what few sessions, and few boundaries, leave open."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.window import growth, uncertainty
from compact_guard.window.growth import REGROWTH_TURNS, Boundary, Fit, Rates, Step, Work
from compact_guard.window.replay import replay, replay_fits
from compact_guard.window.uncertainty import Asked, Draw
from tests.window import histories
from tests.window.test_simulation import simulated

RATES = (Rates(-1, 1e-6, 5e-6, 20e-6),)
WINDOWS = list(range(40_000, 200_000, 10_000))


def session(number, again=0, turns=120, grown=3_000):
    """A session that grows evenly, compacts once at half way, and then reads so much again."""
    steps, context = [], 20_000
    for turn in range(turns):
        after = turn - turns // 2
        is_after = after >= 0
        more = 0 if turn == 0 else grown + (again if 0 < after <= 5 else 0)
        context = 20_000 if after == 0 else context + more
        place = after + 1 if is_after else turn + 1
        known = None if turn == 0 or after == 0 else more
        steps.append(Step(int(is_after), place, context, known, 0.001, 0.1, False))
    return Work("claude-code", f"s{number}", "opus", None, tuple(steps), RATES)


def boundary(number, after=20_000):
    return Boundary("claude-code", f"s{number}", after, after // 2, 1_000, 60.0, 0.0)


def told(works, seen, best=80_000, present=150_000):
    drawn = uncertainty.draws(works, seen)
    return uncertainty.ranges(works, drawn, Asked(WINDOWS, best, present, 0.0))


def test_sessions_that_are_all_alike_leave_nothing_open():
    works = [session(number) for number in range(12)]

    found = told(works, [boundary(number) for number in range(12)])

    assert found["low"] == found["high"]
    assert found["saving_low"] == pytest.approx(found["saving_high"])


def test_boundaries_that_differ_leave_the_window_open_though_the_work_is_alike():
    """A range of sessions alone, with one idea of what a boundary does, would be a point."""
    works = [session(number) for number in range(12)]
    seen = [boundary(number, 20_000 + 40_000 * (number % 2)) for number in range(12)]
    [fixed] = {
        int(np.argmin(replay(works, growth.fit(works, seen), WINDOWS).cost_usd[number]))
        for number in range(12)
    }

    found = told(works, seen)

    assert found["low"] < found["high"]
    assert found["low"] <= WINDOWS[fixed] <= found["high"]
    assert found["saving_low"] < found["saving_high"]


def test_fewer_sessions_leave_more_open(tmp_path):
    def width(count):
        works = [session(number, 4_000 * (number % 3), 80 + number % 9) for number in range(count)]
        seen = [boundary(number, 12_000 + 9_000 * (number % 4)) for number in range(count)]
        found = told(works, seen)
        return found["saving_high"] - found["saving_low"]

    assert width(6) > 1.5 * width(60)


@pytest.fixture(scope="module")
def population():
    """Four hundred sessions of different growth and boundaries, and the window best for all."""
    chance = random.Random(3)
    works = [
        session(number, chance.choice([0, 3_000, 9_000]), chance.randint(40, 160),
                chance.randint(1_500, 5_000))
        for number in range(400)
    ]  # fmt: skip
    seen = [boundary(number, chance.randint(12_000, 36_000)) for number in range(400)]
    costs = replay(works, growth.fit(works, seen), WINDOWS).cost_usd.sum(axis=0)
    return works, seen, WINDOWS[int(costs.argmin())]


def test_nine_in_ten_ranges_hold_what_is_best_for_all(population, monkeypatch):
    """Ranges from sessions alone, with what a boundary does held fixed, hold it less often."""
    monkeypatch.setattr(uncertainty, "DRAWS", 60)
    works, seen, truth = population
    chance, held, held_by_sessions_alone = random.Random(7), 0, 0
    for _ in range(14):
        numbers = [chance.randrange(400) for _ in range(25)]
        some = [works[n]._replace(session_hash=f"s{at}") for at, n in enumerate(numbers)]
        theirs = [seen[n]._replace(session_hash=f"s{at}") for at, n in enumerate(numbers)]
        drawn, fixed = uncertainty.draws(some, theirs), growth.fit(some, theirs)
        asked = Asked(WINDOWS, truth, None, 0.0)
        found = uncertainty.ranges(some, drawn, asked)
        alone = uncertainty.ranges(some, [Draw(fixed, one.times) for one in drawn], asked)
        held += found["low"] <= truth <= found["high"]
        held_by_sessions_alone += alone["low"] <= truth <= alone["high"]

    assert held >= 12
    assert held_by_sessions_alone < held


def test_a_draw_without_a_boundary_is_none():
    works = [session(number) for number in range(8)]

    drawn = uncertainty.draws(works, [boundary(0)])

    assert 0.4 * uncertainty.DRAWS < len(drawn) < 0.9 * uncertainty.DRAWS
    assert all(draw.times["claude-code", "s0"] for draw in drawn)


def test_a_model_that_no_draw_holds_has_no_range():
    works = [session(0)]
    drawn = uncertainty.draws(works, [boundary(0)])

    found = uncertainty.ranges([session(9)], drawn, Asked(WINDOWS, 80_000, None, 0.0))

    assert set(found.values()) == {None}


def test_the_same_sessions_give_the_same_range():
    works = [session(number, 5_000 * (number % 2)) for number in range(9)]
    seen = [boundary(number) for number in range(9)]

    assert told(works, seen) == told(works, seen)


@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=4),
    st.lists(st.floats(0, 20_000), min_size=1, max_size=3),
)
@settings(max_examples=40)
def test_each_of_several_fits_gives_what_it_gives_alone(lengths, excesses):
    works = [session(number, 3_000, turns) for number, turns in enumerate(lengths)]
    fits = [
        Fit((excess,) * REGROWTH_TURNS, 20_000 + excess, 0.5, 1_000, 60.0, 9) for excess in excesses
    ]

    together = replay_fits(works, fits, [50_000, 90_000])

    for number, fit in enumerate(fits):
        alone = replay(works, fit, [50_000, 90_000])
        assert np.allclose(together.cost_usd[:, number], alone.cost_usd)
        assert (together.boundaries[:, number] == alone.boundaries).all()
        assert (together.turns == alone.turns).all()


def test_a_simulation_says_what_the_best_window_saves_and_how_thin_it_is(tmp_path):
    for number in range(10):
        histories.session(tmp_path, number, 160_000, turns=80 + number)

    [model] = simulated(tmp_path)["models"]

    best = model["best"]
    assert best["low"] <= best["window"] <= best["high"]
    assert 0 < best["saving_low"] <= best["saving"] <= best["saving_high"] < 1
    assert best["is_thin"]

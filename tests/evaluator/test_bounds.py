"""The bounds, against the equations that define them."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from compact_guard.evaluator import bounds


def test_fifty_nine_passes_bound_the_rate_below_five_percent_and_fifty_eight_do_not():
    assert bounds.zero_failure_bound(59, 0.95) < 0.05 < bounds.zero_failure_bound(58, 0.95)


def test_nothing_seen_bounds_nothing():
    assert bounds.zero_failure_bound(0, 0.95) is None
    assert bounds.upper_bound(0, 0, 0.95) is None


def test_only_failures_bound_nothing_below_one():
    assert bounds.upper_bound(3, 3, 0.95) == 1.0


@settings(max_examples=100)
@given(st.integers(1, 400), st.floats(0.5, 0.999))
def test_a_rate_at_the_zero_failure_bound_would_have_shown_a_failure(trials, confidence):
    bound = bounds.zero_failure_bound(trials, confidence)

    assert math.pow(1 - bound, trials) == pytest.approx(1 - confidence)


@settings(max_examples=100)
@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n))))
def test_with_failures_so_few_of_them_are_that_unlikely_at_the_bound(counts):
    failures, trials = counts
    bound = bounds.upper_bound(failures, trials, 0.95)

    if failures < trials:
        assert binom.cdf(failures, trials, bound) == pytest.approx(0.05, abs=1e-9)

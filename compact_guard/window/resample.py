"""A difference between two periods with its interval, by resampling whole sessions.

Turns of one session resemble each other; so sessions are drawn, with replacement, within each
period (the percentile bootstrap of clusters). Each stratum, one project and model, weighs as
much before as after, so that a shift of work between them is no difference.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
_SEED = 20_261_130
_DRAWS_AT_ONCE = 250  # thousands of sessions times thousands of draws would fill the memory


class Sums(NamedTuple):
    """One session of one period: what is measured, summed over its turns."""

    stratum: object
    turns: int
    total: float


class Difference(NamedTuple):
    """Means per turn over both periods, and after minus before, relative to before, with ends."""

    before: float
    after: float
    relative: float
    low: float
    high: float


def difference(
    before: list[Sums], after: list[Sums], confidence: float, resamples: int
) -> Difference | None:
    """None where a side is empty or nothing before was measured above zero."""
    strata = sorted({one.stratum for one in [*before, *after]}, key=repr)
    weights = _weights(strata, before + after)
    generator = np.random.default_rng(_SEED)
    sides = [_by_stratum(side, strata, resamples, generator) for side in (before, after)]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = _means(sides, weights)
        relative = means[1] / means[0] - 1
    if not np.isfinite(relative[0]):
        return None
    drawn = relative[1:][np.isfinite(relative[1:])]
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Difference(
        float(means[0][0]), float(means[1][0]), float(relative[0]), float(low), float(high)
    )


def _weights(strata: list[object], sessions: list[Sums]) -> Array:
    """Each stratum's turns, over both periods."""
    return np.array([sum(one.turns for one in sessions if one.stratum == name) for name in strata])


def _by_stratum(
    sessions: list[Sums], strata: list[object], resamples: int, generator: Any
) -> tuple[Array, Array]:
    """Turns and totals by draw and stratum; the first draw is what was observed."""
    count = len(sessions)
    shape = (1 + resamples, len(strata))
    if not count:
        return np.zeros(shape), np.zeros(shape)
    belongs = np.array([[one.stratum == name for name in strata] for one in sessions], float)
    turns = np.array([one.turns for one in sessions], float)
    totals = np.array([one.total for one in sessions], float)
    sums = np.hstack([belongs * turns[:, None], belongs * totals[:, None]])
    parts = [sums.sum(axis=0, keepdims=True)]
    for start in range(0, resamples, _DRAWS_AT_ONCE):
        draws = min(_DRAWS_AT_ONCE, resamples - start)
        parts.append(generator.multinomial(count, np.full(count, 1 / count), size=draws) @ sums)
    drawn = np.vstack(parts)
    return drawn[:, : len(strata)], drawn[:, len(strata) :]


def _means(sides: list[tuple[Array, Array]], weights: Array) -> list[Array]:
    """Per draw, over the strata that both sides drew."""
    are_drawn = (sides[0][0] > 0) & (sides[1][0] > 0)
    used = np.where(are_drawn, weights, 0)
    share = used / used.sum(axis=1, keepdims=True)
    return [(np.where(are_drawn, totals / turns, 0) * share).sum(axis=1) for turns, totals in sides]

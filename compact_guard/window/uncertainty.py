"""How sure the best window is: sessions drawn anew, and with them what a boundary does.

Each draw takes as many whole sessions as there are, with replacement; what a boundary leaves, how
steep the growth after it is, how long one waits: all of it is fitted to the sessions of that draw,
and they alone are replayed. So a range holds what few sessions, and few boundaries, leave open.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from compact_guard.window import growth
from compact_guard.window.growth import Boundary, Fit, Work
from compact_guard.window.replay import Outcome, replay_fits

# Fewer whole sessions than that say too little of others: the range is then too narrow.
SESSIONS_MIN = 20
DRAWS = 200
_SEED = 20_261_130
_ENDS = (0.05, 0.95)

Row = dict[str, Any]
Array = npt.NDArray[np.float64]


class Draw(NamedTuple):
    """What a boundary does by the sessions drawn, and how often each was, by agent and hash."""

    fit: Fit
    times: Counter[tuple[str, str]]


def draws(works: Sequence[Work], seen: Sequence[Boundary]) -> list[Draw]:
    """Of the sessions of one agent; a draw without any boundary is none."""
    generator = np.random.default_rng(_SEED)
    found = []
    for _ in range(DRAWS):
        drawn = [works[number] for number in generator.integers(len(works), size=len(works))]
        fit = growth.fit(drawn, seen)
        if fit is not None:
            found.append(Draw(fit, Counter(_key(work) for work in drawn)))
    return found


class Asked(NamedTuple):
    """Windows that may be the best one, the one that is, and the present one, if it is known.

    `hour_usd` is the price of an hour of waiting.
    """

    windows: list[int]
    best: int
    present: int | None
    hour_usd: float


def ranges(works: list[Work], drawn: Sequence[Draw], asked: Asked) -> Row:
    """From `low` to `high` lies the best window of nine in ten draws; from `saving_low` to
    `saving_high` what the best one saves in them, as a share of the cost at the present one.

    Null where no draw, or no present window, is there to tell.
    """
    windows, present = asked.windows, asked.present
    weights = np.array([[draw.times[_key(work)] for work in works] for draw in drawn], float)
    used = [number for number, row in enumerate(weights) if row.any()]
    if not used:
        return {"low": None, "high": None, "saving_low": None, "saving_high": None}
    fits = [drawn[number].fit for number in used]
    tried = sorted({*windows, *([present] if present else [])})
    totals = _totals(replay_fits(works, fits, tried), fits, weights[used], asked.hour_usd)
    numbers = [tried.index(window) for window in windows]
    least = totals[:, numbers].argmin(axis=1)
    low, high = np.quantile(np.array(windows)[least], _ENDS, method="nearest")
    row: Row = {"low": int(low), "high": int(high), "saving_low": None, "saving_high": None}
    if present is None:
        return row
    saved = 1 - totals[:, tried.index(asked.best)] / totals[:, tried.index(present)]
    ends = np.quantile(saved, _ENDS)
    return row | {"saving_low": float(ends[0]), "saving_high": float(ends[1])}


def _totals(outcome: Outcome, fits: list[Fit], weights: Array, hour_usd: float) -> Array:
    """Dollars by draw and window."""
    waiting = np.array([fit.seconds for fit in fits]) * hour_usd / 3_600
    cost = outcome.cost_usd + outcome.boundaries * waiting[None, :, None]
    totals: Array = np.einsum("fs,sfw->fw", weights, cost)
    return totals


def _key(work: Work) -> tuple[str, str]:
    return work.agent, work.session_hash

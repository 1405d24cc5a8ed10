"""Each session's own growth, replayed against windows: how often it would have compacted.

A window here is a context: a session that has reached it compacts before its next turn. A turn
grows the context by what it grew in truth, less the re-reading after the boundaries that there
were, plus that after the boundaries that the replay makes. All sessions and windows advance
together, turn by turn.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from compact_guard.window.growth import Fit, Work

Array = npt.NDArray[np.float64]

# Nearer to what a boundary leaves than this, a window would compact without end.
ROOM = 1.25


class Outcome(NamedTuple):
    """By session and window; `turns` by session. Compactions' calls are in `cost_usd`."""

    turns: Array
    boundaries: Array
    cost_usd: Array


class _Turns(NamedTuple):
    """By session and turn, padded at the end with turns that are not there."""

    exists: npt.NDArray[np.bool_]
    grown: Array
    own_usd: Array
    is_cold: npt.NDArray[np.bool_]


def replay(works: list[Work], fit: Fit, windows: list[int]) -> Outcome:
    """What these sessions would have done and cost at each window, in tokens."""
    turns = _padded(works, fit)
    limit = np.array(windows, float)[None, :]
    shape = (len(works), len(windows))
    first = np.array([float(work.steps[0].context) for work in works])[:, None]
    context, since = np.broadcast_to(first, shape), np.full(shape, 1 << 30)
    boundaries, cost = np.zeros(shape), np.zeros(shape)
    excess = np.array([*fit.excess, 0.0])
    for turn in range(turns.exists.shape[1]):
        exists = turns.exists[:, turn][:, None]
        steeper = excess[np.minimum(since, len(fit.excess))]
        wanted = np.maximum(context + turns.grown[:, turn][:, None] + steeper, 1.0)
        compacts = exists & (context >= limit)
        given = np.where(compacts, fit.context_after, wanted)
        kept = np.where(compacts, fit.read_share_after * fit.context_after, context)
        kept = np.where(turns.is_cold[:, turn][:, None], 0.0, np.minimum(kept, given))
        read, write, _ = _rates(works, given)
        spent = turns.own_usd[:, turn][:, None] + kept * read + (given - kept) * write
        call_read, _, call_output = _rates(works, context)
        call = context * call_read + fit.summary_tokens * call_output
        cost += np.where(exists, spent + np.where(compacts, call, 0.0), 0.0)
        boundaries += compacts
        context = np.where(exists, given, context)
        since = np.where(compacts, 1, since + 1)
    return Outcome(turns.exists.sum(axis=1).astype(float), boundaries, cost)


def _padded(works: list[Work], fit: Fit) -> _Turns:
    shape = (len(works), max((len(work.steps) for work in works), default=0))
    turns = _Turns(np.zeros(shape, bool), np.zeros(shape), np.zeros(shape), np.zeros(shape, bool))
    for number, work in enumerate(works):
        count = len(work.steps)
        turns.exists[number, :count] = True
        turns.grown[number, :count] = _grown(work, fit)
        turns.own_usd[number, :count] = [step.own_usd for step in work.steps]
        turns.is_cold[number, :count] = [step.is_cache_cold for step in work.steps]
        turns.is_cold[number, 0] = True  # nothing of a session is cached before it begins
    return turns


def _grown(work: Work, fit: Fit) -> list[float]:
    """Growth without the re-reading after boundaries; the first turn is where it starts."""
    return [
        0.0
        if step.grown is None
        else step.grown - fit.excess[step.turn_number - 1]
        if step.boundary_number and step.turn_number <= len(fit.excess)
        else float(step.grown)
        for step in work.steps
    ]


def _rates(works: list[Work], context: Array) -> tuple[Array, Array, Array]:
    """Prices to read, write and say a token, by the size of the whole prompt."""
    tiers = max(len(work.rates) for work in works)
    found = [np.zeros_like(context) for _ in range(3)]
    for tier in range(tiers):
        rates = [work.rates[min(tier, len(work.rates) - 1)] for work in works]
        is_here = context > np.array([rate.above for rate in rates])[:, None]
        for place, name in enumerate(("read", "write", "output")):
            price = np.array([getattr(rate, name) for rate in rates])[:, None]
            found[place] = np.where(is_here, price, found[place])
    return found[0], found[1], found[2]

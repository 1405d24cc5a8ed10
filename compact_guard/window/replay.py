"""Each session's own growth, replayed against windows: how often it would have compacted.

A window here is a context: a session that has reached it compacts before its next turn. A turn
grows the context by what it grew in truth, less the re-reading after the boundaries that there
were, plus that after the boundaries that the replay makes. All sessions, windows and ideas of
what a boundary does advance together, turn by turn.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from compact_guard.window.growth import REGROWTH_TURNS, Fit, Step, Work

Array = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

# Nearer to what a boundary leaves than this, a window would compact without end.
ROOM = 1.25


class Outcome(NamedTuple):
    """By session and window; `turns` by session. Compactions' calls are in `cost_usd`."""

    turns: Array
    boundaries: Array
    cost_usd: Array


class _Turns(NamedTuple):
    """By session and turn, padded at the end with turns that are not there.

    `place` is how many turns after a real boundary a turn was, less one; `REGROWTH_TURNS` where
    nothing was read again. `counts` are turns by session.
    """

    counts: Counts
    grown: Array
    place: Counts
    own_usd: Array
    is_cold: npt.NDArray[np.bool_]


class _Columns(NamedTuple):
    """One column for each fit and window. `excess` is by turn after a boundary and column."""

    limit: Array
    excess: Array
    context_after: Array
    read_share_after: Array
    summary_tokens: Array


class _Tier(NamedTuple):
    """US dollars per token, by session, for prompts of more than `above` tokens."""

    above: Array
    read: Array
    write: Array
    output: Array


def replay(works: list[Work], fit: Fit, windows: list[int]) -> Outcome:
    """What these sessions would have done and cost at each window, in tokens."""
    outcome = replay_fits(works, [fit], windows)
    return outcome._replace(boundaries=outcome.boundaries[:, 0], cost_usd=outcome.cost_usd[:, 0])


def replay_fits(works: list[Work], fits: Sequence[Fit], windows: list[int]) -> Outcome:
    """The same for several fits at once: by session, fit and window."""
    # Longest first, so that the sessions that still go on are always the first ones.
    order = sorted(range(len(works)), key=lambda number: -len(works[number].steps))
    replaying = _Replaying([works[number] for number in order], _columns(fits, windows))
    for turn in range(replaying.turns.grown.shape[1]):
        replaying.advance(turn)
    back = np.argsort(order)
    shape = (len(works), len(fits), len(windows))
    return Outcome(
        replaying.turns.counts[back].astype(float),
        replaying.boundaries[back].reshape(shape),
        replaying.cost_usd[back].reshape(shape),
    )


class _Replaying:
    """All sessions and columns at one turn."""

    def __init__(self, works: list[Work], columns: _Columns) -> None:
        shape = (len(works), len(columns.limit))
        self.turns, self.columns, self.tiers = _padded(works), columns, _tiers(works)
        first = np.array([float(work.steps[0].context) for work in works])
        self.context = np.repeat(first[:, None], shape[1], axis=1)
        self.since = np.full(shape, REGROWTH_TURNS)
        self.boundaries, self.cost_usd = np.zeros(shape), np.zeros(shape)

    def advance(self, turn: int) -> None:
        """The next turn of each session that has one."""
        here = slice(int((self.turns.counts > turn).sum()))
        columns, turns = self.columns, self.turns
        before = self.context[here]
        compacts = before >= columns.limit
        given = np.where(compacts, columns.context_after, self._wanted(turn, here))
        kept = np.where(compacts, columns.read_share_after * columns.context_after, before)
        kept = np.where(turns.is_cold[here, turn, None], 0.0, np.minimum(kept, given))
        read, write, _ = self._rates(given)
        spent = turns.own_usd[here, turn, None] + kept * read + (given - kept) * write
        call_read, _, call_output = self._rates(before)
        call = before * call_read + columns.summary_tokens * call_output
        self.cost_usd[here] += spent + np.where(compacts, call, 0.0)
        self.boundaries[here] += compacts
        self.since[here] = np.where(compacts, 1, np.minimum(self.since[here] + 1, REGROWTH_TURNS))
        self.context[here] = given

    def _wanted(self, turn: int, here: slice) -> Array:
        """The context without a compaction: grown as it was, and what is read again."""
        excess = self.columns.excess
        grown = self.turns.grown[here, turn, None] - excess[self.turns.place[here, turn]]
        again = np.take_along_axis(excess, self.since[here], axis=0)
        wanted: Array = np.maximum(self.context[here] + grown + again, 1.0)
        return wanted

    def _rates(self, context: Array) -> tuple[Array, Array, Array]:
        """Prices to read, write and say a token, by the size of the whole prompt."""
        count = len(context)
        first, *others = self.tiers
        read, write, output = (price[:count, None] for price in first[1:])
        for tier in others:
            is_here = context > tier.above[:count, None]
            read, write, output = (
                np.where(is_here, price[:count, None], lower)
                for price, lower in zip(tier[1:], (read, write, output), strict=True)
            )
        return read, write, output


def _columns(fits: Sequence[Fit], windows: list[int]) -> _Columns:
    def each(values: Sequence[float]) -> Array:
        return np.repeat(np.array(values, float), len(windows))

    excess = np.array([[*fit.excess, 0.0] for fit in fits])
    return _Columns(
        np.tile(np.array(windows, float), len(fits)),
        np.repeat(excess, len(windows), axis=0).T.copy(),
        each([fit.context_after for fit in fits]),
        each([fit.read_share_after for fit in fits]),
        each([fit.summary_tokens for fit in fits]),
    )


def _padded(works: list[Work]) -> _Turns:
    counts = np.array([len(work.steps) for work in works])
    shape = (len(works), int(counts.max(initial=0)))
    turns = _Turns(
        counts,
        np.zeros(shape),
        np.full(shape, REGROWTH_TURNS),
        np.zeros(shape),
        np.zeros(shape, bool),
    )
    for number, work in enumerate(works):
        count = len(work.steps)
        turns.grown[number, :count] = [step.grown or 0 for step in work.steps]
        turns.place[number, :count] = [_place(step) for step in work.steps]
        turns.own_usd[number, :count] = [step.own_usd for step in work.steps]
        turns.is_cold[number, :count] = [step.is_cache_cold for step in work.steps]
        turns.is_cold[number, 0] = True  # nothing of a session is cached before it begins
    return turns


def _place(step: Step) -> int:
    """Nothing is taken out of a first turn, which grows from nothing."""
    is_after_boundary = step.boundary_number and step.grown is not None
    return min(step.turn_number - 1, REGROWTH_TURNS) if is_after_boundary else REGROWTH_TURNS


def _tiers(works: list[Work]) -> list[_Tier]:
    """By rising size of the prompt; a session with fewer of them has its last one again."""
    count = max((len(work.rates) for work in works), default=1)
    tiers = []
    for number in range(count):
        rates = [work.rates[min(number, len(work.rates) - 1)] for work in works]
        columns = zip(*rates, strict=True) if rates else ([], [], [], [])
        tiers.append(_Tier(*(np.array(column, float) for column in columns)))
    return tiers

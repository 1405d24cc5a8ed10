"""The best window of each model, with what is not known about it, and the proof on the past."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard.window import growth, scan_cache, study, uncertainty
from compact_guard.window.comparison import Comparison
from compact_guard.window.growth import Boundary, Fit, Work
from compact_guard.window.replay import ROOM, Outcome, replay
from compact_guard.window.uncertainty import Draw

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = dict[str, Any]

_BY_MODEL = attrgetter("agent", "model")
_FLAT = 0.02  # two windows that differ by less are equally good: prices alone move by more
_NEAR = 0.25  # dearer by more than that, a window is not the best one of any draw

ASSUMPTIONS = (
    "a window is the context at which compaction begins, not the model's own limit",
    "the work is the same at any window: what it does to its quality is not priced",
    "a boundary leaves the median context seen; growth after it is as steep as seen",
    "the call reads the context from the cache and writes a summary of median size",
    "a wait is the time known, else since the turn before, five minutes at most",
    "ranges come from drawing whole sessions anew: other work is not in them",
)


class Question(NamedTuple):
    """Windows in tokens, ascending; an hour of waiting in US dollars."""

    windows: tuple[int, ...]
    hour_usd: float = 0.0


class _Group(NamedTuple):
    """The sessions of one model; its present window where a compaction showed it."""

    agent: str
    model: str
    works: list[Work]
    present: int | None
    fit: Fit | None
    draws: list[Draw]


def answer(request: study.Request, question: Question, tell: study.Tell = lambda path: None) -> Row:
    """Scan, build and simulate; raises what study.answer raises."""
    files = study.stamped(request)
    history = study.on_record(request, files)
    with (
        scan_cache.opened(request.cache) as cache,
        study.built(request, files, cache, tell) as connection,
    ):
        compared = study.compared(connection, request, history)
        return simulate(connection, compared, question)


def simulate(connection: "DuckDBPyConnection", compared: Comparison, question: Question) -> Row:
    """Models, each with its windows and the best of them, and the back-test; money in dollars."""
    works, seen = growth.works(connection), growth.boundaries(connection)
    return {
        "hour_usd": question.hour_usd,
        "models": [
            _model(group, question)
            for group in _groups(works, seen, growth.present_windows(connection))
        ],
        "back_test": back_test(works, seen, compared),
        "assumptions": list(ASSUMPTIONS),
    }


def _groups(
    works: list[Work], seen: list[Boundary], present: dict[tuple[str, str], int]
) -> Iterator[_Group]:
    """What a boundary does is the agent's doing; what a token costs, the model's."""
    for agent, of_agent in groupby(sorted(works, key=_BY_MODEL), key=attrgetter("agent")):
        own = list(of_agent)
        fit = growth.fit(own, seen)
        draws = uncertainty.draws(own, seen) if fit else []
        for (_, model), group in groupby(own, key=_BY_MODEL):
            yield _Group(agent, model, list(group), present.get((agent, model)), fit, draws)


def _model(group: _Group, question: Question) -> Row:
    row: Row = {
        "agent": group.agent,
        "model": group.model,
        "sessions": len(group.works),
        "turns": sum(len(work.steps) for work in group.works),
        "largest_context": max(step.context for work in group.works for step in work.steps),
        "present_window": group.present,
        "windows": [],
        "best": None,
    }
    fit = group.fit
    if fit is None:
        return row | {
            "reason": "no compaction of this agent has a turn after it: nothing to replay by"
        }
    asked = sorted({*question.windows, *([group.present] if group.present else [])})
    windows = [window for window in asked if window >= ROOM * fit.context_after]
    if not windows or row["largest_context"] <= windows[0]:
        return row | {"reason": "no session grew as large as the smallest window that has room"}
    outcome = replay(group.works, fit, windows)
    row["windows"] = [
        measures | {"window": window, "is_beyond_observed": window > row["largest_context"]}
        for window, measures in zip(windows, _measures(outcome, fit, question), strict=True)
    ]
    return row | {"reason": None, "best": _best(group, row["windows"], question)}


def _measures(outcome: Outcome, fit: Fit, question: Question) -> list[Row]:
    """Per turn, by window; beyond the largest context seen growth is only added up."""
    turns = outcome.turns.sum()
    boundaries = outcome.boundaries.sum(axis=0) / turns
    cost = outcome.cost_usd.sum(axis=0) / turns
    return [
        {
            "boundaries_per_turn": often,
            "cost_per_turn_usd": usd,
            "seconds_waited_per_turn": often * fit.seconds,
            "cost_with_waiting_usd": usd + often * fit.seconds * question.hour_usd / 3_600,
        }
        for often, usd in zip(boundaries.tolist(), cost.tolist(), strict=True)
    ]


def _best(group: _Group, rows: list[Row], question: Question) -> Row:
    """The cheapest window, waiting priced in; what is not known about it; and what it saves."""
    costs = {row["window"]: row["cost_with_waiting_usd"] for row in rows}
    found = flat(costs)
    near = [window for window in costs if costs[window] <= costs[found["window"]] * (1 + _NEAR)]
    present = group.present if group.present in costs else None
    asked = uncertainty.Asked(near, found["window"], present, question.hour_usd)
    ranges = uncertainty.ranges(group.works, group.draws, asked)
    saving = 1 - costs[found["window"]] / costs[present] if present else None
    is_thin = len(group.works) < uncertainty.SESSIONS_MIN
    return found | ranges | {"saving": saving, "is_thin": is_thin}


def flat(costs: Mapping[int, float]) -> Row:
    """The cheapest window; from `flat_from` to `flat_to` those beside it cost at most 2 % more."""
    windows = sorted(costs)
    place = min(range(len(windows)), key=lambda number: costs[windows[number]])
    is_flat = [costs[window] <= costs[windows[place]] * (1 + _FLAT) for window in windows]
    first, last = place, place
    while first > 0 and is_flat[first - 1]:
        first -= 1
    while last < len(windows) - 1 and is_flat[last + 1]:
        last += 1
    return {"window": windows[place], "flat_from": windows[first], "flat_to": windows[last]}


def back_test(works: list[Work], seen: list[Boundary], compared: Comparison) -> Row | None:
    """Fit before the change, predict after it, beside the naive replay; None without a change.

    The prediction knows nothing of the sessions after the change but their window.
    """
    change = compared.change
    if change is None or not change.window_after:
        return None
    dated = [
        work for work in works if work.started_at is not None and change.agent in (None, work.agent)
    ]
    before = [work for work in dated if work.started_at and work.started_at < change.at]
    after = [work for work in dated if work.started_at and work.started_at >= change.at]
    fit = growth.fit(before, seen)
    if fit is None or not after:
        return None
    window = round(change.window_after)
    observed = _observed(after, seen)
    predicted, naive = (_replayed(before, how, window) for how in (fit, fit.naive()))
    return {
        "window": window,
        "sessions_before": len(before),
        "sessions_after": len(after),
        "boundaries_per_turn": _told(observed[0], predicted[0], naive[0]),
        "cost_per_turn_usd": _told(observed[1], predicted[1], naive[1]),
    }


def _told(observed: float, predicted: float, naive: float) -> Row:
    return {
        "observed": observed,
        "predicted": predicted,
        "error": predicted / observed - 1 if observed else None,
        "naive": naive,
        "naive_error": naive / observed - 1 if observed else None,
    }


def _observed(works: list[Work], seen: list[Boundary]) -> tuple[float, float]:
    """Boundaries and dollars per turn, compactions' calls included."""
    names = {(work.agent, work.session_hash) for work in works}
    own = [one for one in seen if (one.agent, one.session_hash) in names]
    costs = [step.cost_usd for work in works for step in work.steps]
    spent = sum(costs) + sum(one.call_usd for one in own)
    return len(own) / len(costs), spent / len(costs)


def _replayed(works: list[Work], fit: Fit, window: int) -> tuple[float, float]:
    outcome = replay(works, fit, [window])
    turns = outcome.turns.sum()
    return float(outcome.boundaries.sum() / turns), float(outcome.cost_usd.sum() / turns)

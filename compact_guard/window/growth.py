"""How sessions' contexts grew, what a boundary left of them, and what their tokens cost."""

import statistics
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard.evaluator import warehouse

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# After that many turns a session has read again what a boundary took from it.
REGROWTH_TURNS = 15
_REGROWTH_TURNS_TRIED = (REGROWTH_TURNS, 10, 6, 3)
_STEADY_TURNS_MIN = 30  # the mean of fewer says little of the rest
_SECONDS_MAX = 300  # longer than that between turn and boundary, somebody was away


class Step(NamedTuple):
    """One turn, in tokens. `grown` is null for the first one of a stretch.

    `own_usd` is what it cost whatever the context was: fresh input and output; `cost_usd`: all.
    """

    boundary_number: int
    turn_number: int
    context: int
    grown: int | None
    own_usd: float
    cost_usd: float
    is_cache_cold: bool


class Rates(NamedTuple):
    """US dollars per token, for contexts of more than `above` tokens; `write` as it was used."""

    above: int
    read: float
    write: float
    output: float


class Work(NamedTuple):
    """One session's turns, and the prices of its main model when it started."""

    agent: str
    session_hash: str
    model: str
    started_at: datetime | None
    steps: tuple[Step, ...]
    rates: tuple[Rates, ...]


class Boundary(NamedTuple):
    """A compaction of one session; `call_usd` is what it cost beside the turns."""

    agent: str
    session_hash: str
    context_after: int
    cache_read_after: int
    summary_tokens: int
    seconds: float | None
    call_usd: float


class Fit(NamedTuple):
    """What a boundary does. `excess` is the growth above the steady one, turn by turn after it."""

    excess: tuple[float, ...]
    context_after: float
    read_share_after: float
    summary_tokens: float
    seconds: float
    boundaries: int

    def naive(self) -> "Fit":
        """The same without the steeper growth after a boundary."""
        return self._replace(excess=(0.0,) * len(self.excess))


_STEPS = """
select
    window_steps.agent, window_steps.session_hash, main_model, started_at,
    boundary_number, turn_number, window_steps.context_tokens, grown_tokens,
    (window_steps.input_tokens * input_usd + window_steps.output_tokens * output_usd) / 1e6
        as own_usd,
    window_turns.cost_usd, is_cache_cold, is_cached_1h
from window_steps
join window_turns using (file_number, event_key)
join window_sessions on window_sessions.agent = window_steps.agent
    and window_sessions.session_hash = window_steps.session_hash
join raw_window_prices on raw_window_prices.model = window_steps.model
    and raw_window_prices.speed = window_steps.speed
    and coalesce(window_steps.responded_at, timestamp '9998-01-01') >= valid_from
    and coalesce(window_steps.responded_at, timestamp '9998-01-01') < valid_until
    and window_steps.context_tokens > context_above
    and window_steps.context_tokens <= context_up_to
order by window_steps.agent, window_steps.session_hash, file_number, boundary_number, turn_number
"""
_RATES = """
select agent, session_hash, context_above, cache_read_usd, cache_write_5m_usd, cache_write_1h_usd,
    output_usd
from window_sessions
join raw_window_prices on model = main_model and speed = 'standard'
    and coalesce(started_at, timestamp '9998-01-01') >= valid_from
    and coalesce(started_at, timestamp '9998-01-01') < valid_until
order by context_above
"""
_BOUNDARIES = """
select agent, coalesce(session_hash, file_key) as session_hash, context_after, cache_read_after,
    call_output_tokens as summary_tokens,
    coalesce(nullif(seconds, 0), seconds_since_turn) as seconds,
    case when cost_is_estimated then coalesce(cost_usd, 0) else 0 end as call_usd
from window_boundaries join stg_window_files using (file_number, agent)
where not is_copy and context_after > 0
order by all
"""


_PRESENT = """
select agent, model_before as model, median(coalesce(tokens_before, context_before)) as tokens
from (
    select *, row_number() over (
        partition by agent, model_before order by compacted_at desc nulls last
    ) as age
    from window_boundaries
    where not is_copy and coalesce(trigger, 'auto') = 'auto'
        and coalesce(tokens_before, context_before) > 0
)
where age <= 10
group by all
"""


def present_windows(connection: "DuckDBPyConnection") -> dict[tuple[str, str], int]:
    """Where the ten newest compactions of an agent and model began, in thousands of tokens."""
    rows = warehouse.rows(connection, _PRESENT)
    return {(row["agent"], row["model"]): round(row["tokens"] / 1_000) * 1_000 for row in rows}


def works(connection: "DuckDBPyConnection") -> list[Work]:
    """Every session with a price; a turn without one is left out."""
    rates: dict[tuple[str, str], list[Any]] = {}
    for row in warehouse.rows(connection, _RATES):
        rates.setdefault((row["agent"], row["session_hash"]), []).append(row)
    sessions: dict[tuple[str, str], list[Any]] = {}
    for row in warehouse.rows(connection, _STEPS):
        sessions.setdefault((row["agent"], row["session_hash"]), []).append(row)
    return [_work(rows, rates[key]) for key, rows in sessions.items() if key in rates]


def _work(rows: list[Any], prices: list[Any]) -> Work:
    first = rows[0]
    is_1h = 2 * sum(row["is_cached_1h"] for row in rows) > len(rows)
    write = "cache_write_1h_usd" if is_1h else "cache_write_5m_usd"
    return Work(
        first["agent"],
        first["session_hash"],
        first["main_model"],
        first["started_at"],
        tuple(
            Step(
                row["boundary_number"],
                row["turn_number"],
                row["context_tokens"],
                row["grown_tokens"],
                row["own_usd"],
                row["cost_usd"],
                row["is_cache_cold"],
            )
            for row in rows
        ),
        tuple(
            Rates(
                price["context_above"],
                price["cache_read_usd"] / 1e6,
                price[write] / 1e6,
                price["output_usd"] / 1e6,
            )
            for price in prices
        ),
    )


def boundaries(connection: "DuckDBPyConnection") -> list[Boundary]:
    """Every compaction that a turn follows, each once."""
    return [Boundary(**row) for row in warehouse.rows(connection, _BOUNDARIES)]


def fit(sessions: list[Work], seen: Iterable[Boundary]) -> Fit | None:
    """What a boundary does, from the boundaries of these sessions; None where they have none.

    A session that stands there twice counts twice.
    """
    by_session: dict[tuple[str, str], list[Boundary]] = {}
    for one in seen:
        by_session.setdefault((one.agent, one.session_hash), []).append(one)
    own = [one for work in sessions for one in by_session.get((work.agent, work.session_hash), ())]
    if not own:
        return None
    waits = [min(one.seconds, _SECONDS_MAX) for one in own if one.seconds is not None]
    return Fit(
        excess=_excess([step for one in sessions for step in one.steps]),
        context_after=statistics.median(one.context_after for one in own),
        read_share_after=statistics.median(
            min(1.0, one.cache_read_after / one.context_after) for one in own
        ),
        summary_tokens=statistics.median(one.summary_tokens for one in own),
        seconds=statistics.median(waits) if waits else 0.0,
        boundaries=len(own),
    )


def _excess(steps: list[Step]) -> tuple[float, ...]:
    """By turn after a boundary, the first one standing for itself: mean growth above the steady."""
    grown = [step for step in steps if step.grown is not None]
    turns, usual = _steady(grown)
    after: list[list[int]] = [[] for _ in range(REGROWTH_TURNS)]
    for step in grown:
        if step.boundary_number and step.turn_number <= turns:
            after[step.turn_number - 1].append(step.grown or 0)
    return tuple(statistics.fmean(tokens) - usual if tokens else 0.0 for tokens in after)


def _steady(grown: list[Step]) -> tuple[int, float]:
    """For how many turns after a boundary growth is not steady yet, and the mean from then on.

    A small window leaves stretches too short to wait for that long: then fewer turns count as
    re-reading, and none where nothing would be left to compare them with.
    """
    for turns in _REGROWTH_TURNS_TRIED:
        steady = [step.grown or 0 for step in grown if step.turn_number > turns]
        if len(steady) >= _STEADY_TURNS_MIN:
            return turns, statistics.fmean(steady)
    return 0, 0.0

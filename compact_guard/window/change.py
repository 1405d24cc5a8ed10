"""When did the window change? Said by the user, on record, or seen where compactions begin.

Seen: each session is the median context at which it compacted by itself; over the sessions in
the order of their start runs Pettitt's test for one change point, which uses ranks alone, so
that a few sessions with a window of their own do not move it.
Source: Pettitt (1979), Applied Statistics 28(2), with his approximation of the p-value.
"""

import math
import statistics
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Literal, NamedTuple

from compact_guard.window.rules import Rules
from compact_guard.window.setting import SettingChange

Source = Literal["observed", "given", "settings"]


class Session(NamedTuple):
    """A row of window_sessions, as far as a comparison needs it; times are naive UTC.

    `auto_tokens_before` is the median context at which it compacted by itself,
    `peak_context_tokens` the largest one it had.
    """

    agent: str
    session_hash: str
    project_hash: str | None
    main_model: str | None
    started_at: datetime | None
    turns: int
    cost_usd: float | None
    auto_tokens_before: float | None
    peak_context_tokens: int | None = None
    boundaries: int = 0


class Change(NamedTuple):
    """Sessions that started at `at` or later have the new window; windows are in tokens.

    `agent` None: every agent's; likewise `model` and `project_hash`. Windows are null where no
    session compacted by itself and none is on record. Of sessions that started after `earliest`
    and before `at` it is not known which window they had; null: there are none such.
    `notes` are what else there is to say of it, one sentence each.
    """

    at: datetime
    source: Source
    agent: str | None
    window_before: float | None
    window_after: float | None
    p_value: float | None
    earliest: datetime | None = None
    model: str | None = None
    project_hash: str | None = None
    recorded: SettingChange | None = None
    notes: tuple[str, ...] = ()


def given(at: datetime, sessions: Iterable[Session]) -> Change:
    """The change that the user names."""
    seen = _seen(sessions)
    before = [session for session in seen if _start(session) < at]
    after = [session for session in seen if _start(session) >= at]
    return Change(at, "given", None, _window(before), _window(after), None)


def propose(sessions: Iterable[Session], rules: Rules) -> Change | None:
    """The clearest change of any agent; None where nothing is clear enough."""
    by_agent = groupby(sorted(_seen(sessions)), key=lambda session: session.agent)
    found = [_of_agent(agent, list(group), rules) for agent, group in by_agent]
    return min(
        (change for change in found if change),
        key=lambda change: change.p_value or 0.0,
        default=None,
    )


def is_concerned(session: Session, change: Change) -> bool:
    """Whether a change was one of this session's agent, model and project."""
    return (
        change.agent in (None, session.agent)
        and (change.model is None or change.model in (session.main_model or ""))
        and change.project_hash in (None, session.project_hash)
    )


def _of_agent(agent: str, sessions: list[Session], rules: Rules) -> Change | None:
    sessions.sort(key=_start)
    split, p_value = pettitt([session.auto_tokens_before or 0.0 for session in sessions])
    before, after = _window(sessions[:split]), _window(sessions[split:])
    if before is None or after is None or p_value > rules.max_proposal_p_value:
        return None
    if abs(after - before) < rules.min_window_shift * before:
        return None
    return Change(_start(sessions[split]), "observed", agent, before, after, p_value)


def pettitt(values: Sequence[float]) -> tuple[int, float]:
    """How many values stand before the likeliest change point, and its p-value."""
    count = len(values)
    sums, total = [], 0.0
    for rank in _ranks(values):
        total += 2 * rank - (count + 1)
        sums.append(abs(total))
    if count < 2:
        return count, 1.0
    split = max(range(count - 1), key=sums.__getitem__)
    p_value = 2 * math.exp(-6 * sums[split] ** 2 / (count**3 + count**2))
    return split + 1, min(1.0, p_value)


def _ranks(values: Sequence[float]) -> list[float]:
    """1 for the least; equal values share the mean of their places."""
    ordered = sorted(values)
    places: dict[float, list[int]] = {}
    for place, value in enumerate(ordered, start=1):
        places.setdefault(value, []).append(place)
    return [statistics.fmean(places[value]) for value in values]


def _seen(sessions: Iterable[Session]) -> list[Session]:
    """Sessions that compacted by themselves at a known size and time."""
    return [one for one in sessions if one.auto_tokens_before and one.started_at is not None]


def _start(session: Session) -> datetime:
    return session.started_at or datetime.max


def _window(sessions: Iterable[Session]) -> float | None:
    sizes = [one.auto_tokens_before for one in sessions if one.auto_tokens_before]
    return statistics.median(sizes) if sizes else None

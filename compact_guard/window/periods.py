"""Sessions before and after a change, and which of them are like for like."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from compact_guard.window.change import Change, Session

Period = Literal["before", "after", "undated", "whole"]
Stratum = tuple[str, str | None, str | None]

# A session that compacted this far from its period's window had one of its own.
_OWN_WINDOW_SHIFT = 0.15


class Placed(NamedTuple):
    """A session's period; `set_apart` says why it is not compared, None: it is."""

    session: Session
    period: Period
    set_apart: str | None


def place(sessions: Iterable[Session], change: Change | None) -> list[Placed]:
    """Every session, by its start; without a change all are one period and none is compared."""
    if change is None:
        return [Placed(session, "whole", "no change") for session in sessions]
    placed = [_placed(session, change) for session in sessions]
    both = _strata(placed, "before") & _strata(placed, "after")
    return [
        one._replace(set_apart="no session of its project and model on the other side")
        if one.set_apart is None and stratum(one.session) not in both
        else one
        for one in placed
    ]


def stratum(session: Session) -> Stratum:
    """Sessions with the same one do comparable work at comparable prices."""
    return session.agent, session.project_hash, session.main_model


def _strata(placed: list[Placed], period: Period) -> set[Stratum]:
    return {
        stratum(one.session) for one in placed if one.set_apart is None and one.period == period
    }


def _placed(session: Session, change: Change) -> Placed:
    if session.started_at is None:
        return Placed(session, "undated", "no readable time")
    period: Period = "before" if session.started_at < change.at else "after"
    return Placed(session, period, _reason_apart(session, period, change))


def _reason_apart(session: Session, period: Period, change: Change) -> str | None:
    if session.turns == 0:
        return "no turn of its own"
    if session.cost_usd is None:
        return "no price"
    if change.agent is not None and session.agent != change.agent:
        return "another agent"
    own, other = change.window_before, change.window_after
    if period == "after":
        own, other = other, own
    if has_own_window(session.auto_tokens_before, own, other):
        return "a window of its own"
    return None


def has_own_window(seen: float | None, own: float | None, other: float | None) -> bool:
    """Whether it compacted nearer to the other period's window, or far from its period's."""
    if seen is None or own is None:
        return False
    distance = abs(seen - own)
    is_nearer = other is not None and abs(seen - other) < distance
    return is_nearer or distance > _OWN_WINDOW_SHIFT * own

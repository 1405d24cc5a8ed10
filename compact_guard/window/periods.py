"""Sessions before and after a change, and which of them are like for like."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from compact_guard.window.change import Change, Session, is_concerned

Period = Literal["before", "after", "undated", "whole"]
Stratum = tuple[str, str | None, str | None]

# A session that compacted this far from its period's window had one of its own.
_OWN_WINDOW_SHIFT = 0.15
# A context overshoots its window by one answer or a tool's result, hardly by more.
_OUTGROWN_SHARE = 0.1


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
    if not is_concerned(session, change):
        return _whose_else(session, change)
    if period == "before" and _is_uncertain(session, change):
        return "started when either window may have been set"
    return _another_window(session, period, change)


def _another_window(session: Session, period: Period, change: Change) -> str | None:
    own, other = change.window_before, change.window_after
    if period == "after":
        own, other = other, own
    if has_own_window(session.auto_tokens_before, own, other):
        return "a window of its own"
    if _outgrew(session, own):
        return "grew past its window and never compacted"
    return None


def _whose_else(session: Session, change: Change) -> str:
    if change.agent not in (None, session.agent):
        return "another agent"
    is_same_project = change.project_hash in (None, session.project_hash)
    return "another model" if is_same_project else "another project"


def _is_uncertain(session: Session, change: Change) -> bool:
    """Whether it started between two moments of which the windows are known, and shows neither."""
    if session.auto_tokens_before and change.window_before:
        return False
    earliest, started_at = change.earliest, session.started_at
    return earliest is not None and started_at is not None and started_at > earliest


def _outgrew(session: Session, own: float | None) -> bool:
    """Whether its agent did not compact where others of its period did, as remote ones may not."""
    if session.boundaries or own is None:
        return False
    return (session.peak_context_tokens or 0) > (1 + _OUTGROWN_SHARE) * own


def has_own_window(seen: float | None, own: float | None, other: float | None) -> bool:
    """Whether it compacted nearer to the other period's window, or far from its period's."""
    if seen is None or own is None:
        return False
    distance = abs(seen - own)
    is_nearer = other is not None and abs(seen - other) < distance
    return is_nearer or distance > _OWN_WINDOW_SHIFT * own

"""Evidence in, decision out: a pure function of counts, policy and broken expectations.

Nothing here reads a file, a clock or a table, so every rule of design.md section 5 can be tested
by itself.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from compact_guard.evaluator import bounds
from compact_guard.evaluator.policy import Policy

Verdict = Literal["KEEP", "OBSERVE", "REVERT"]

# The worst of several verdicts is the one that comes first here.
_SEVERITY: tuple[Verdict, ...] = ("REVERT", "OBSERVE", "KEEP")

OUTCOMES = (
    "injected",
    "missed",
    "duplicated",
    "aborted",
    "deferred",
    "unconfirmed",
    "empty",
    "uncovered",
)


@dataclass(frozen=True)
class Evidence:
    """What the present observation period of one interface amounts to (counts, UTC times)."""

    interface: str
    guard_fingerprint: str | None
    outcomes: Mapping[str, int]
    natural_events: int = 0
    synthetic_events: int = 0
    sessions: int = 0
    failed_sessions: int = 0
    eligible_counted: int = 0
    counted_failures: int = 0
    unresolved: int = 0
    orphan_injections: int = 0
    finished: int = 0
    coverage: float | None = None
    unresolved_share: float | None = None
    agent_versions: tuple[str, ...] = ()
    period_from: datetime | None = None
    witnessed_compactions: int = 0

    @property
    def eligible(self) -> int:
        """Compactions that can pass or fail."""
        return sum(self.outcomes[name] for name in ("injected", "missed", "duplicated"))

    @property
    def failures(self) -> int:
        """Natural compactions that failed, whatever triggered them."""
        return self.outcomes["missed"] + self.outcomes["duplicated"]


@dataclass(frozen=True)
class Shortfall:
    """One minimum that is not reached: what it counts, how many there are and must be."""

    name: str
    present: int
    needed: int

    @property
    def missing(self) -> int:
        """How many there are to go; 0 or less where the minimum is reached."""
        return self.needed - self.present


@dataclass(frozen=True)
class Decision:
    """The verdict on one interface, why, and the bounds it rests on (shares between 0 and 1)."""

    verdict: Verdict
    reasons: tuple[str, ...]
    keep_still_possible: bool
    miss_rate_upper_bound: float | None
    session_miss_rate_upper_bound: float | None
    worst_case_upper_bound: float | None
    shortfalls: tuple[Shortfall, ...] = ()
    minimum_reached_at: datetime | None = field(default=None)


def decide(
    evidence: Evidence,
    policy: Policy,
    as_of: datetime,
    quarantined_share: float = 0.0,
    broken_expectations: Iterable[str] = (),
) -> Decision:
    """The verdict on one interface.

    `quarantined_share` is of all rows read; `broken_expectations` are the critical ones that do
    not hold, in words.
    """
    shortfalls = tuple(_shortfalls(evidence, policy))
    doubts = list(_doubts(evidence, policy, quarantined_share, broken_expectations))
    verdict, reasons = _verdict(evidence, policy, shortfalls, doubts)
    unresolved_trials = evidence.eligible_counted + evidence.unresolved
    return Decision(
        verdict=verdict,
        reasons=tuple(reasons),
        keep_still_possible=evidence.failures == 0 and evidence.orphan_injections == 0,
        miss_rate_upper_bound=bounds.upper_bound(
            evidence.counted_failures, evidence.eligible_counted, policy.confidence
        ),
        session_miss_rate_upper_bound=bounds.upper_bound(
            evidence.failed_sessions, evidence.sessions, policy.confidence
        ),
        worst_case_upper_bound=bounds.upper_bound(
            evidence.counted_failures + evidence.unresolved, unresolved_trials, policy.confidence
        ),
        shortfalls=shortfalls,
        minimum_reached_at=_forecast(evidence, shortfalls, as_of),
    )


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of several verdicts; OBSERVE where there is none."""
    present = set(verdicts) or {"OBSERVE"}
    return next(verdict for verdict in _SEVERITY if verdict in present)


def _verdict(
    evidence: Evidence,
    policy: Policy,
    shortfalls: tuple[Shortfall, ...],
    doubts: list[str],
) -> tuple[Verdict, list[str]]:
    failure = _failure(evidence)
    if failure and (policy.revert_early or not shortfalls):
        return "REVERT", [failure]
    if shortfalls:
        missing = [_in_words(shortfall) for shortfall in shortfalls]
        return "OBSERVE", [*missing, *([f"{failure}, long before the minimum"] if failure else [])]
    if doubts:
        return "OBSERVE", doubts
    return "KEEP", [
        f"{_some(evidence.eligible_counted, 'counted compaction')} in "
        f"{_some(evidence.sessions, 'session')}, none missed, none duplicated"
    ]


def _failure(evidence: Evidence) -> str | None:
    """The failures of the period in words; None where there are none."""
    parts = [
        f"{count} {name}"
        for name in ("missed", "duplicated")
        if (count := evidence.outcomes[name]) > 0
    ]
    return f"{' and '.join(parts)} of {evidence.eligible} delivered or due" if parts else None


def _shortfalls(evidence: Evidence, policy: Policy) -> Iterable[Shortfall]:
    minimums = (
        Shortfall("natural events", evidence.natural_events, policy.min_natural_events),
        Shortfall("counted compactions", evidence.eligible_counted, policy.needed),
        Shortfall("sessions", evidence.sessions, policy.min_sessions),
    )
    return (minimum for minimum in minimums if minimum.missing > 0)


def _some(count: int, noun: str) -> str:
    return f"{count} {noun if count == 1 else noun + 's'}"


def _in_words(shortfall: Shortfall) -> str:
    return f"{shortfall.present} of {shortfall.needed} {shortfall.name}: {shortfall.missing} to go"


def _doubts(
    evidence: Evidence,
    policy: Policy,
    quarantined_share: float,
    broken_expectations: Iterable[str],
) -> Iterable[str]:
    """What withholds a KEEP although the minimum is reached and nothing failed."""
    if evidence.coverage is not None and evidence.coverage < policy.min_coverage:
        yield (
            f"the agent ran the hook in {evidence.coverage:.1%} of finished compactions, "
            f"{policy.min_coverage:.0%} are asked for"
        )
    if (evidence.unresolved_share or 0.0) > policy.max_unresolved:
        yield (
            f"{_some(evidence.unresolved, 'unresolved compaction')} "
            f"({evidence.unresolved_share:.1%}), {policy.max_unresolved:.0%} allowed"
        )
    if quarantined_share > policy.max_quarantined:
        yield (
            f"{quarantined_share:.1%} of the lines read are quarantined, "
            f"{policy.max_quarantined:.0%} allowed"
        )
    yield from (f"critical expectation broken: {name}" for name in broken_expectations)


def _forecast(
    evidence: Evidence, shortfalls: tuple[Shortfall, ...], as_of: datetime
) -> datetime | None:
    """When the minimum is reached at the rate of the period so far; None where nobody can say."""
    if not shortfalls or evidence.period_from is None:
        return None
    elapsed = max(as_of - evidence.period_from, timedelta(days=1))
    if any(shortfall.present == 0 for shortfall in shortfalls):
        return None
    factor = max(shortfall.missing / shortfall.present for shortfall in shortfalls)
    return as_of + elapsed * factor

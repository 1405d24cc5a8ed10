"""What is asked of an evaluation, and everything that it answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from compact_guard.evaluator import gate, marts
from compact_guard.evaluator.policy import Policy
from compact_guard.evaluator.verdict import Decision, Evidence, Verdict


@dataclass(frozen=True)
class Request:
    """What to evaluate: audit logs, policy, and the time (naive UTC) it is judged as of.

    `transcripts` are the agents' own files, the second witness; none is read unless given.
    `keep` expires detail older than that from a kept warehouse; none: nothing is expired.
    `is_listed` asks for every compaction by name: JSON tells them, and there may be millions.
    `data_docs` is the folder for Great Expectations' pages about the gate; none: not built.
    """

    audit: tuple[Path, ...]
    policy: Policy
    as_of: datetime
    transcripts: tuple[Path, ...] = ()
    is_rehearsal: bool = False
    guard_fingerprint: str | None = None
    data_docs: Path | None = None
    keep: timedelta | None = None
    is_listed: bool = True


@dataclass(frozen=True)
class InterfaceResult:
    """One interface: its evidence, the decision, and the rows of the marts behind them."""

    evidence: Evidence
    decision: Decision
    expectations: tuple[gate.ExpectationResult, ...]
    conditions: tuple[marts.Row, ...]
    exclusions: tuple[marts.Row, ...]
    synthetic_outcomes: dict[str, int]
    compactions: tuple[marts.Compaction, ...] = ()


@dataclass(frozen=True)
class Evaluation:
    """Everything a report or a JSON answer says."""

    request: Request
    verdict: Verdict
    interfaces: tuple[InterfaceResult, ...]
    periods: tuple[marts.Row, ...]
    rows: marts.RowCounts
    quarantined: tuple[marts.Row, ...]
    transcripts: tuple[marts.Row, ...]
    unplaced: tuple[marts.Row, ...]
    failed: tuple[marts.Row, ...]
    trails: tuple[marts.Row, ...]
    days: tuple[marts.Row, ...]
    costs: tuple[marts.Row, ...]
    history: tuple[marts.Row, ...] = ()
    notes: tuple[str, ...] = ()

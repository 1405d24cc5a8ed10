"""Read the marts back: the rows that a verdict and its report rest on."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard.evaluator import warehouse
from compact_guard.evaluator.policy import Policy
from compact_guard.evaluator.verdict import OUTCOMES, Evidence

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = dict[str, Any]

# Mart -> the order its rows are told in.
_ORDERS = {
    "interface_evidence": "interface",
    "evidence_by_condition": "all",
    "exclusions": "all",
    "period_evidence": "all",
    "transcripts_read": "all",
    "boundaries_unplaced": "event_at, event_key",
    "evidence_by_day": "interface, evidence_date",
    "guard_costs": "interface",
}

_BATCH_ROWS = 10_000

QUARANTINED_SHOWN_MAX = 100
FAILURES_SHOWN_MAX = 200  # in full; a guard that is broken throughout needs no longer list

_FAILED = f"""
select compactions.*, periods.is_current
from compactions
inner join observation_periods as periods
    on
        compactions.interface = periods.interface
        and compactions.guard_fingerprint = periods.guard_fingerprint
where compactions.is_natural and compactions.outcome in ('missed', 'duplicated')
order by periods.is_current desc, compactions.recorded_at, compactions.compaction_id
limit {FAILURES_SHOWN_MAX}
"""

_TRAILS = f"""
select * from failure_trails
where compaction_id in (select compaction_id from ({_FAILED}))
order by compaction_id, step_at nulls last, byte_offset, source, step_key
"""

_COMPACTIONS = """
select interface, checkpoint_hash, outcome, evidence
from present_compactions order by recorded_at, compaction_id
"""

_QUARANTINED = f"""
select file, line_number, line_bytes, line_hash, quarantine_reason
from stg_audit_lines where fate = 'quarantined' order by file, line_number
limit {QUARANTINED_SHOWN_MAX}
"""


class Compaction(NamedTuple):
    """One compaction of a present period; there may be millions, so it is no dictionary."""

    interface: str
    checkpoint_hash: str | None
    outcome: str
    evidence: str


@dataclass(frozen=True)
class RowCounts:
    """What became of the lines read; the last four add up to `read`."""

    read: int
    accepted: int
    duplicates: int
    quarantined: int
    after_as_of: int

    @property
    def quarantined_share(self) -> float:
        """Between 0 and 1, of all lines read."""
        return self.quarantined / self.read if self.read else 0.0


def read(connection: "DuckDBPyConnection") -> dict[str, list[Row]]:
    """Every mart that a report reads, by name; quarantined lines, failures and their trails."""
    marts = {
        mart: warehouse.rows(connection, f"select * from {mart} order by {order}")
        for mart, order in _ORDERS.items()
    }
    queries = {"quarantined": _QUARANTINED, "failed": _FAILED, "failure_trails": _TRAILS}
    return marts | {name: warehouse.rows(connection, query) for name, query in queries.items()}


def compactions(connection: "DuckDBPyConnection") -> dict[str, list[Compaction]]:
    """The natural compactions of each interface's present period, in the order they began."""
    found: dict[str, list[Compaction]] = {}
    cursor = connection.execute(_COMPACTIONS)
    while batch := cursor.fetchmany(_BATCH_ROWS):
        for interface, checkpoint_hash, *words in batch:
            one = Compaction(interface, checkpoint_hash, *map(sys.intern, words))
            found.setdefault(interface, []).append(one)
    return found


def row_counts(connection: "DuckDBPyConnection") -> RowCounts:
    """What became of the lines of the audit logs."""
    counts = connection.execute("select fate, count(*) from stg_audit_lines group by fate")
    fates = dict(counts.fetchall())
    return RowCounts(
        read=sum(fates.values()),
        accepted=fates.get("accepted", 0),
        duplicates=fates.get("duplicate", 0),
        quarantined=fates.get("quarantined", 0),
        after_as_of=fates.get("after_as_of", 0),
    )


def fingerprints(connection: "DuckDBPyConnection") -> list[str]:
    """Every guard fingerprint that some row has."""
    found = connection.execute(
        "select distinct guard_fingerprint from observation_periods order by 1"
    ).fetchall()
    return [fingerprint for (fingerprint,) in found]


def in_scope(rows: list[Row], policy: Policy) -> Iterator[Row]:
    """All interfaces, or those the policy names: one without a single row is not left out."""
    if policy.interfaces is None:
        yield from rows
        return
    found = {row["interface"]: row for row in rows}
    for name in sorted(policy.interfaces):
        yield found.get(name, {"interface": name})


def of_interface(rows: list[Row], interface: str) -> tuple[Row, ...]:
    """The rows of one interface, in their order."""
    return tuple(row for row in rows if row["interface"] == interface)


def evidence(row: Row) -> Evidence:
    """A row of interface_evidence, or just an interface's name where there was no row."""
    outcomes = {name: row.get(name, 0) for name in OUTCOMES}
    if len(row) == 1:
        return Evidence(row["interface"], None, outcomes)
    plain = {
        name: row[name]
        for name in (
            "interface", "guard_fingerprint", "natural_events", "synthetic_events", "sessions",
            "failed_sessions", "eligible_counted", "counted_failures", "unresolved",
            "orphan_injections", "finished", "coverage", "unresolved_share",
            "witnessed_compactions",
        )
    }  # fmt: skip
    return replace(
        Evidence(outcomes=outcomes, **plain),
        agent_versions=tuple(row["agent_versions"]),
        period_from=row["first_natural_at"],
    )

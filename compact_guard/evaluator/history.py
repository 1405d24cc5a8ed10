"""The verdicts given so far: appended by every evaluation, kept when the warehouse is rebuilt."""

import hashlib
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard.evaluator import warehouse
from compact_guard.evaluator.policy import Policy
from compact_guard.evaluator.verdict import Decision, Evidence

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = dict[str, Any]

# What outlives a rebuild: no log gives it back.
KEPT = ("verdicts", "expired_sessions", "gate_results")


class Occasion(NamedTuple):
    """On which audit logs (scope.key), as of when (naive UTC), and in earnest or not."""

    audit: str
    as_of: datetime
    is_rehearsal: bool


def entry_of(evidence: Evidence, decision: Decision, policy: Policy) -> Row:
    """What one interface's verdict adds to the history, and the hash that knows it again."""
    row = {
        "interface": evidence.interface,
        "verdict": decision.verdict,
        "guard_fingerprint": evidence.guard_fingerprint,
        "natural_events": evidence.natural_events,
        "sessions": evidence.sessions,
        "eligible_counted": evidence.eligible_counted,
        "counted_failures": evidence.counted_failures,
        "unresolved": evidence.unresolved,
        "orphan_injections": evidence.orphan_injections,
        "witnessed_compactions": evidence.witnessed_compactions,
        "outcomes": json.dumps(dict(evidence.outcomes), sort_keys=True),
        "coverage": evidence.coverage,
        "miss_rate_upper_bound": decision.miss_rate_upper_bound,
        "session_miss_rate_upper_bound": decision.session_miss_rate_upper_bound,
        "confidence": policy.confidence,
        "reasons": list(decision.reasons),
    }
    canonical = json.dumps(row, sort_keys=True)
    return row | {"evidence_hash": hashlib.sha256(canonical.encode()).hexdigest()}


def append(
    connection: "DuckDBPyConnection",
    occasion: Occasion,
    entries: list[Row],
    evaluated_at: datetime,
) -> None:
    """Add what is new. Running again on the same UTC day with the same evidence adds nothing."""
    with warehouse.transaction(connection):
        for entry in entries:
            row = occasion._asdict() | {"evaluated_at": evaluated_at} | entry
            if not _is_told(connection, row):
                _insert(connection, "verdicts", row)


def read(connection: "DuckDBPyConnection", audit: str) -> list[Row]:
    """The verdicts on these audit logs (see scope.key), rehearsals left out, in the order of
    their as-of times; each row has `interface`, `as_of`, `verdict`, counts and bounds."""
    return warehouse.rows(
        connection,
        "select * from verdicts where audit = ? and not is_rehearsal "
        "order by as_of, interface, evaluated_at",
        audit,
    )


def rescue(connection: "DuckDBPyConnection") -> dict[str, list[Row]]:
    """Everything that outlives a rebuild, by table. Raises duckdb.Error where it is unreadable."""
    return {table: warehouse.rows(connection, f"select * from {table}") for table in KEPT}


def restore(connection: "DuckDBPyConnection", rescued: dict[str, list[Row]]) -> None:
    """Put what was rescued into a warehouse made anew."""
    with warehouse.transaction(connection):
        for table, rows in rescued.items():
            for row in rows:
                _insert(connection, table, row)


def _is_told(connection: "DuckDBPyConnection", row: Row) -> bool:
    """Whether this very verdict is known, or the newest one of that day says the same."""
    found = connection.execute(
        """
        select 1 from (
            select as_of, evidence_hash, row_number() over (
                order by as_of desc, evaluated_at desc
            ) as age
            from verdicts
            where audit = $audit and interface = $interface and is_rehearsal = $is_rehearsal
            and as_of::date = $as_of::timestamp::date
        )
        where evidence_hash = $evidence_hash and (age = 1 or as_of = $as_of)
        """,
        {
            name: row[name]
            for name in ("audit", "interface", "is_rehearsal", "as_of", "evidence_hash")
        },
    ).fetchone()
    return found is not None


def _insert(connection: "DuckDBPyConnection", table: str, row: Row) -> None:
    connection.execute(
        f"insert into {table} ({', '.join(row)}) values ({', '.join('?' * len(row))})",
        list(row.values()),
    )

"""Expire old detail from a kept warehouse, without taking anything from the present verdict.

Only sessions that ended before the present observation period began are expired, and only those
with nothing pending: the evidence of the present period stays whole, however old it is. What had
become of their compactions is kept as counts, so that a restart launders no miss.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from compact_guard.evaluator import notes, threads, warehouse

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def expire(connection: "DuckDBPyConnection", audit: str, as_of: datetime, keep: timedelta) -> int:
    """Delete the rows of sessions whose newest row is older than `keep` before `as_of` (UTC).

    `audit` names the logs that are evaluated (scope.key); those of others are left alone.

    Reads the marts as built, which are stale afterwards where this returns more than 0: how many
    lines were deleted.
    """
    with warehouse.transaction(connection):
        connection.execute(
            "create or replace temp table expiring as "
            "select * from sessions_expirable where newest_at < ?",
            [as_of - keep],
        )
        connection.execute(
            "delete from expired_sessions "
            "where audit = ? and session_hash in (select session_hash from expiring)",
            [audit],
        )
        connection.execute(
            "insert into expired_sessions by name "
            "select ? as audit, *, ?::timestamp as expired_at from expiring",
            [audit, as_of],
        )
        expired = _delete_rows(connection)
        if expired:
            threads.touch_all(connection)
        forget_transcripts(connection, audit)
    return expired


def forget_transcripts(connection: "DuckDBPyConnection", audit: str) -> None:
    """A transcript of which only the rows were expired would show compactions without rows."""
    connection.execute(
        """
        create or replace temp table forgotten as
        select file from raw_transcript_files
        where session_hash in (select session_hash from expired_sessions where audit = ?)
        and session_hash not in (
            select session_hash from raw_audit_lines where session_hash is not null
        )
        """,
        [audit],
    )
    forgotten = connection.execute("select file from forgotten").fetchall()
    threads.touch_transcripts(connection, [file for (file,) in forgotten])
    for table in ("raw_transcript_events", "raw_transcript_files"):
        connection.execute(f"delete from {table} where file in (select file from forgotten)")


def note(connection: "DuckDBPyConnection", audit: str) -> None:
    """Say what is missing since an expiry, with the failures that were among it."""
    periods = connection.execute(
        """
        with expired as (select * from expired_sessions where audit = ?),
        come_back as (
            select distinct session_hash from stg_audit_lines
            semi join expired using (session_hash)
        )
        select interface, guard_fingerprint, count(*), sum(count_compactions), sum(count_failures)
        from expired anti join come_back using (session_hash)
        group by interface, guard_fingerprint order by all
        """,
        [audit],
    ).fetchall()
    for interface, fingerprint, sessions, compactions, failures in periods:
        notes.add(
            connection,
            f"Expired from the warehouse, of {interface} under the earlier fingerprint "
            f"{fingerprint}: {sessions} sessions with {compactions} natural compactions, "
            f"{failures} of them missed or duplicated.",
        )


def _delete_rows(connection: "DuckDBPyConnection") -> int:
    """The sessions' lines; where nothing else stands in a file, its rejected lines with them."""
    connection.execute(
        """
        create or replace temp table touched as
        select distinct file from raw_audit_lines
        where session_hash in (select session_hash from expiring)
        and file not in (select file from raw_files_left_out where kind = 'audit')
        """
    )
    counted = connection.execute(
        """
        delete from raw_audit_lines
        where session_hash in (select session_hash from expiring)
        and file in (select file from touched)
        """
    ).fetchone()
    connection.execute(
        """
        delete from raw_audit_lines where file in (
            select file from touched
            except select file from raw_audit_lines where session_hash is not null
        )
        """
    )
    return int(counted[0]) if counted else 0

"""Which rows break an expectation: found in the warehouse, named by hash and time."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

OFFENDERS_MAX = 20  # enough to see what they share; the count tells how many there are

# Table of a suite -> the column that names its rows.
_KEYS = {"stg_audit_rows": "event_id", "compactions": "compaction_id"}
# Table of counts -> the table that lists what they count.
FINDINGS = {
    "audit_row_identities": "audit_row_findings",
    "evidence_identities": "compaction_findings",
}


class Offender(NamedTuple):
    """A row, compaction or checkpoint by its hash, and its time (naive UTC)."""

    offending_key: str | None
    recorded_at: datetime | None


def combinations(
    connection: "DuckDBPyConnection", table: str, columns: list[str]
) -> "pd.DataFrame":
    """Each distinct combination of `interface` and `columns` in the rows of `table`, once."""
    listed = ", ".join(columns)
    found = connection.execute(f"select distinct interface, {listed} from {table} order by all")
    return found.df()


def of_interface(combined: "pd.DataFrame", interface: str) -> "pd.DataFrame":
    """Those `combinations` that are one interface's."""
    own = combined[combined["interface"] == interface]
    return own.drop(columns="interface").reset_index(drop=True)


def find(
    connection: "DuckDBPyConnection",
    table: str,
    interface: str,
    columns: list[str],
    unexpected: list[Any],
) -> tuple[int, list[Offender]]:
    """How many rows offend by holding an `unexpected` value in `columns`, and the first of them."""
    if table in FINDINGS:
        return _found(connection, table, interface, columns[0])
    key = _KEYS[table]
    values = [value if isinstance(value, list | tuple) else [value] for value in unexpected]
    is_one = " and ".join(f"{name} is not distinct from ?" for name in columns)
    condition = " or ".join(f"({is_one})" for _ in values) or "false"
    parameters = [interface, *(_plain(value) for row in values for value in row)]
    return _listed(connection, key, f"{table} where interface = ? and ({condition})", parameters)


def _found(
    connection: "DuckDBPyConnection", table: str, interface: str, finding: str
) -> tuple[int, list[Offender]]:
    source = f"{FINDINGS[table]} where interface = ? and finding = ?"
    count, offenders = _listed(connection, "offending_key", source, [interface, finding])
    if count:
        return count, offenders
    # A difference between two counts, which no single row makes.
    [(difference,)] = connection.execute(
        f"select {finding} from {table} where interface = ?", [interface]
    ).fetchall()
    return abs(difference), []


def _listed(
    connection: "DuckDBPyConnection", key: str, source: str, parameters: list[Any]
) -> tuple[int, list[Offender]]:
    [(count,)] = connection.execute(f"select count(*) from {source}", parameters).fetchall()
    rows = connection.execute(
        f"select {key}, recorded_at from {source} "
        f"order by recorded_at, {key} limit {OFFENDERS_MAX}",
        parameters,
    ).fetchall()
    return count, [Offender(*row) for row in rows]


def _plain(value: Any) -> Any:
    """A value of a frame as the warehouse knows it: pandas writes its nulls in several ways."""
    return None if value != value or value is None else value  # noqa: PLR0124 - NaN is not itself

"""The layout of the stored tables, and how a warehouse of an older release is brought up to it.

What stands in raw tables can be read again from the logs, so a migration may empty them; what
stands in kept ones cannot, so a migration carries it over.
"""

from typing import TYPE_CHECKING

from compact_guard import assets
from compact_guard.errors import UsageError
from compact_guard.evaluator import warehouse

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# 1 is release 0.1.0, 2 is 0.2.0. Raise it with every change of a stored table, and write the way
# there: sql/migrations/to_<version>.sql, run on a warehouse of the version before.
VERSION = 2


def bring_up_to_date(connection: "DuckDBPyConnection") -> None:
    """Migrate and make what is missing, in one transaction.

    Raises UsageError where the warehouse is a newer release's, or none of ours at all.
    """
    with warehouse.transaction(connection):
        version = found(connection)
        if version > VERSION:
            raise UsageError(
                f"a newer compact-guard made this warehouse (layout {version}, this one knows "
                f"{VERSION}): upgrade compact-guard, or name another file"
            )
        for step in range(version + 1, VERSION + 1):
            connection.execute(migration(step))
        warehouse.create(connection)
        connection.execute("delete from layout_version")
        connection.execute("insert into layout_version values (?)", [VERSION])


def found(connection: "DuckDBPyConnection") -> int:
    """The layout's version: 0 before there were versions, the present one in an empty database.

    Raises UsageError where the tables are somebody else's.
    """
    tables = {
        name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()
    }
    if not tables:
        return VERSION
    if "layout_version" in tables:
        row = connection.execute("select max(version) from layout_version").fetchone()
        return int(row[0]) if row and row[0] is not None else VERSION
    if "raw_audit_lines" in tables:
        return 0
    raise UsageError(
        "this DuckDB database is no warehouse of compact-guard "
        f"(it holds {', '.join(sorted(tables)[:3])}): name another file"
    )


def migration(version: int) -> str:
    """The SQL that leads to `version` from the one before."""
    file = assets.folder("sql", "migrations") / f"to_{version}.sql"
    return file.read_text(encoding="utf-8")

"""Build the models of sql/: whole from nothing, and night after night only what may have changed.

What becomes of a compaction is decided within its thread (one session with one transcript). So
models that are built `by thread` are kept, and only the threads with new rows or transcripts, or
with any too young to be settled, are judged anew: by the very same SQL, which then sees no other
threads. Models that are built `by day` are kept but for the days of these threads' lines. Whatever
else may have changed an outcome (lines gone, other models) touches all.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from compact_guard.evaluator import threads, warehouse
from compact_guard.evaluator.warehouse import Model

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BY_THREAD, BY_DAY, IN_PASSING = "by thread", "by day", "in passing"
AS_VIEW, AS_TEMPORARY, AS_TABLE = "as view", "as temporary table", "as table"

_OF_THREADS = {BY_THREAD: "table", BY_DAY: "table", IN_PASSING: "temp table"}
_KINDS = _OF_THREADS | {AS_VIEW: "view", AS_TEMPORARY: "temp table", AS_TABLE: "table"}

_TOUCHED = "int_threads_touched"

# Judged anew in the place of the kept ones, half of the threads cost as much as all of them.
_TOUCHED_SHARE_MAX = 0.5


def build(connection: "DuckDBPyConnection", root: str = "sql") -> None:
    """Bring every model above the stored tables up to date, in one transaction."""
    found = [model for model in warehouse.models(root) if model.layer not in warehouse.STORED]
    of_threads = [model for model in found if model.built in _OF_THREADS]
    staged = [model for model in found if model.layer == "staging"]
    models_hash = _hash(connection, found) if of_threads else ""
    in_any_order = _in_any_order(connection) if of_threads else nullcontext()
    with in_any_order, warehouse.transaction(connection):
        if of_threads:
            _drop_others(connection, found, models_hash)
        for model in staged:
            _make(connection, model)
        if of_threads:
            _build_threads(connection, of_threads, models_hash)
        for model in found:
            if model not in staged and model not in of_threads:
                _make(connection, model)


@contextmanager
def _in_any_order(connection: "DuckDBPyConnection") -> Iterator[None]:
    """None of these models speaks of the order of rows, and keeping it costs a third."""
    connection.execute("set preserve_insertion_order = false")
    try:
        yield
    finally:
        connection.execute("reset preserve_insertion_order")


def _build_threads(connection: "DuckDBPyConnection", found: list[Model], models_hash: str) -> None:
    threads.number_transcripts(connection)
    is_known = _is_known(connection, found, models_hash)
    if not is_known:
        threads.touch_all(connection)
    kept = [model for model in found if model.built in (BY_THREAD, BY_DAY)]
    touched = next(model for model in found if model.name == _TOUCHED)
    _make(connection, touched)
    share = _touched_share(connection)
    is_whole = not is_known or share > _TOUCHED_SHARE_MAX
    if not is_whole and not share:
        _remember(connection, models_hash)
        return
    if is_whole:
        threads.touch_all(connection)
        _make(connection, touched)
    for model in found:
        if model is not touched:
            _make(connection, model, "table" if is_whole and model in kept else "temp table")
    if not is_whole:
        for model in kept:
            put = _replace if model.built == BY_THREAD else _replace_days
            put(connection, model.name)
    _remember(connection, models_hash)


def _drop_others(connection: "DuckDBPyConnection", found: list[Model], models_hash: str) -> None:
    """Models of another release may have been views where these are tables."""
    built = "select 1 from raw_models_built where models_hash = ?"
    if connection.execute(built, [models_hash]).fetchone():
        return
    others = connection.execute(
        """
        select kind, name from (
            select 'table' as kind, table_name as name from duckdb_tables() where not temporary
            union all
            select 'view', view_name from duckdb_views() where not temporary
        )
        where list_contains(?, name)
        """,
        [[model.name for model in found]],
    ).fetchall()
    for kind, name in others:
        connection.execute(f"drop {kind} {name}")


def _is_known(connection: "DuckDBPyConnection", found: list[Model], models_hash: str) -> bool:
    """Whether what is kept was built by these models, on evidence of this kind."""
    known = connection.execute(
        """
        select 1 from raw_models_built as built cross join raw_run_parameters as present
        where built.models_hash = ? and built.is_rehearsal = present.is_rehearsal
        """,
        [models_hash],
    ).fetchone()
    tables = {
        name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()
    }
    return known is not None and all(
        model.name in tables for model in found if model.built in (BY_THREAD, BY_DAY)
    )


def _touched_share(connection: "DuckDBPyConnection") -> float:
    [(share,)] = connection.execute(
        f"select (select count(*) from {_TOUCHED}) / greatest(count(*), 1) from raw_threads"
    ).fetchall()
    return float(share)


def _replace(connection: "DuckDBPyConnection", name: str) -> None:
    """Put what was judged anew, in a temporary table, in the place of what was kept."""
    _put_in_place(connection, name, f"thread in (select thread from {_TOUCHED})")


def _replace_days(connection: "DuckDBPyConnection", name: str) -> None:
    """The same of a table that is kept by day."""
    _put_in_place(connection, name, "recorded_date in (select recorded_date from int_days_touched)")


def _put_in_place(connection: "DuckDBPyConnection", name: str, is_touched: str) -> None:
    [(database,)] = connection.execute("select current_database()").fetchall()
    kept = f'"{database}".main.{name}'
    connection.execute(f"delete from {kept} where {is_touched}")
    connection.execute(f"insert into {kept} by name select * from temp.main.{name}")
    connection.execute(f"drop table temp.main.{name}")


def _remember(connection: "DuckDBPyConnection", models_hash: str) -> None:
    connection.execute("delete from raw_threads_touched")
    connection.execute("delete from raw_models_built")
    connection.execute(
        "insert into raw_models_built select as_of, grace_seconds, is_rehearsal, "
        "exists (from raw_transcript_files), ? from raw_run_parameters",
        [models_hash],
    )


def _make(connection: "DuckDBPyConnection", model: Model, kind: str | None = None) -> None:
    made = f"{kind or _KINDS[model.built]} {model.name}"
    connection.execute(f"create or replace {made} as\n{model.sql}")


def _hash(connection: "DuckDBPyConnection", found: list[Model]) -> str:
    """Names the models, and what of the policy decides in them thread by thread."""
    digest = hashlib.sha256()
    for model in found:
        digest.update(model.sql.encode())
    counting = connection.execute("select natural_triggers from raw_run_parameters").fetchall()
    digest.update(repr(counting).encode())
    return digest.hexdigest()

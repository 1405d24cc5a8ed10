"""Build the models of sql/: whole from nothing, and night after night only what may have changed.

What becomes of a compaction is decided within its thread (one session with one transcript). So
models that are built `by thread` are kept, and only the threads with new rows, or with rows too
young to be settled, are judged anew: by the very same SQL, which then sees no other threads.
Whatever else may have changed an outcome (lines gone, other models, transcripts), touches all.
"""

import hashlib
from typing import TYPE_CHECKING

from compact_guard.evaluator import warehouse
from compact_guard.evaluator.warehouse import Model

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BY_THREAD, IN_PASSING, AS_VIEW, AS_TABLE = "by thread", "in passing", "as view", "as table"

_TOUCHED = "int_threads_touched"

# Judged anew in the place of the kept ones, half of the threads cost as much as all of them.
_TOUCHED_SHARE_MAX = 0.5


def build(connection: "DuckDBPyConnection", root: str = "sql") -> None:
    """Bring every model above the stored tables up to date, in one transaction."""
    found = [model for model in warehouse.models(root) if model.layer not in warehouse.STORED]
    of_threads = [model for model in found if model.built in (BY_THREAD, IN_PASSING)]
    staged = [model for model in found if model.layer == "staging"]
    if of_threads:
        # None of these speaks of the order of rows, and keeping it costs a third.
        connection.execute("set preserve_insertion_order = false")
    with warehouse.transaction(connection):
        for model in staged:
            _make(connection, model)
        if of_threads:
            _build_threads(connection, of_threads, _hash(found))
        for model in found:
            if model not in staged and model not in of_threads:
                _make(connection, model)


def touch_all(connection: "DuckDBPyConnection") -> None:
    """Have every thread judged anew when the models are built next."""
    connection.execute(
        "insert into raw_threads_touched "
        "select thread from raw_threads except select thread from raw_threads_touched"
    )


def _build_threads(connection: "DuckDBPyConnection", found: list[Model], models_hash: str) -> None:
    is_known = _is_known(connection, found, models_hash)
    if not is_known:
        touch_all(connection)
    kept = [model for model in found if model.built == BY_THREAD]
    touched = next(model for model in found if model.name == _TOUCHED)
    _make(connection, touched)
    is_whole = not is_known or _touched_share(connection) > _TOUCHED_SHARE_MAX
    if is_whole:
        touch_all(connection)
        _make(connection, touched)
    for model in found:
        if model is not touched:
            _make(connection, model, "table" if is_whole and model in kept else "temp table")
    if not is_whole:
        for model in kept:
            _replace(connection, model.name)
    _remember(connection, models_hash)


def _is_known(connection: "DuckDBPyConnection", found: list[Model], models_hash: str) -> bool:
    """Whether what is kept was built by these models, on evidence of this kind."""
    known = connection.execute(
        """
        select 1 from raw_models_built as built cross join raw_run_parameters as present
        where built.models_hash = ? and built.is_rehearsal = present.is_rehearsal
        and not built.has_transcripts and not exists (from raw_transcript_files)
        """,
        [models_hash],
    ).fetchone()
    tables = {
        name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()
    }
    return known is not None and all(
        model.name in tables for model in found if model.built == BY_THREAD
    )


def _touched_share(connection: "DuckDBPyConnection") -> float:
    [(share,)] = connection.execute(
        f"select (select count(*) from {_TOUCHED}) / greatest(count(*), 1) from raw_threads"
    ).fetchall()
    return float(share)


def _replace(connection: "DuckDBPyConnection", name: str) -> None:
    """Put what was judged anew, in a temporary table, in the place of what was kept."""
    [(database,)] = connection.execute("select current_database()").fetchall()
    kept = f'"{database}".main.{name}'
    connection.execute(f"delete from {kept} where thread in (select thread from {_TOUCHED})")
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
    kinds = {AS_VIEW: "view", AS_TABLE: "table", IN_PASSING: "temp table", BY_THREAD: "table"}
    made = f"{kind or kinds[model.built]} {model.name}"
    connection.execute(f"create or replace {made} as\n{model.sql}")


def _hash(found: list[Model]) -> str:
    digest = hashlib.sha256()
    for model in found:
        digest.update(model.sql.encode())
    return digest.hexdigest()

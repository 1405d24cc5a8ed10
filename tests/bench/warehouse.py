"""CPU of bringing a warehouse up to date: from nothing, with nothing new, with 1,000 new rows.

`python -m tests.bench.warehouse [ROWS]` (default 100,000). The yardstick, in the same run, is bare
DuckDB loading the same files with typed columns into a table on disk. Imports are not counted.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from compact_guard import evaluation, ingest, policy, warehouse
from tests.builders import MORNING, Session
from tests.evaluator.nights import NIGHT

INTERFACES = ("claude-code/anthropic", "claude-code/gateway", "codex/cli", "codex/desktop")
DAYS = 24
NEW_ROWS = 1_000


def write_rows(folder: Path, rows: int, first_session: int = 0) -> int:
    """At least `rows` rows of sessions with five compactions each; returns the next session."""
    folder.mkdir(exist_ok=True)
    days: dict[str, list[str]] = {}
    number, written = first_session, 0
    while written < rows:
        begun = MORNING + timedelta(seconds=number * 97 % (DAYS * 86_400))
        session = Session(f"session {number}", INTERFACES[number % 4], at=begun)
        for compaction in range(5):
            session.delivered(f"checkpoint {number}.{compaction}")
        for row in session.rows:
            days.setdefault(row["recorded_at"][:10], []).append(json.dumps(row) + "\n")
        number, written = number + 1, written + len(session.rows)
    for day, lines in days.items():
        with (folder / f"{day}.jsonl").open("a", encoding="utf-8") as log:
            log.writelines(lines)
    return number


def bare(logs: Path, file: Path) -> None:
    """DuckDB alone, columns typed."""
    names = [name for name in ingest.field_names() if name != "schema"]
    with warehouse.connect(file) as connection:
        warehouse.create(connection)
        types = dict(
            connection.execute("select column_name, column_type from (describe raw_audit_lines)")
            .fetchall()
        )  # fmt: skip
        connection.execute(
            "create table bare as select * from read_json(?, columns = ?, format = "
            "'newline_delimited')",
            [str(logs / "*.jsonl"), {name: types[name] for name in names}],
        )


def cpu(work: Callable[..., Any], *arguments: Any) -> float:
    """CPU seconds, all threads."""
    begun = time.process_time()
    work(*arguments)
    return time.process_time() - begun


def main(rows: int) -> None:
    """One run, one line each."""
    with tempfile.TemporaryDirectory() as work:
        logs, file = Path(work, "audit"), Path(work, "warehouse.duckdb")
        session = write_rows(logs, rows)
        request = evaluation.Request(audit=(logs,), policy=policy.load(), as_of=NIGHT)
        yardstick = cpu(bare, logs, Path(work, "bare.duckdb"))
        with evaluation.opened_warehouse(file) as opened:
            evaluation.build_models(request, opened)  # imports, and the schema's compiler
            steps = {"from nothing": load_and_build(request, opened)}
            time.sleep(2.5)  # a log younger than that is read again, to be safe
            evaluation.load_audit_logs(request, opened)
            steps["nothing new"] = load_and_build(request, opened)
            write_rows(logs, NEW_ROWS, session)
            steps[f"{NEW_ROWS} new rows"] = load_and_build(request, opened)
    sys.stdout.write(f"{rows} rows, bare DuckDB {yardstick:.2f} s CPU\n")
    for name, (load, build) in steps.items():
        sys.stdout.write(
            f"{name:>14}: load {load:.2f} s ({load / yardstick:.1f}x), models {build:.2f} s\n"
        )


def load_and_build(request: evaluation.Request, file: Path) -> tuple[float, float]:
    """CPU seconds of reading and of the models."""
    load = cpu(evaluation.load_audit_logs, request, file)
    return load, cpu(evaluation.build_models, request, file)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)

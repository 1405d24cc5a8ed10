"""Fill a warehouse and die, as by kill -9, at the k-th statement; for every k.

A process of its own, for it forks: `python -m tests.evaluator.kill_points FOLDER`. FOLDER holds
`audit` and `transcripts`. For each k a child is killed and another finishes its work; what the
warehouse holds then is written to FOLDER/after.json, one entry a k, the first from a run that
nobody killed.
"""

import json
import os
import sys
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema_rs  # noqa: F401 - here, not in every child
import pandas  # noqa: F401 - here, not in every child

from compact_guard.evaluator import (
    audit_log,
    history,
    log_files,
    policy,
    scope,
    warehouse,
    warehouse_file,
)
from compact_guard.evaluator.verdict import OUTCOMES, Evidence, decide
from compact_guard.transcripts import witness

# Whatever the threads' numbers are, the same threads are touched.
_TOUCHED = "raw_threads_touched inner join raw_threads using (thread)"
TABLES = (
    "raw_audit_lines", _TOUCHED, "raw_events_repeated", "raw_transcript_files",
    "raw_transcript_events", "verdicts",
)  # fmt: skip

connect = warehouse.connect


class Doomed:
    """A connection that dies before its k-th statement; all connections count together."""

    statements = 0
    dies_at: int | None = None

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, *arguments: Any) -> Any:
        """Every statement of the package goes through here."""
        Doomed.statements += 1
        if Doomed.statements == Doomed.dies_at:
            os._exit(9)
        return self._connection.execute(*arguments)


@contextmanager
def doomed_connect(*arguments: Any, **options: Any) -> Any:
    """`warehouse.connect`, doomed."""
    with connect(*arguments, **options) as connection:
        yield Doomed(connection)


def run(folder: Path, name: str) -> None:
    """Everything that an evaluation writes and the next one reads; models are made anew anyhow."""
    log = [folder / "audit"]
    evidence = Evidence("codex/cli", "b" * 12, dict.fromkeys(OUTCOMES, 0))
    rules, night = policy.load(), datetime(2026, 11, 30, 3)
    with warehouse_file.kept(folder / name) as file, warehouse.connect(file) as connection:
        audit_log.load(connection, log)
        witness.load(connection, [folder / "transcripts"])
        history.append(
            connection,
            history.Occasion(scope.key(log), night, False),
            [history.entry_of(evidence, decide(evidence, rules, night), rules)],
            evaluated_at=night,
        )


def contents(file: Path) -> dict[str, list[str]]:
    """The stored tables, comparable."""
    with connect(file) as connection:
        return {
            table: sorted(
                repr({name: value for name, value in row.items() if name != "thread"})
                for row in warehouse.rows(connection, f"select * from {table}")
            )
            for table in TABLES
        }


def in_child(work: Any, dies_at: int | None) -> int:
    """Run `work` in a fork that dies at a statement; its exit status, the count for none."""
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        Doomed.dies_at = dies_at
        work()
        os.write(writes, str(Doomed.statements).encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as told:
        count = told.read()
    os.waitpid(pid, 0)
    return int(count or 0)


def main(folder: Path) -> None:
    """Sweep."""
    log_files.PORTION_LINES, log_files.CHUNK_BYTES = 4, 4_500
    warehouse.connect = doomed_connect
    total = in_child(lambda: run(folder, "whole.duckdb"), None)
    after = [contents(folder / "whole.duckdb")]
    for dies_at in range(1, total + 1):
        name = f"killed-{dies_at}.duckdb"
        assert in_child(lambda name=name: run(folder, name), dies_at) == 0
        assert in_child(lambda name=name: run(folder, name), None) > 0
        after.append(contents(folder / name))
    (folder / "after.json").write_text(json.dumps(after), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

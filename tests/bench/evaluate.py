"""CPU of an evaluation against bare DuckDB on the same files, in the same run.

    python -m tests.bench.evaluate [ROWS] [MEGABYTES]

ROWS audit rows from nothing, again with nothing new, again with 1,000 new rows; MEGABYTES of
transcripts for their boundaries. `10000000 50` tells what ten million rows take in memory. Imports,
and what is made once per process, are in none of them: a small evaluation comes first. What it
waits for is measured by tests.bench.first_line.
Exit 1 where a bound of the project is missed.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

from compact_guard.evaluator import evaluation, ingest, policy, warehouse
from tests.bench import audit_corpus, window_corpus
from tests.evaluator.nights import NIGHT

ROWS, MEGABYTES, NEW_ROWS, SMALL_ROWS = 1_000_000, 1_000, 1_000, 171
FROM_NOTHING_MAX, NIGHTLY_MAX, THROUGHPUT_MIN, MEMORY_MAX_MIB = 3.0, 0.05, 0.6, 4_096

Measure = tuple[str, float, str, bool]


def main() -> int:
    """Print what was measured, line by line; 1 where a bound was missed."""
    rows, megabytes = (
        int(text) for text in (sys.argv[1:] + [ROWS, MEGABYTES][len(sys.argv) - 1 :])
    )
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        audit_corpus.write(work / "small", SMALL_ROWS)
        measures = [*_of_rows(work, rows), *_of_transcripts(work, megabytes)]
    for name, value, bound, is_kept in measures:
        _tell(f"{name:<52} {value:8.2f}  {bound}{'' if is_kept else '  MISSED'}")
    return int(not all(is_kept for *_, is_kept in measures))


def _of_rows(work: Path, rows: int) -> list[Measure]:
    logs, file = work / "audit", work / "warehouse.duckdb"
    session = audit_corpus.write(logs, rows)
    _evaluate(work / "small", work / "small.duckdb")
    bare = _cpu(_load_bare, logs, work / "bare.duckdb")
    _tell(f"{rows} rows: bare DuckDB {bare:.2f} s CPU")
    first = _evaluate(logs, file)
    time.sleep(2.5)  # a log younger than that is read again, to be safe
    _evaluate(logs, file)
    _tell("nothing new, then new rows:")
    _evaluate(logs, file)
    audit_corpus.write(logs, NEW_ROWS, session)
    nightly = _evaluate(logs, file)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        _at_most("from nothing, times bare DuckDB", first / bare, FROM_NOTHING_MAX),
        _at_most(f"a night with {NEW_ROWS} new rows, of that", nightly / first, NIGHTLY_MAX),
        _at_most("peak MiB, the writing of the rows included", peak, MEMORY_MAX_MIB),
    ]


def _of_transcripts(work: Path, megabytes: int) -> list[Measure]:
    window_corpus.write(work / "transcripts", megabytes * 1_000_000, 200)
    folder = work / "transcripts"
    scan = _cpu(_scan_text, folder)
    request = _request(work / "small", transcripts=(folder,))
    with evaluation.opened_warehouse(None) as opened:
        read = _cpu(evaluation.load_transcripts, request, opened)
    _tell(f"{megabytes} MB of transcripts: DuckDB scans {scan:.2f} s CPU, boundaries {read:.2f} s")
    share = scan / read
    return [("boundaries, share of a text scan's throughput", share, f">= {THROUGHPUT_MIN}",
             share >= THROUGHPUT_MIN)]  # fmt: skip


def _load_bare(logs: Path, file: Path) -> None:
    """DuckDB alone, columns typed, into a table on disk."""
    names = [name for name in ingest.field_names() if name != "schema"]
    with warehouse.connect(file) as connection:
        warehouse.create(connection)
        described = connection.execute("describe raw_audit_lines").fetchall()
        types = {name: kind for name, kind, *_ in described if name in names}
        connection.execute(
            "create table bare as select * from "
            "read_json(?, columns = ?, format = 'newline_delimited')",
            [str(logs / "*.jsonl"), types],
        )


def _scan_text(folder: Path) -> None:
    """DuckDB alone, every line as text."""
    with duckdb.connect() as connection:
        connection.execute(
            "select count(*), sum(strlen(line)) from read_csv(?, delim = '\x01', quote = '', "
            "escape = '', header = false, columns = {'line': 'varchar'}, "
            "max_line_size = 20000000, strict_mode = false)",
            [str(folder / "**" / "*.jsonl")],
        ).fetchall()


def _request(logs: Path, **options: Any) -> evaluation.Request:
    return evaluation.Request(
        audit=(logs,), policy=policy.load(), as_of=NIGHT, is_listed=False, **options
    )


def _evaluate(logs: Path, file: Path) -> float:
    """One evaluation without its report, told step by step; CPU seconds, with opening and closing
    the warehouse."""
    request, results = _request(logs), {}
    begun = time.process_time()
    with evaluation.opened_warehouse(file) as opened:
        read = _cpu(evaluation.load_audit_logs, request, opened)
        build = _cpu(evaluation.build_models, request, opened)
        gate = _cpu(lambda: results.update(evaluation.check_expectations(request, opened)))
        judge = _cpu(evaluation.judge, request, results, opened)
    whole = time.process_time() - begun
    _tell(
        f"  read {read:.2f} s, models {build:.2f} s, gate {gate:.2f} s, judge {judge:.2f} s, "
        f"all with opening and closing {whole:.2f} s CPU"
    )
    return whole


def _cpu(work: Callable[..., Any], *arguments: Any) -> float:
    """CPU seconds, all threads."""
    begun = time.process_time()
    work(*arguments)
    return time.process_time() - begun


def _at_most(name: str, value: float, most: float) -> Measure:
    return name, value, f"<= {most:g}", value <= most


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

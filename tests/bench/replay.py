"""CPU and memory of `replay` and `find` against `cat`, `grep` and DuckDB, in the same run.

    python -m tests.bench.replay [MEGABYTES] [RUNS]

Every process is timed by the kernel (user + system, children included), the smallest of RUNS
counts; what only starting costs is measured beside it and subtracted.

- "quiet": transcripts without a compaction. What is left is the search for boundaries.
- "busy": a compaction every 3 MB, each with 400 messages of talk. What is added is composing,
  in units of `python -I -S -c pass`.
- "one file": all the quiet transcripts in a single file, for the peak of memory.
- "find": a word that nobody said, in that file. `grep` is the floor, of bytes and nothing else.
"""

import json
import sys
import tempfile
from pathlib import Path

from tests.bench import processes, replay_corpus
from tests.bench.processes import Bound, Used

MEGABYTES, RUNS = 400, 3
CAT_MAX, DUCKDB_MAX, BARE_MAX, MEMORY_MAX_MIB = 2.0, 0.5, 12.0, 64
GREP_MAX = 6.0  # which splits no lines and looks for one word, not for boundaries too
WORD = "heronry"
REPLAY = [sys.executable, "-m", "compact_guard", "replay", "--json"]
FINDING_NOTHING = ["sh", "-c", '"$@" || test $? = 1', "sh"]  # is what both are asked for
GREP = [*FINDING_NOTHING, "grep", "-c", "-i", "-F", WORD]
FIND = [
    *FINDING_NOTHING,
    sys.executable,
    "-m",
    "compact_guard",
    "find",
    WORD,
    "--json",
    "--transcript",
]
SCAN = """
import duckdb, sys
read = "read_csv(?, columns={'line': 'varchar'}, delim=chr(1), quote='', escape='', header=false)"
duckdb.execute("set threads = 1")
files = sys.argv[1:]
if files:
    duckdb.execute(f"select count(*) from {read} where contains(line, 'compact_boundary')", [files])
"""


def main() -> int:
    """Print the table; 1 where a bound was missed or compactions were not found."""
    megabytes, runs = processes.numbers(MEGABYTES, RUNS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        replay_corpus.write_quiet(folder / "quiet", megabytes << 20)
        compactions = replay_corpus.write(folder / "busy", megabytes << 20)
        _join(folder / "quiet", folder / "one-file.jsonl")
        measured = _measured(folder, runs)
    totals = json.loads(measured["busy"].output)["totals"]
    bounds = _bounds(measured, compactions)
    sys.stdout.write(processes.table(measured, bounds))
    sys.stdout.write(f"{totals['compactions']} of {compactions} compactions found\n")
    is_kept = all(bound.is_kept for bound in bounds)
    return int(totals["compactions"] != compactions or not is_kept)


def _join(folder: Path, to: Path) -> None:
    with to.open("wb") as file:
        for part in sorted(folder.glob("*.jsonl")):
            file.write(part.read_bytes())


def _measured(folder: Path, runs: int) -> dict[str, Used]:
    quiet = sorted(str(file) for file in (folder / "quiet").glob("*.jsonl"))
    nothing = folder / "nothing.jsonl"
    nothing.write_text('{"type": "mode", "mode": "normal", "sessionId": "s"}\n')
    kinds = {
        "bare interpreter": [sys.executable, "-I", "-S", "-c", "pass"],
        "cat": ["sh", "-c", 'cat "$@" | cat >/dev/null', "cat", *quiet],
        "duckdb": [sys.executable, "-c", SCAN, *quiet],
        "duckdb, nothing": [sys.executable, "-c", SCAN],
        "replay, nothing": [*REPLAY, str(nothing)],
        "quiet": [*REPLAY, str(folder / "quiet")],
        "busy": [*REPLAY, str(folder / "busy")],
        "one file": [*REPLAY, str(folder / "one-file.jsonl")],
        "grep": [*GREP, str(folder / "one-file.jsonl")],
        "find, nothing": [*FIND, str(nothing)],
        "find": [*FIND, str(folder / "one-file.jsonl")],
    }
    return processes.cheapest(kinds, runs, {"COLUMNS": "80"})


def _bounds(measured: dict[str, Used], compactions: int) -> list[Bound]:
    started = measured["replay, nothing"].cpu
    # In one process: starting the others is no search.
    search = measured["one file"].cpu - started
    scan = measured["duckdb"].cpu - measured["duckdb, nothing"].cpu
    composing = (measured["busy"].cpu - measured["quiet"].cpu) / compactions
    return [
        Bound("search of cat", search / measured["cat"].cpu, CAT_MAX),
        Bound("search of DuckDB's scan", search / scan, DUCKDB_MAX),
        Bound("compaction of bare", composing / measured["bare interpreter"].cpu, BARE_MAX),
        Bound("find of cat", _found(measured) / measured["cat"].cpu, CAT_MAX),
        Bound("find of grep", _found(measured) / measured["grep"].cpu, GREP_MAX),
        Bound("peak MiB, one file", measured["one file"].peak_mib, MEMORY_MAX_MIB),
    ]


def _found(measured: dict[str, Used]) -> float:
    return measured["find"].cpu - measured["find, nothing"].cpu


if __name__ == "__main__":
    sys.exit(main())

"""CPU and memory of `replay` against `cat` and a text scan by DuckDB, in the same run.

    python -m tests.bench.replay [MEGABYTES] [RUNS]

Every process is timed by the kernel (user + system, children included), the smallest of RUNS
counts; what only starting costs is measured beside it and subtracted.

- "quiet": transcripts without a compaction. What is left is the search for boundaries.
- "busy": a compaction every 3 MB, each with 400 messages of talk. What is added is composing,
  in units of `python -I -S -c pass`.
- "one file": all the quiet transcripts in a single file, for the peak of memory.
"""

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.bench import replay_corpus

MEGABYTES, RUNS = 400, 3
CAT_MAX, DUCKDB_MAX, BARE_MAX, MEMORY_MAX_MIB = 2.0, 0.5, 12.0, 64
ENVIRONMENT = {**os.environ, "COLUMNS": "80"}
REPLAY = [sys.executable, "-m", "compact_guard", "replay", "--json"]
SCAN = """
import duckdb, sys
read = "read_csv(?, columns={'line': 'varchar'}, delim=chr(1), quote='', escape='', header=false)"
duckdb.execute("set threads = 1")
files = sys.argv[1:]
if files:
    duckdb.execute(f"select count(*) from {read} where contains(line, 'compact_boundary')", [files])
"""


class Used(NamedTuple):
    """Of one process and its children: CPU seconds, peak MiB, what it printed."""

    cpu: float
    peak_mib: float
    output: bytes = b""


def main() -> int:
    """Print the table; 1 where a bound was missed or compactions were not found."""
    megabytes, runs = (
        int(text) for text in (sys.argv[1:] + [MEGABYTES, RUNS][len(sys.argv) - 1 :])
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        replay_corpus.write_quiet(folder / "quiet", megabytes << 20)
        compactions = replay_corpus.write(folder / "busy", megabytes << 20)
        _join(folder / "quiet", folder / "one-file.jsonl")
        measured = _measured(folder, runs)
    totals = json.loads(measured["busy"].output)["totals"]
    bounds = _bounds(measured, compactions)
    sys.stdout.write(_table(measured, bounds))
    sys.stdout.write(f"{totals['compactions']} of {compactions} compactions found\n")
    return int(totals["compactions"] != compactions or any(not kept for *_, kept in bounds))


def _join(folder: Path, to: Path) -> None:
    with to.open("wb") as file:
        for part in sorted(folder.glob("*.jsonl")):
            file.write(part.read_bytes())


def _measured(folder: Path, runs: int) -> dict[str, Used]:
    """Each kind's cheapest run; the kinds take turns, so that a busy machine slows all alike."""
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
    }
    best: dict[str, Used] = {}
    for _ in range(runs):
        for kind, command in kinds.items():
            used = _run(command)
            best[kind] = min(used, best.get(kind, used), key=lambda run: run.cpu)
    return best


def _run(command: list[str]) -> Used:
    with tempfile.TemporaryFile() as output:
        child = os.posix_spawnp(
            command[0],
            command,
            ENVIRONMENT,
            file_actions=[(os.POSIX_SPAWN_DUP2, output.fileno(), 1)],
        )
        _, status, usage = os.wait4(child, 0)
        if status:
            raise RuntimeError(f"{command[:4]} ended with {os.waitstatus_to_exitcode(status)}")
        output.seek(0)
        unit = 1 << 10 if sys.platform == "linux" else 1 << 20
        return Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, output.read())


def _bounds(measured: dict[str, Used], compactions: int) -> list[tuple[str, float, float, bool]]:
    started = measured["replay, nothing"].cpu
    # In one process: starting the others is no search.
    search = measured["one file"].cpu - started
    scan = measured["duckdb"].cpu - measured["duckdb, nothing"].cpu
    composing = (measured["busy"].cpu - measured["quiet"].cpu) / compactions
    ratios = [
        ("search of cat", search / measured["cat"].cpu, CAT_MAX),
        ("search of DuckDB's scan", search / scan, DUCKDB_MAX),
        ("compaction of bare", composing / measured["bare interpreter"].cpu, BARE_MAX),
        ("peak MiB, one file", measured["one file"].peak_mib, MEMORY_MAX_MIB),
    ]
    return [(name, value, most, value <= most) for name, value, most in ratios]


def _table(measured: dict[str, Used], bounds: list[tuple[str, float, float, bool]]) -> str:
    lines = [f"{'what':24} {'CPU s':>7} {'MiB':>6}"]
    lines += [f"{kind:24} {used.cpu:7.3f} {used.peak_mib:6.0f}" for kind, used in measured.items()]
    lines += [""] + [
        f"{name:24} {value:7.2f} at most {most:<5} {'ok' if is_kept else 'MISSED'}"
        for name, value, most, is_kept in bounds
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())

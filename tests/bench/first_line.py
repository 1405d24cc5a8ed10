"""What a verdict on 171 rows waits for: CPU, and seconds until its first line, in the same run.

    python -m tests.bench.first_line [RUNS]

The median of RUNS fresh processes each, interleaved. Exit 1 where a verdict costs more than the
imports of what it rests on would cost by themselves.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.builders import busy_weeks, rows_of, write_log
from tests.evaluator.nights import NIGHT

RUNS = 5
COMPACTIONS = 57  # of three rows each: the 171 that a verdict asks for
# Of the imports of DuckDB, pandas and Great Expectations as they come: not less, and a verdict.
SHARE_MAX = 1.0
_AS_THEY_COME = "import duckdb, pandas, great_expectations"
_FLOW = (
    "import sys; from compact_guard import quiet; quiet.telemetry_off(); quiet.chatter_off(); "
    "from pathlib import Path; from datetime import datetime; from flows.verdict import verdict; "
    "verdict([Path(sys.argv[1])], as_of=datetime.fromisoformat(sys.argv[2]), "
    "reports=Path(sys.argv[3])); print()"
)


class Cost(NamedTuple):
    """Of one process with its children: CPU seconds, and seconds to its first line or its end."""

    cpu: float
    first_line: float


def main() -> int:
    """Print a line for each; 1 where the bound is missed."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    with tempfile.TemporaryDirectory() as folder:
        costs = _measured(Path(folder), runs)
    for name, cost in costs.items():
        _tell(f"{name:<44} {cost.cpu:6.2f} s CPU {cost.first_line:6.2f} s to the first line")
    share = costs["compact-guard evaluate"].cpu / costs[_AS_THEY_COME].cpu
    is_kept = share <= SHARE_MAX
    _tell(f"evaluate, of those imports {share:.2f}  <= {SHARE_MAX}{'' if is_kept else '  MISSED'}")
    return int(not is_kept)


def _measured(folder: Path, runs: int) -> dict[str, Cost]:
    """Interleaved, so that a busy machine slows every kind alike."""
    write_log(folder / "audit", rows_of(busy_weeks(compactions=COMPACTIONS)))
    found: dict[str, list[Cost]] = {}
    for _ in range(runs):
        for name, arguments in _contestants(folder).items():
            found.setdefault(name, []).append(_run(folder, arguments))
    return {
        name: Cost(*(statistics.median(one) for one in zip(*costs, strict=True)))
        for name, costs in found.items()
    }


def _contestants(folder: Path) -> dict[str, list[str]]:
    audit, reports = str(folder / "audit"), str(folder / "reports")
    evaluate = ["evaluate", "--audit", audit, "--reports", reports, "--as-of", f"{NIGHT}Z"]
    return {
        "python": ["-c", "pass"],
        "import duckdb": ["-c", "import duckdb"],
        "import duckdb, pandas": ["-c", "import duckdb, pandas"],
        _AS_THEY_COME: ["-c", _AS_THEY_COME],
        "import prefect": ["-c", "import prefect, prefect.flows, prefect.tasks"],
        "compact-guard evaluate": ["-m", "compact_guard", *evaluate],
        "the flow, with its temporary server": ["-c", _FLOW, audit, f"{NIGHT}", reports],
    }


def _run(folder: Path, arguments: list[str]) -> Cost:
    begun, before = time.perf_counter(), _of_children()
    environment = {**os.environ, "COMPACT_GUARD_HOME": str(folder / "home")}
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    with process:
        assert process.stdout
        process.stdout.readline()
        waited = time.perf_counter() - begun
        process.stdout.read()
    return Cost(_of_children() - before, waited)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

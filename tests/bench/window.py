"""CPU and memory of the window study against `cat` and ccusage, on transcripts of known truth.

    python -m tests.bench.window [MEGABYTES] [RUNS]

Every process is timed by the kernel (user + system), the smallest of RUNS counts. "count" is scan,
count and price alone (`tests.bench.window_counting`); "study" is the whole command, which also
answers what compactions cost, what a change did, and checks itself; "again" is the command once
more, with nothing new. Imports are measured by processes that only import, and are subtracted.
ccusage is installed once from npm. `cat` writes into a pipe that somebody empties: its own CPU
counts, not the other end's. Beside it stands what it takes into nowhere, where nothing is copied
out again. The last row is one rollout of 2 GB with lines of 10 MB, read once.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench import long_rollout, processes, window_corpus
from tests.bench.processes import Bound, Used

MEGABYTES, FILES, RUNS = 1_080, 200, 5
LONG_BYTES = 2_000_000_000
CCUSAGE = "ccusage@20.0.24"
CAT_MAX, CCUSAGE_MAX, AGAIN_MAX, MEMORY_MAX_MIB = 2.2, 0.6, 0.03, 400

_CACHE = Path(__file__).parents[2] / ".cache" / "bench"
_STUDY = [sys.executable, "-m", "compact_guard", "window", "--json"]
_COUNT = [sys.executable, "-m", "tests.bench.window_counting"]
# The parser imports every command.
_PRELUDE = (
    "from compact_guard import cli; from compact_guard.agents import registry;"
    "from compact_guard.window import load, settings_history, study;"
    "cli.build_parser(); registry.window_settings();"
)
_LIBRARIES = (
    "import sqlite3, orjson, duckdb; from genai_prices import data_snapshot;"
    "data_snapshot.get_snapshot()"
)
_IMPORTS = {
    "count": "import tests.bench.window_counting;" + _LIBRARIES,
    "study": _PRELUDE + _LIBRARIES,
    "again": _PRELUDE + "import sqlite3",
}


def main() -> int:
    """Print the table; 1 where something was counted wrongly or a bound was missed."""
    megabytes, runs = processes.numbers(MEGABYTES, RUNS)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        truth = window_corpus.write(corpus, megabytes * 1_000_000, FILES)
        measured = _measured(corpus, Path(folder) / "home", runs)
        rollout = Path(folder) / "long" / "rollout-long.jsonl"
        turns = long_rollout.write(rollout, LONG_BYTES)
        measured["one long rollout"] = processes.run([*_STUDY, "--no-cache", str(rollout)], {})
    answers = {kind: json.loads(measured[kind].output) for kind in _IMPORTS}
    wrong = [f"{kind}: {told}" for kind in answers for told in _wrong(answers[kind], truth)]
    wrong += _wrong_of_long(json.loads(measured["one long rollout"].output), turns)
    bounds = _bounds(measured)
    sys.stdout.write(processes.table(measured, bounds))
    lines = [f"WRONG {told}" for told in wrong] or ["every number equals the truth"]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bool(wrong) or not all(bound.is_kept for bound in bounds))


def _measured(corpus: Path, home: Path, runs: int) -> dict[str, Used]:
    files = sorted(str(file) for file in corpus.rglob("*.jsonl"))
    imports = {f"imports, {kind}": [sys.executable, "-c", code] for kind, code in _IMPORTS.items()}
    kinds = {
        "cat": ["cat", *files],
        "cat to nowhere": ["sh", "-c", 'cat "$@" >/dev/null', "cat", *files],
        "ccusage": [str(_ccusage()), "claude", "daily", "--json", "--offline"],
        **imports,
        "count": [*_COUNT, str(corpus)],
        "study": [*_STUDY, str(corpus)],
        "again": [*_STUDY, str(corpus)],
    }

    def forget(kind: str) -> None:
        for file in home.rglob("*.sqlite3") if kind in ("count", "study") else ():
            file.unlink()

    environment = {"COMPACT_GUARD_HOME": str(home), "CLAUDE_CONFIG_DIR": str(corpus)}
    return processes.cheapest(kinds, runs, environment, forget)


def _ccusage() -> Path:
    binary = _CACHE / "node_modules" / ".bin" / "ccusage"
    if not binary.exists():
        command = ["npm", "install", "--silent", "--no-save", "--prefix", str(_CACHE), CCUSAGE]
        subprocess.run(command, check=True)
    return binary


def _wrong(study: dict, truth: window_corpus.Truth) -> list[str]:
    """Every number of the study that is not the truth."""
    totals = study["totals"]
    found = {
        "turns": totals["turns"],
        "main_turns": totals["main_turns"],
        "boundaries": sum(not boundary["is_copy"] for boundary in study["boundaries"]),
        "cost_usd": round(totals["cost_usd"], 6),
    }
    right = {name: getattr(truth, name) for name in found} | {"cost_usd": round(truth.cost_usd, 6)}
    return [
        f"{name}: {found[name]} instead of {right[name]}"
        for name in found
        if found[name] != right[name]
    ]


def _wrong_of_long(study: dict, turns: int) -> list[str]:
    found, tokens = study["totals"]["turns"], study["files"][0]["tokens"]["input"]
    right = (turns, turns * long_rollout.TOKENS_PER_TURN)
    return [] if (found, tokens) == right else [f"long rollout: {found, tokens} instead of {right}"]


def _bounds(measured: dict[str, Used]) -> list[Bound]:
    count, study, again = (
        measured[kind].cpu - measured[f"imports, {kind}"].cpu for kind in _IMPORTS
    )
    cat, ccusage = measured["cat"].cpu, measured["ccusage"].cpu
    return [
        Bound("count, of cat through a pipe", count / cat, CAT_MAX),
        Bound("count, of ccusage", count / ccusage, CCUSAGE_MAX),
        Bound("study, of cat through a pipe", study / cat, CAT_MAX),
        Bound("study, of ccusage", study / ccusage, CCUSAGE_MAX),
        Bound("again, of study", again / study, AGAIN_MAX),
        *(
            Bound(f"peak MiB, {kind}", measured[kind].peak_mib, MEMORY_MAX_MIB)
            for kind in ("study", "one long rollout")
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())

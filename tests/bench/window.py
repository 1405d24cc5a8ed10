"""CPU and memory of the window study against `cat` and ccusage, on transcripts of known truth.

    python -m tests.bench.window [MEGABYTES] [RUNS]

Every process is timed by the kernel (user + system), the smallest of RUNS counts. Imports are
measured by a process that only imports, and are subtracted. ccusage is installed once from npm.
`cat` writes into a pipe that somebody empties: its own CPU counts, not the other end's. Beside it
stands what it takes into nowhere, where nothing is copied out again. The last row is one rollout
of 2 GB with lines of 10 MB, read once.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.bench import long_rollout, window_corpus

MEGABYTES, FILES, RUNS = 1_080, 200, 5
LONG_BYTES = 2_000_000_000
CCUSAGE = "ccusage@20.0.24"
CAT_MAX, CCUSAGE_MAX, AGAIN_MAX, MEMORY_MAX_MIB = 2.2, 0.6, 0.03, 400

_CACHE = Path(__file__).parents[2] / ".cache" / "bench"
_IMPORTS = {
    "first": (
        "import sqlite3, orjson, duckdb; from genai_prices import data_snapshot;"
        "data_snapshot.get_snapshot()"
    ),
    "again": "import sqlite3",
}
STUDY = [sys.executable, "-m", "compact_guard", "window", "--json"]
# The parser imports every command.
_PRELUDE = "from compact_guard import cli; from compact_guard.agents import registry;"
_PRELUDE += "from compact_guard.window import load, settings_history, study;"
_PRELUDE += "cli.build_parser(); registry.window_settings();"


class Used(NamedTuple):
    """Of one process: CPU seconds, peak MiB, what it printed."""

    cpu: float
    peak_mib: float
    output: bytes = b""


def main() -> int:
    """Print the table; 1 where the study counted wrongly or a bound was missed."""
    megabytes, runs = (
        int(text) for text in (sys.argv[1:] + [MEGABYTES, RUNS][len(sys.argv) - 1 :])
    )
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        truth = window_corpus.write(corpus, megabytes * 1_000_000, FILES)
        ccusage = _ccusage()
        measured = _measured(corpus, Path(folder) / "home", ccusage, runs)
        rollout = Path(folder) / "long" / "rollout-long.jsonl"
        turns = long_rollout.write(rollout, LONG_BYTES)
        measured["one long rollout"] = _run([*STUDY, "--no-cache", str(rollout)], {})
    wrong = _wrong(json.loads(measured["first"].output), truth)
    wrong += _wrong_of_long(json.loads(measured["one long rollout"].output), turns)
    bounds = _bounds(measured)
    sys.stdout.write(_table(measured, bounds, wrong))
    return int(bool(wrong) or any(not is_kept for *_, is_kept in bounds))


def _measured(corpus: Path, home: Path, ccusage: Path, runs: int) -> dict[str, Used]:
    """Each kind's cheapest run; the kinds take turns, so that a busy machine slows all alike."""
    files = sorted(str(file) for file in corpus.rglob("*.jsonl"))
    environment = {"COMPACT_GUARD_HOME": str(home), "CLAUDE_CONFIG_DIR": str(corpus)}
    study = [*STUDY, str(corpus)]
    kinds = {
        "cat": ["cat", *files],
        "cat to nowhere": ["sh", "-c", 'cat "$@" >/dev/null', "cat", *files],
        "ccusage": [str(ccusage), "claude", "daily", "--json", "--offline"],
        "imports first": [sys.executable, "-c", _PRELUDE + _IMPORTS["first"]],
        "imports again": [sys.executable, "-c", _PRELUDE + _IMPORTS["again"]],
        "first": study,
        "again": study,
    }
    best: dict[str, Used] = {}
    for _ in range(runs):
        for kind, command in kinds.items():
            if kind == "first":
                _forget(home)
            used = _run(command, environment)
            best[kind] = min(used, best.get(kind, used), key=lambda run: run.cpu)
    return best


def _forget(home: Path) -> None:
    for file in home.rglob("*.sqlite3"):
        file.unlink()


def _run(command: list[str], environment: dict[str, str]) -> Used:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **environment})
    output = []
    assert process.stdout is not None
    while piece := process.stdout.read(1 << 20):
        if command[0] != "cat":
            output.append(piece)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[:4]} ended with {process.returncode}")
    unit = 1 << 10 if sys.platform == "linux" else 1 << 20
    return Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, b"".join(output))


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


def _bounds(measured: dict[str, Used]) -> list[tuple[str, float, float, bool]]:
    first = measured["first"].cpu - measured["imports first"].cpu
    again = measured["again"].cpu - measured["imports again"].cpu
    ratios = [
        ("of cat through a pipe", first / measured["cat"].cpu, CAT_MAX),
        ("of ccusage", first / measured["ccusage"].cpu, CCUSAGE_MAX),
        ("second run of first", again / first, AGAIN_MAX),
        ("peak MiB", measured["first"].peak_mib, MEMORY_MAX_MIB),
        ("peak MiB, one long rollout", measured["one long rollout"].peak_mib, MEMORY_MAX_MIB),
    ]
    return [(name, value, most, value <= most) for name, value, most in ratios]


def _table(
    measured: dict[str, Used], bounds: list[tuple[str, float, float, bool]], wrong: list[str]
) -> str:
    lines = [f"{'what':28} {'CPU s':>7} {'MiB':>6}"]
    lines += [f"{kind:28} {used.cpu:7.3f} {used.peak_mib:6.0f}" for kind, used in measured.items()]
    lines += [""] + [
        f"{name:28} {value:7.3f} at most {most:<5} {'ok' if is_kept else 'MISSED'}"
        for name, value, most, is_kept in bounds
    ]
    lines += [f"WRONG {told}" for told in wrong] or ["every number equals the truth"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())

"""CPU and memory of each hook against a bare interpreter, measured in the same run.

    python -m tests.bench.hooks [RUNS]

Every process is timed by the kernel (user + system). The bare interpreter is
`python -I -S -c pass`: the least that any hook in Python can cost.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.hook.transcripts import Transcript

HOOK = Path(__file__).parents[2] / "compact_guard" / "hook" / "__main__.py"
SIZES_MB = (1, 20, 200)
RUNS = 20
# A child's peak memory counts that of its parent before it started: the parent must be bare.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
os.write(2, f"{status} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}".encode())
"""
HEADER = f"{'what':28} {'ms':>7} {'ratio':>6} {'over bare':>10} {'peak MB':>8}"


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    with tempfile.TemporaryDirectory() as folder:
        transcripts = [_transcript(Path(folder), size) for size in SIZES_MB]
        rows = _measure(Path(folder), transcripts, runs)
    sys.stdout.write(_table(rows))


def _measure(folder: Path, transcripts: list[Path], runs: int) -> dict[str, list[tuple]]:
    """Interleaved, so that a busy machine slows every kind alike."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for number in range(runs):
        rows.setdefault("bare python -I -S", []).append(_run(folder, ["-c", "pass"], b""))
        for transcript in transcripts:
            session = f"{transcript.stem}-{number}"
            # The first of a session searches the whole transcript for its boundary.
            for event in ("pre_compact", "session_start", "post_compact", "pre_compact"):
                name = f"{event} {transcript.stem}"
                name += " again" if name in rows and len(rows[name]) > number else ""
                payload = _payload(event, transcript, session)
                arguments = [str(HOOK), "claude-code", event]
                rows.setdefault(name, []).append(_run(folder, arguments, payload))
    return rows


def _run(folder: Path, arguments: list[str], payload: bytes) -> tuple[float, float]:
    """CPU milliseconds and peak megabytes of one process."""
    stdin = folder / "payload.json"
    stdin.write_bytes(payload)
    environment = {**os.environ, "COMPACT_GUARD_HOME": str(folder / "home")}
    environment["COMPACT_GUARD_SYNTHETIC"] = "1"
    python = os.path.realpath(sys.executable)
    interpreter = [python, "-I", "-S"]
    with stdin.open("rb") as file:
        answer = subprocess.run(
            [*interpreter, "-c", LAUNCHER, *interpreter, *arguments],
            stdin=file,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            check=True,
        ).stderr
    status, seconds, peak = answer.split()
    if int(status):
        raise RuntimeError(f"{arguments} ended with {status}")
    return float(seconds) * 1000, int(peak) / (1 << 10 if sys.platform == "linux" else 1 << 20)


def _payload(event: str, transcript: Path, session: str) -> bytes:
    names = {
        "pre_compact": "PreCompact",
        "session_start": "SessionStart",
        "post_compact": "PostCompact",
    }
    return json.dumps(
        {
            "session_id": session,
            "transcript_path": str(transcript),
            "hook_event_name": names[event],
            "trigger": "manual",
            "source": "compact",
            "compact_summary": "word " * 4_000,
        }
    ).encode()


def _transcript(folder: Path, size_mb: int) -> Path:
    path = folder / f"{size_mb}MB.jsonl"
    Transcript(path).grown_to(size_mb << 20)
    return path


def _table(rows: dict[str, list[tuple[float, float]]]) -> str:
    bare = statistics.median(cpu for cpu, _ in rows["bare python -I -S"])
    lines = [HEADER]
    for name, measured in rows.items():
        cpu = statistics.median(cpu for cpu, _ in measured)
        peak = max(peak for _, peak in measured)
        lines.append(f"{name:28} {cpu:7.1f} {cpu / bare:6.2f} {cpu - bare:10.1f} {peak:8.1f}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()

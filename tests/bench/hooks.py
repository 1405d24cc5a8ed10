"""CPU and memory of each hook of each agent against a bare interpreter, measured in the same run.

    python -m tests.bench.hooks [RUNS]

Every process is timed by the kernel (user + system). The bare interpreter is
`python -I -S -c pass`: the least that any hook in Python can cost. Prints each ratio with its
bound; exits 1 if one is above it.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench import hook_talk, hook_transcripts

HOOK = Path(__file__).parents[2] / "compact_guard" / "hook" / "__main__.py"
RUNS = 12
_BARE = "bare python -I -S"
PEAK_MB_MAX = 40.0
SHORT_RATIO_MAX = 5.0  # of the hooks that only hand over, and only count
# The talk in it, size in MB, where a compaction stands in it, and how many bare interpreters a save
# may cost. Real ones (78 from public repositories, 125 MB) hold 10 kB of talk in a megabyte, in
# messages of 280 characters on average.
_TEMPLATES, _DENSE_TEMPLATES = (
    hook_talk.templates(size)
    for size in (hook_talk.BYTES_PER_MB_OF_TEMPLATES, hook_talk.BYTES_PER_MB)
)
_MESSAGES, _SHORT_MESSAGES = hook_talk.remarks(3), hook_talk.remarks(1)
TRANSCRIPTS: dict[str, tuple[hook_talk.Talk, int, int | None, float]] = {
    "1 MB of templates": (_TEMPLATES, 1, None, 8.0),
    "1 MB of dense templates": (_DENSE_TEMPLATES, 1, None, 8.0),
    "200 MB of templates": (_TEMPLATES, 200, None, 20.0),
    "200 MB of templates, compacted": (_TEMPLATES, 200, 190, 20.0),
    "1 MB": (_MESSAGES, 1, None, 8.0),
    "200 MB": (_MESSAGES, 200, None, 20.0),
    "200 MB, compacted": (_MESSAGES, 200, 190, 20.0),
    "200 MB, compacted long ago": (_MESSAGES, 200, 20, 20.0),
    "1 MB, short messages": (_SHORT_MESSAGES, 1, None, 8.0),
    "200 MB, short messages": (_SHORT_MESSAGES, 200, None, 20.0),
}
ORDERS = {
    "claude-code": ("pre_compact", "session_start", "post_compact"),
    "codex": ("pre_compact", "post_compact", "session_start"),
}
BOUNDARY_BEHIND = {"claude-code": "post_compact", "codex": "pre_compact"}
OUTCOMES = {"pre_compact": "saved", "session_start": "injected", "post_compact": "recorded"}
NAMES = {
    "pre_compact": "PreCompact",
    "session_start": "SessionStart",
    "post_compact": "PostCompact",
}
# A child's peak memory counts that of its parent before it started: the parent must be bare.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
os.write(2, f"{status} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}".encode())
"""


@dataclass
class Line:
    """One line of the table: what was run, its bound, and (CPU ms, peak MB) of each run."""

    ratio_max: float
    runs: list[tuple[float, float]] = field(default_factory=list)

    @property
    def milliseconds(self) -> float:
        return statistics.median(cpu for cpu, _ in self.runs)

    @property
    def peak_mb(self) -> float:
        return max(peak for _, peak in self.runs)


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = _measure(folder, list(_subjects(folder)), runs)
        _demand_success(folder)
    sys.stdout.write(_table(lines))
    return int(any(_misses(line, lines[_BARE]) for line in lines.values()))


def _subjects(folder: Path) -> Iterator[tuple[str, str, hook_transcripts.Story, float]]:
    """Agent, what its transcript is like, the transcript, and the bound of its saves."""
    for agent, kind in hook_transcripts.KINDS.items():
        for number, (name, made) in enumerate(TRANSCRIPTS.items()):
            talk, size, boundary, ratio_max = made
            story = kind(folder / f"rollout-{agent}-{number}.jsonl")
            hook_transcripts.write(story, talk, size, boundary)
            yield agent, name, story, ratio_max


def _measure(
    folder: Path, subjects: list[tuple[str, str, hook_transcripts.Story, float]], runs: int
) -> dict[str, Line]:
    """Interleaved, so that a busy machine slows every kind alike."""
    lines = {_BARE: Line(SHORT_RATIO_MAX)}
    for number in range(runs):
        for agent, name, story, ratio_max in subjects:
            lines[_BARE].runs.append(_run(folder, ["-c", "pass"], b""))
            size = story.path.stat().st_size
            for turn in ("", ", again"):
                for event in ORDERS[agent]:
                    bound = ratio_max if event == "pre_compact" else SHORT_RATIO_MAX
                    line = lines.setdefault(f"{agent} {event}, {name}{turn}", Line(bound))
                    line.runs.append(_hook(folder, agent, event, story.path, (number, turn)))
                    if event == BOUNDARY_BEHIND[agent]:
                        story.boundary()
                story.prompt("No, use DuckDB instead of SQLite, because it takes 95 ms.")
            os.truncate(story.path, size)
    return lines


def _hook(
    folder: Path, agent: str, event: str, transcript: Path, occasion: tuple[int, str]
) -> tuple[float, float]:
    number, turn = occasion
    payload = {
        "session_id": f"{transcript.stem}-{number}",
        "transcript_path": str(transcript),
        "hook_event_name": NAMES[event],
        "trigger": "manual",
        "source": "compact",
        "turn_id": f"turn{turn}",
        "compact_summary": hook_transcripts.summary(),
    }
    return _run(folder, [str(HOOK), agent, event], json.dumps(payload).encode())


def _demand_success(folder: Path) -> None:
    """Hooks that give up are fast: each must have done its work."""
    rows = [
        json.loads(line)
        for log in (folder / "home" / "audit").iterdir()
        for line in log.read_bytes().splitlines()
    ]
    idle = Counter(
        (row["agent"], row["event"], row["outcome"], row["reason"])
        for row in rows
        if row["outcome"] != OUTCOMES[row["event"]]
    )
    if idle or not rows:
        raise RuntimeError(f"not every hook did its work: {dict(idle)}")


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


def _ratio(line: Line, bare: Line) -> float:
    return line.milliseconds / bare.milliseconds


def _misses(line: Line, bare: Line) -> bool:
    return _ratio(line, bare) > line.ratio_max or line.peak_mb > PEAK_MB_MAX


def _table(lines: dict[str, Line]) -> str:
    bare = lines[_BARE]
    width = max(map(len, lines))
    told = [f"{'what':{width}} {'ms':>7} {'ratio':>6} {'bound':>6} {'peak MB':>8} {'bound':>6}"]
    for name, line in lines.items():
        told.append(
            f"{name:{width}} {line.milliseconds:7.1f} {_ratio(line, bare):6.2f} "
            f"{line.ratio_max:6.1f} {line.peak_mb:8.1f} {PEAK_MB_MAX:6.1f}"
            f"{'  MISSED' if _misses(line, bare) else ''}"
        )
    return "\n".join(told) + "\n"


if __name__ == "__main__":
    sys.exit(main())

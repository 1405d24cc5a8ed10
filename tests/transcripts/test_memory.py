"""Reading takes the memory of what is looked for, not of what stands in the file."""

import subprocess
import sys
from pathlib import Path

import pytest

MEGABYTES = 9
COMPACTIONS = 12
# A Python process cannot measure what part of it took: each reading is a process of its own.
PROGRAM = """
import resource, sys
from pathlib import Path
{imports}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = {reading}
print(found, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
WITNESS = {
    "imports": "from compact_guard.transcripts import transcript_file",
    "reading": "sum(f.kind == 'boundary' for f in transcript_file.read(Path(sys.argv[1])).events)",
}
STUDY = {
    "imports": "from compact_guard.window import scan",
    "reading": "sum(e.kind == 'boundary' for e in scan.scan(Path(sys.argv[1])).events)",
}


@pytest.fixture(scope="module")
def rollout(tmp_path_factory) -> Path:
    """A rollout whose compactions repeat the whole history, 108 MB of it."""
    path = tmp_path_factory.mktemp("rollout") / "rollout.jsonl"
    history = ",".join(['{"type":"message","role":"user","content":"herons"}'] * 18_000 * MEGABYTES)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"timestamp":"2026-11-30T02:00:00.000Z","type":"session_meta",')
        file.write('"payload":{"id":"t1","originator":"codex-tui","cli_version":"0.171.0"}}\n')
        for number in range(COMPACTIONS):
            file.write('{"timestamp":"2026-11-30T02:01:00.000Z","type":"compacted","payload":')
            file.write(f'{{"message":"","window_id":"w{number}",')
            file.write(f'"replacement_history":[{history}]}}}}\n')
    return path


@pytest.mark.parametrize("program", [WITNESS, STUDY], ids=["witness", "study"])
def test_compactions_that_repeat_their_history_take_the_memory_of_one(rollout, program):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(**program), str(rollout)],
        capture_output=True,
        text=True,
        check=True,
    )

    boundaries, mebibytes = (int(word) for word in done.stdout.split())
    assert rollout.stat().st_size > COMPACTIONS * MEGABYTES * 900_000
    assert boundaries == COMPACTIONS
    assert mebibytes < 100

"""Who is measured: our hooks, the naive floor and two peers, each at the same budget."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from tests.bench.quality.conversations import Story, write_transcript
from tests.hook.transcripts import Transcript

BUDGET = 10_000  # characters: what Claude Code passes on
PEERS = ("cc-compact==0.1.11", "claimkeep==0.3.2", "compaction-conformance-kit==0.8.0")
ROOT = Path(__file__).parents[3]
HOOK = ROOT / "compact_guard" / "hook" / "__main__.py"
PEER_FOLDER = ROOT / ".cache" / "quality-peers"


def install_peers() -> Path:
    """A virtual environment with the pinned peers; returns its folder of commands."""
    commands = PEER_FOLDER / "bin"
    stamp = PEER_FOLDER / " ".join(PEERS)
    if not stamp.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEER_FOLDER)], check=True)
        pip = [str(commands / "python"), "-m", "pip", "install", "--quiet", "--no-deps", *PEERS]
        subprocess.run([*pip, "--disable-pip-version-check"], check=True)
        stamp.touch()
    return commands


def ours(story: Story, folder: Path, compactions: int) -> str:
    """The text injected after the last of so many compactions, spread evenly."""
    transcript = Transcript(folder / "s1.jsonl")
    count = len(story.messages)
    edges = [count * number // compactions for number in range(compactions + 1)]
    text = ""
    for start, stop in pairwise(edges):
        story.write(transcript, start, stop)
        _hook(folder, transcript.path, "pre_compact", "PreCompact")
        text = _hook(folder, transcript.path, "session_start", "SessionStart")
        transcript.boundary()
    return text


def floor(story: Story) -> str:
    """All that the user typed, newest first, as much as fits."""
    text = ""
    for speaker, said in reversed(story.messages):
        if speaker == "user":
            text += f"{said}\n"
    return text[:BUDGET]


def cc_compact(story: Story, folder: Path, commands: Path) -> str:
    """Its memory file, though it injects no more than a pointer to it."""
    folder.joinpath(".claude").mkdir(parents=True)
    transcript = write_transcript(folder / "s1.jsonl", story)
    payload = {"session_id": "s1", "transcript_path": str(transcript.path), "trigger": "auto"}
    package = next(commands.parent.glob("lib/python*/site-packages/cc_compact"))
    script = str(package / "pre_compact.py")
    _run([str(commands / "python"), script], payload, folder, {})
    return _content(*folder.glob(".claude/compact-memory/*.md"))


def claimkeep(story: Story, folder: Path, commands: Path) -> str:
    """What it gives back at SessionStart."""
    folder.mkdir(parents=True)
    transcript = write_transcript(folder / "s1.jsonl", story)
    brief = folder / "brief.json"
    environment = {
        "CLAIMKEEP_BUDGET_CHARS": str(BUDGET),
        "CLAIMKEEP_BRIEF_DIR": str(folder),
        "CLAIMKEEP_LESSONS_PATH": str(folder / "lessons.jsonl"),
    }
    program = str(commands / "claimkeep")
    saving = [program, "precompact", "--transcript", str(transcript.path), "--out", str(brief)]
    _run(saving, {}, folder, environment)
    reply = _run([program, "postcompact", "--brief", str(brief)], {}, folder, environment)
    return str(json.loads(reply)["hookSpecificOutput"]["additionalContext"])[:BUDGET]


def _hook(folder: Path, transcript: Path, event: str, name: str) -> str:
    payload = {
        "session_id": "s1",
        "transcript_path": str(transcript),
        "hook_event_name": name,
        "trigger": "manual",
        "source": "compact",
    }
    python = os.path.realpath(sys.executable)
    environment = {"COMPACT_GUARD_HOME": str(folder / "home"), "COMPACT_GUARD_SYNTHETIC": "1"}
    command = [python, "-I", "-S", str(HOOK), "claude-code", event]
    reply = _run(command, payload, folder, environment)
    if not reply:
        return ""
    return str(json.loads(reply)["hookSpecificOutput"]["additionalContext"])


def _run(command: list[str], payload: dict, folder: Path, environment: dict[str, str]) -> bytes:
    return subprocess.run(
        command,
        input=json.dumps(payload).encode(),
        stdout=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, "HOME": str(folder), **environment},
        check=True,
    ).stdout


def _content(file: Path) -> str:
    return file.read_text("utf-8")[:BUDGET]

"""Seeded Claude Code transcripts for the bench of the window study, and the truth about them.

Contexts grow with what was said and shrink at boundaries; every trap of counting is in it: rows
repeated for each block with a stub of the output, subagents inline and in files of their own,
a resumed session that copies old rows, cache writes of both kinds, made-up rows of the program,
torn and glued lines.
"""

import json
import random
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

WINDOW = 167_000
MODEL = "claude-opus-4-5-20251101"
# US dollars per million tokens, as published for that model.
USD = {
    "input": 5.0,
    "output": 25.0,
    "cache_read": 0.5,
    "cache_write_5m": 6.25,
    "cache_write_1h": 10.0,
}
WORDS = (
    "the of build test error module import return value config server client request token cache "
    "schema index query table column parse write read file path line function class retry branch"
)
RESULT_CHARS = ((80, 2_500), (2_500, 16_000), (16_000, 60_000))
RESULT_WEIGHTS = (55, 37, 8)
COPIED_ROWS = 400
COPYING_SESSIONS = 5
DAMAGED_SHARE = 0.005  # of prompts: about one line in ten thousand, as in real transcripts


@dataclass
class Truth:
    """What a reader that counts right must find over all files."""

    turns: int = 0
    main_turns: int = 0
    boundaries: int = 0
    rejected_lines: int = 0
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(USD, 0))

    @property
    def cost_usd(self) -> float:
        """By the published prices."""
        return sum(count * USD[kind] for kind, count in self.tokens.items()) / 1e6


def write(folder: Path, total_bytes: int, files: int, seed: int = 1) -> Truth:
    """Write `files` sessions of `total_bytes` in all below `folder`/projects."""
    truth = Truth()
    text = _text(random.Random(seed))
    copied: list[bytes] = []
    for number in range(files):
        session = _Session(random.Random(f"{seed} {number}"), text, truth, number)
        project = folder / "projects" / f"-home-user-project{number % 10}"
        session.write(project, total_bytes // files, copied if number <= COPYING_SESSIONS else [])
        copied = session.rows[:COPIED_ROWS]
    return truth


def _text(chance: random.Random) -> str:
    words = WORDS.split()
    lines = (" ".join(chance.choices(words, k=chance.randrange(4, 14))) for _ in range(6_000))
    return "\n".join(lines)


class _Session:
    """One main session with its subagents."""

    def __init__(self, chance: random.Random, text: str, truth: Truth, number: int) -> None:
        self.chance, self.text, self.truth = chance, text, truth
        self.id = self._uuid()
        self.folder = f"/home/user/project{number % 10}"
        self.now = datetime(2026, 11, 1, 8, tzinfo=UTC) + timedelta(hours=3 * number)
        self.rows: list[bytes] = []
        self.bytes = 0
        self.context, self.cached = 22_000, 0
        self.has_subagent_files = number == 0

    def write(self, project: Path, size: int, copied: list[bytes]) -> None:
        """Turns until the file is `size` long."""
        project.mkdir(parents=True, exist_ok=True)
        self.project = project
        for row in copied:
            self._add(row)
        while self.bytes < size:
            self._user(self._slab(20, 400))
            for _ in range(self.chance.randrange(3, 14)):
                self._turn()
            if self.chance.random() < DAMAGED_SHARE:
                self._damage()
        (project / f"{self.id}.jsonl").write_bytes(b"".join(self.rows))

    def _turn(self) -> None:
        output = self._respond(self.context, self.cached)
        self.cached = self.context
        self.context += output
        shortest, longest = self.chance.choices(RESULT_CHARS, RESULT_WEIGHTS)[0]
        result = self._slab(shortest, longest)
        self._user([{"type": "tool_result", "tool_use_id": "toolu_1", "content": result}], result)
        self.context += len(result) // 4
        if self.chance.random() < 0.03:
            self._subagent()
        if self.context >= WINDOW:
            self._compact()

    def _respond(self, context: int, cached: int, agent: str | None = None) -> int:
        """One response on one to three rows; the early ones hold a stub of its output."""
        response = f"msg_01{self.chance.getrandbits(96):024x}"
        blocks = [self._slab(60, 900) for _ in range(self.chance.randrange(1, 4))]
        output = sum(map(len, blocks)) // 4 + 20
        is_1h = self.chance.random() < 0.5
        written = max(0, context - cached)
        used = {"input": 3, "output": output, "cache_read": cached, "cache_write_5m": 0}
        used |= {"cache_write_5m": 0 if is_1h else written, "cache_write_1h": written * is_1h}
        for number, block in enumerate(blocks, start=1):
            usage = _usage(used | {"output": output if number == len(blocks) else 1})
            message = {
                "model": MODEL,
                "id": response,
                "type": "message",
                "role": "assistant",
                "content": [{"type": "text", "text": block}],
                "usage": usage,
            }
            self._row("assistant", agent, message=message, requestId=f"req_{response[4:]}")
        self._count(used, is_main=agent is None)
        return output

    def _count(self, used: dict[str, int], *, is_main: bool) -> None:
        self.truth.turns += 1
        self.truth.main_turns += is_main
        for kind, count in used.items():
            self.truth.tokens[kind] += count

    def _subagent(self) -> None:
        agent = f"{self.chance.getrandbits(32):08x}"
        main, self.rows = self.rows, []
        for number in range(self.chance.randrange(2, 6)):
            self._respond(9_000 + number * 1_000, number * 9_000, agent)
        rows, self.rows = self.rows, main
        if not self.has_subagent_files:
            self.rows += rows
        else:
            file = self.project / self.id / "subagents" / f"agent-{agent}.jsonl"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"".join(rows))

    def _compact(self) -> None:
        kept = self.chance.randrange(6_000, 14_000)
        seconds = self.chance.randrange(25, 120)
        self.now += timedelta(seconds=seconds)
        metadata = {
            "trigger": "auto",
            "preTokens": self.context,
            "postTokens": kept,
            "durationMs": seconds * 1_000,
        }
        self._row("system", subtype="compact_boundary", compactMetadata=metadata)
        summary = {"role": "user", "content": self._slab(kept * 2, kept * 3)}
        self._row("user", isCompactSummary=True, message=summary)
        self.truth.boundaries += 1
        self.context, self.cached = 22_000 + kept, 15_000

    def _damage(self) -> None:
        """A made-up row, a torn line, and two rows on one line."""
        self._row("assistant", message={"model": "<synthetic>", "usage": _usage({})})
        self._add(b'{"type":"user","message":{"role":"us\n')
        self.truth.rejected_lines += 1
        self._respond(self.context, self.cached)
        self.cached = self.context
        self._add(self.rows.pop().rstrip(b"\n") + self.rows[0])

    def _user(self, content: Any, result: str | None = None) -> None:
        extra = {} if result is None else {"toolUseResult": {"stdout": result, "stderr": ""}}
        self._row("user", message={"role": "user", "content": content}, **extra)

    def _row(self, kind: str, agent: str | None = None, **fields: Any) -> None:
        self.now += timedelta(milliseconds=self.chance.randrange(500, 9_000))
        row = {
            "parentUuid": None,
            "isSidechain": agent is not None,
            "userType": "external",
            "cwd": self.folder,
            "sessionId": self.id,
            "version": "2.1.90",
            "type": kind,
            "uuid": self._uuid(),
            "timestamp": self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        self._add(json.dumps(row | fields, separators=(",", ":")).encode() + b"\n")

    def _add(self, row: bytes) -> None:
        self.rows.append(row)
        self.bytes += len(row)

    def _slab(self, shortest: int, longest: int) -> str:
        length = self.chance.randrange(shortest, longest)
        start = self.chance.randrange(len(self.text) - length)
        return self.text[start : start + length]

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))


def _usage(used: dict[str, int]) -> dict[str, Any]:
    split = {
        "ephemeral_5m_input_tokens": used.get("cache_write_5m", 0),
        "ephemeral_1h_input_tokens": used.get("cache_write_1h", 0),
    }
    return {
        "input_tokens": used.get("input", 0),
        "cache_creation_input_tokens": sum(split.values()),
        "cache_read_input_tokens": used.get("cache_read", 0),
        "cache_creation": split,
        "output_tokens": used.get("output", 0),
        "service_tier": "standard",
    }

"""Transcripts for the bench of the hooks: 30 kB of talk in each megabyte, tool output around it.

Real ones (78 from public repositories, 125 MB) hold 10 kB of talk in a megabyte, in messages of
280 characters on average.
"""

import random
from pathlib import Path
from typing import Any, Protocol, Self

from tests.bench.quality import conversations
from tests.hook.codex import Rollout
from tests.hook.transcripts import Transcript

TALK_BYTES_PER_MB = 30_000
REMARK_BYTES = 97  # of what is told at once, on average
SUMMARY_WORDS = 2_000
_POOL_BYTES = 4 << 20
_WORDS = (
    "build", "test", "error", "module", "import", "value", "config", "server", "schema", "index",
    "query", "table", "column", "parse", "write", "read", "file", "path", "line", "retry",
)  # fmt: skip


class Story(Protocol):
    """What both agents' transcripts can tell."""

    path: Path

    def prompt(self, text: str) -> Self: ...
    def reply(self, text: str) -> Self: ...
    def used_a_tool(self, output: str) -> Self: ...
    def boundary(self) -> Self: ...


class OfClaudeCode(Transcript):
    """Claude Code writes each output twice, as text and as a record."""

    prompt = Transcript.typed
    reply = Transcript.answered

    def used_a_tool(self, output: str) -> Self:
        return self.tool_result(output[: len(output) // 2])


class OfCodex(Rollout):
    """Codex writes what was said twice, to the model and as an event."""

    def used_a_tool(self, output: str) -> Self:
        return self.item("function_call_output", call_id="c", output=output)

    def boundary(self, **payload: Any) -> Self:
        """With its summary in clear, as a local model leaves it: that is read, too."""
        return self.line("compacted", message=summary(), **payload)


KINDS: dict[str, type[OfClaudeCode] | type[OfCodex]] = {
    "claude-code": OfClaudeCode,
    "codex": OfCodex,
}


def write(
    story: Story, size_mb: int, boundary_at_mb: int | None = None, remarks: int = 1, seed: int = 1
) -> None:
    """Grow the story to a size, in UTF-8 bytes; with one compaction on the way where wanted."""
    size, chance = size_mb << 20, random.Random(seed)
    pool = _words(chance, _POOL_BYTES)
    messages = _told(size_mb * TALK_BYTES_PER_MB // REMARK_BYTES, remarks, seed)
    for number, (speaker, text) in enumerate(messages):
        (story.prompt if speaker == "user" else story.reply)(text)
        written = story.path.stat().st_size
        if boundary_at_mb is not None and written >= boundary_at_mb << 20:
            story.boundary()
            boundary_at_mb = None
        due = size * (number + 1) // len(messages) - written
        if due > 1_000:
            start = chance.randrange(_POOL_BYTES - due)
            story.used_a_tool(pool[start : start + due - 500])


def _told(count: int, remarks: int, seed: int) -> list[tuple[str, str]]:
    """What was said, in turns, that many remarks in each message."""
    said = conversations.tell("en", "tuned", count, seed).messages
    return [
        (speaker, " ".join(text for _, text in said[start + offset : start + 2 * remarks : 2]))
        for start in range(0, len(said), 2 * remarks)
        for offset, speaker in enumerate(("user", "assistant"))
    ]


def summary(seed: int = 2) -> str:
    """A native summary: lines of a dozen words."""
    words = _words(random.Random(seed), SUMMARY_WORDS * 6).split()
    return "\n".join(" ".join(words[i : i + 12]) for i in range(0, len(words), 12))


def _words(chance: random.Random, size: int) -> str:
    return " ".join(chance.choices(_WORDS, k=size // 5))[:size]

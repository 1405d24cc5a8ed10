"""Transcripts for the bench of the hooks: what was said, and tool output around it."""

import random
from pathlib import Path
from typing import Any, Protocol, Self

from tests.bench.hook_talk import Talk
from tests.hook.codex import Rollout
from tests.hook.transcripts import Transcript

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
    story: Story, talk: Talk, size_mb: int, boundary_at_mb: int | None = None, seed: int = 1
) -> None:
    """Grow the story to a size, in UTF-8 bytes; with one compaction on the way where wanted."""
    size, chance = size_mb << 20, random.Random(seed)
    pool = _words(chance, _POOL_BYTES)
    messages = talk(size_mb, seed)
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


def summary(seed: int = 2) -> str:
    """A native summary: lines of a dozen words."""
    words = _words(random.Random(seed), SUMMARY_WORDS * 6).split()
    return "\n".join(" ".join(words[i : i + 12]) for i in range(0, len(words), 12))


def _words(chance: random.Random, size: int) -> str:
    return " ".join(chance.choices(_WORDS, k=size // 5))[:size]

"""Claude Code transcripts told as stories: `Transcript(path).typed(…).answered(…).boundary()`."""

import json
import random
import uuid
from pathlib import Path

VERSION = "2.1.332"
MODEL = "claude-opus-5-5"


class Transcript:
    """A file that grows line by line; ids and times follow from the order alone."""

    def __init__(self, path: Path, session_id: str = "s1") -> None:
        self.path = path
        self.session_id = session_id
        self._random = random.Random(session_id)
        self._second = 0
        self.boundaries: list[int] = []
        path.write_bytes(b"")
        self.row(type="mode", mode="normal", sessionId=session_id)

    def row(self, **record) -> "Transcript":
        return self.raw(json.dumps(record).encode() + b"\n")

    def raw(self, content: bytes) -> "Transcript":
        with self.path.open("ab") as file:
            file.write(content)
        return self

    def message(self, **record) -> "Transcript":
        self._second += 1
        return self.row(
            **{
                "isSidechain": False,
                "uuid": str(uuid.UUID(int=self._random.getrandbits(128))),
                "timestamp": f"2026-11-30T{self._second // 3600 % 24:02}:"
                f"{self._second // 60 % 60:02}:{self._second % 60:02}.000Z",
                "sessionId": self.session_id,
                "version": VERSION,
                **record,
            }
        )

    def typed(self, text, **fields) -> "Transcript":
        return self.message(type="user", message={"role": "user", "content": text}, **fields)

    def answered(self, text: str, model: str = MODEL, **fields) -> "Transcript":
        return self.blocks({"type": "text", "text": text}, model=model, **fields)

    def blocks(self, *blocks: dict, model: str = MODEL, **fields) -> "Transcript":
        identifier = f"msg_{self._random.getrandbits(64):x}"
        message = {"id": identifier, "role": "assistant", "model": model, "content": list(blocks)}
        return self.message(type="assistant", message=message, **fields)

    def tool_result(self, text: str) -> "Transcript":
        block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
        return self.typed([block], toolUseResult={"stdout": text})

    def injected(self, text: str, hook: str = "SessionStart") -> "Transcript":
        """A hook gave the model this text."""
        told = {"type": "hook_additional_context", "hookEvent": hook, "content": [text]}
        return self.message(type="attachment", attachment=told)

    def boundary(self, trigger: str = "auto", **fields) -> "Transcript":
        self.boundaries.append(self.path.stat().st_size)
        return self.message(
            type="system",
            subtype="compact_boundary",
            compactMetadata={"trigger": trigger, "preTokens": 190_055},
            **fields,
        )

    def grown_to(self, size: int) -> "Transcript":
        """Work like an agent's: mostly tool output, a boundary every few megabytes."""
        while self.path.stat().st_size < size:
            for _ in range(40):
                words = " ".join(self._random.choices(_WORDS, k=60))
                self.typed(f"Please look at {words[:80]} and keep the key order.")
                self.blocks({"type": "tool_use", "name": "Bash", "input": {"command": words}})
                self.tool_result(words * self._random.randrange(1, 120))
                self.answered(f"Done: {words}")
            self.boundary()
        return self


_WORDS = (
    "build", "test", "error", "module", "import", "value", "config", "server", "schema", "index",
    "query", "table", "column", "parse", "write", "read", "file", "path", "line", "retry",
)  # fmt: skip

"""Transcripts of use and cost told as stories; ids and times follow from the order alone."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

from compact_guard.window.scan import Scan, scan

MODEL = "claude-opus-5-5"


class Story:
    """A file of JSON lines that grows row by row."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = 0
        self.now = datetime(2026, 11, 1, tzinfo=UTC)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")

    def row(self, record: dict[str, Any]) -> Self:
        self.rows += 1
        return self.raw(json.dumps(record).encode() + b"\n")

    def raw(self, content: bytes) -> Self:
        with self.path.open("ab") as file:
            file.write(content)
        return self

    def after(self, seconds: float) -> Self:
        self.now += timedelta(seconds=seconds)
        return self

    def stamp(self) -> str:
        self.after(1)
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def scan(self) -> Scan:
        return scan(self.path)


class ClaudeStory(Story):
    """A session of Claude Code; `said` is one row of a response."""

    def __init__(self, path: Path, session: str = "s1", cwd: str = "/home/user/project") -> None:
        super().__init__(path)
        self.session = session
        self.cwd = cwd

    def record(self, kind: str, **fields: Any) -> dict[str, Any]:
        return {
            "type": kind,
            "isSidechain": False,
            "sessionId": self.session,
            "cwd": self.cwd,
            "version": "2.1.332",
            "uuid": f"{self.session}-u{self.rows}",
            "timestamp": self.stamp(),
        } | fields

    def typed(self, text: str = "Count the herons") -> Self:
        return self.row(self.record("user", message={"role": "user", "content": text}))

    def said(self, message_id: str | None, **use: Any) -> Self:
        return self.row(self.response(message_id, **use))

    def response(
        self,
        message_id: str | None,
        *,
        read: int = 0,
        write_5m: int = 0,
        write_1h: int = 0,
        out: int = 10,
        model: str = MODEL,
        request: str | None = "r1",
        speed: str = "standard",
        **fields: Any,
    ) -> dict[str, Any]:
        usage = {
            "input_tokens": 3,
            "output_tokens": out,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": write_5m + write_1h,
            "cache_creation": {
                "ephemeral_5m_input_tokens": write_5m,
                "ephemeral_1h_input_tokens": write_1h,
            },
            "speed": speed,
        }
        message = {
            "role": "assistant",
            "model": model,
            "content": [{"type": "text"}],
            "usage": usage,
        }
        message |= {} if message_id is None else {"id": message_id}
        fields |= {} if request is None else {"requestId": request}
        return self.record("assistant", message=message, **fields)

    def boundary(self, before: int = 167_000, after: int | None = None, **metadata: Any) -> Self:
        metadata = {"trigger": "auto", "preTokens": before, "postTokens": after} | metadata
        return self.row(self.record("system", subtype="compact_boundary", compactMetadata=metadata))

    def summary(self, text: str = "x" * 4_000) -> Self:
        message = {"role": "user", "content": text}
        return self.row(self.record("user", isCompactSummary=True, message=message))


class CodexStory(Story):
    """A rollout file; `counted` is one token_count with its running total."""

    def __init__(
        self, path: Path, session: str = "t1", begins: timedelta = timedelta(0), **meta: Any
    ) -> None:
        super().__init__(path)
        self.now += begins
        self.session = session
        self.meta(session, **meta)
        self.record("turn_context", {"model": "gpt-5.2"})

    def meta(self, session: str, **meta: Any) -> Self:
        stamp = self.stamp()
        meta = {"id": session, "timestamp": stamp, "cwd": "/home/user/project"} | meta
        return self.row({"timestamp": stamp, "type": "session_meta", "payload": meta})

    def record(self, kind: str, payload: dict[str, Any], at: str | None = None) -> Self:
        return self.row({"timestamp": at or self.stamp(), "type": kind, "payload": payload})

    def counted(
        self, total: int, last: int | None, cached: int = 0, out: int = 0, at: str | None = None
    ) -> Self:
        """`total` and `last` are input tokens; `last` None: the same as the total."""
        info = {
            "total_token_usage": codex_usage(total, cached, out),
            "last_token_usage": codex_usage(total if last is None else last, cached, out),
        }
        return self.record("event_msg", {"type": "token_count", "info": info}, at)

    def uncounted(self) -> Self:
        return self.record("event_msg", {"type": "token_count", "info": None})

    def recorded(self, response_id: str, use: int, cached: int = 0) -> Self:
        payload = {
            "thread_id": self.session,
            "response_id": response_id,
            "usage": codex_usage(use, cached, 20),
        }
        return self.record("token_usage_record", payload)

    def event(self, kind: str, **fields: Any) -> Self:
        return self.record("event_msg", {"type": kind} | fields)

    def compacted(self, **fields: Any) -> Self:
        return self.record("compacted", {"message": "", "replacement_history": []} | fields)


def codex_usage(total: int, cached: int = 0, out: int = 0) -> dict[str, int]:
    return {
        "input_tokens": total,
        "cached_input_tokens": cached,
        "output_tokens": out,
        "total_tokens": total + out,
    }

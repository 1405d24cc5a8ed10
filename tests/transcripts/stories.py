"""Transcripts of both agents told as stories; ids and times follow from the order alone."""

import json
from pathlib import Path
from typing import Any, Self

from compact_guard.transcripts import witness
from compact_guard.transcripts.facts import Fact

A, B = "a" * 64, "b" * 64


def label(checkpoint_hash: str, quoted: str = "no, not the heron table") -> str:
    """What our hook injects, cut to what matters here."""
    return f"[compact-guard] Evidence from earlier.\ncheckpoint {checkpoint_hash}\n{quoted}\n"


class Story:
    """A file of JSON lines that grows row by row."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.offsets: list[int] = []
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"")

    def row(self, record: dict[str, Any]) -> Self:
        self.offsets.append(self.path.stat().st_size)
        return self.raw(json.dumps(record).encode() + b"\n")

    def raw(self, content: bytes) -> Self:
        with self.path.open("ab") as file:
            file.write(content)
        return self

    def stamp(self) -> str:
        return f"2026-11-30T02:{len(self.offsets) // 60:02}:{len(self.offsets) % 60:02}.000Z"

    def read(self) -> witness.TranscriptFile:
        return witness.read(self.path)

    def kinds(self) -> list[str]:
        return [fact.kind for fact in self.read().events]

    def facts(self, kind: str) -> list[Fact]:
        return [fact for fact in self.read().events if fact.kind == kind]


class ClaudeStory(Story):
    """A main session of Claude Code."""

    def __init__(self, path: Path, version: str = "2.1.332") -> None:
        super().__init__(path)
        self.version = version
        self.parent: str | None = None

    def message(self, kind: str, **fields: Any) -> Self:
        parent, self.parent = self.parent, f"u{len(self.offsets)}"
        record = {
            "parentUuid": parent,
            "isSidechain": False,
            "type": kind,
            "uuid": self.parent,
            "timestamp": self.stamp(),
            "sessionId": "s1",
            "version": self.version,
        }
        return self.row(record | fields)

    def typed(self, content: Any = "Count the herons", **fields: Any) -> Self:
        return self.message("user", message={"role": "user", "content": content}, **fields)

    def answered(self, message_id: str, model: str = "claude-opus-5-5", **fields: Any) -> Self:
        text = [{"type": "text", "text": "Fourteen."}]
        message = {"id": message_id, "role": "assistant", "model": model, "content": text}
        return self.message("assistant", message=message, **fields)

    def boundary(self, trigger: str = "auto", **fields: Any) -> Self:
        metadata = {"trigger": trigger, "preTokens": 190_000, "postTokens": 2_600}
        return self.message(
            "system", subtype="compact_boundary", compactMetadata=metadata, **fields
        )

    def hook(self, event: str, kind: str = "hook_success", **fields: Any) -> Self:
        attachment = {"type": kind, "hookEvent": event, "hookName": f"{event}:compact"}
        return self.message("attachment", attachment=attachment | fields)

    def hook_said(self, text: str) -> Self:
        return self.hook("SessionStart", content=text, stdout=text)

    def hook_said_in_json(self, *texts: str) -> Self:
        """Two rows for one delivery, as recorded: raw stdout, then what the model got."""
        self.hook("SessionStart", content="", stdout=json.dumps({"additionalContext": texts[0]}))
        return self.hook("SessionStart", "hook_additional_context", content=list(texts))


class CodexStory(Story):
    """A rollout file; paginated unless it is told as legacy."""

    def __init__(self, path: Path, **session: Any) -> None:
        super().__init__(path)
        meta = {
            "id": "t1",
            "originator": "codex-tui",
            "cli_version": "0.171.0",
            "history_mode": "paginated",
            "thread_source": "user",
        } | session
        self.is_legacy = meta["history_mode"] == "legacy"
        self.line("session_meta", **meta)

    def line(self, kind: str, metadata: dict[str, Any] | None = None, **payload: Any) -> Self:
        record = {"timestamp": self.stamp(), "type": kind, "payload": payload}
        return self.row(record | ({"metadata": metadata} if metadata else {}))

    def event(self, kind: str, **payload: Any) -> Self:
        return self.line("event_msg", type=kind, **payload)

    def item(self, kind: str, **payload: Any) -> Self:
        return self.line("response_item", type=kind, id=f"i{len(self.offsets)}", **payload)

    def said(self, role: str, text: str, kind: str | None = None, **fields: Any) -> Self:
        content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
        told = {} if self.is_legacy or kind is None else {"content_item_kinds": [kind]}
        return self.item(
            "message",
            role=role,
            content=content,
            internal_chat_message_metadata_passthrough=told,
            **fields,
        )

    def typed(self, text: str = "Count the herons") -> Self:
        self.said("user", text, "user.text")
        if self.is_legacy:
            return self.event("user_message", message=text)
        return self.event("item_completed", item={"type": "UserMessage"})

    def hook_said(self, text: str) -> Self:
        return self.said("developer", text, "hooks.additional_context")

    def worked(self) -> Self:
        """One response of several items, and its tool's output."""
        self.item("reasoning").item("function_call", call_id="c")
        return self.item("function_call_output", call_id="c")

    def summary(self) -> Self:
        metadata = None if self.is_legacy else {"compaction_output": True}
        return self.said("assistant", "Herons were counted.", metadata=metadata)

    def boundary(self, **payload: Any) -> Self:
        return self.line("compacted", message="", **payload)

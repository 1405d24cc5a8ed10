"""Codex's hooks run as Codex runs them, and rollouts whose events tell what was said."""

import json
from pathlib import Path

from tests.hook.conftest import NAMES, Guard
from tests.transcripts.stories import CodexStory


class CodexGuard(Guard):
    """The guard as Codex runs it; every payload of one compaction carries the same turn."""

    AGENT = "codex"

    def payload(self, event: str, rollout: Path | None, **fields) -> bytes:
        payload = {
            "session_id": "t1",
            "transcript_path": str(rollout) if rollout else None,
            "cwd": "/home/user/project",
            "hook_event_name": NAMES[event],
            "model": "gpt-5.2",
        }
        match event:
            case "session_start":
                payload |= {"source": "compact"}
            case _:
                payload |= {"turn_id": "c1", "trigger": "manual"}
        return json.dumps(payload | fields).encode()

    def said(self, event: str, rollout: Path | None, **fields) -> bytes:
        answer = self.run(event, self.payload(event, rollout, **fields))
        assert answer.returncode == 0
        return answer.stdout

    def compact(self, story: "Rollout", turn: str, *, finishes: bool = True, **fields) -> str:
        """PreCompact, and where it finishes the boundary and PostCompact; the checkpoint's hash."""
        assert self.said("pre_compact", story.path, turn_id=turn, **fields) == b""
        saved = self.last()["checkpoint_hash"]
        if finishes:
            story.boundary(window_id=turn)
            assert self.said("post_compact", story.path, turn_id=turn, **fields) == b""
        return saved

    def restart(self, story: "Rollout", source: str = "compact") -> tuple[str | None, str]:
        """The outcome of the row, if there is one, and what was printed."""
        before = len(self.rows())
        printed = self.said("session_start", story.path, source=source).decode()
        rows = self.rows()[before:]
        return (rows[0]["outcome"] if rows else None), printed


class Rollout(CodexStory):
    """A rollout whose events tell what was said, as both kinds of file have them."""

    def prompt(self, text: str, **fields) -> "Rollout":
        if self.is_legacy:
            self.said("user", text)
            return self.event("user_message", message=text, **fields)
        return self._item_completed("UserMessage", "text", text)

    def reply(self, text: str) -> "Rollout":
        self.said("assistant", text)
        if self.is_legacy:
            return self.event("agent_message", message=text)
        return self._item_completed("AgentMessage", "Text", text)

    def _item_completed(self, kind: str, block: str, text: str) -> "Rollout":
        content = [{"type": block, "text": text}]
        name = f"{kind}-{len(self.offsets)}"
        return self.event("item_completed", item={"type": kind, "id": name, "content": content})

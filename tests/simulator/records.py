"""The shapes in which both agents write their lines, cut to what a reader needs."""

import itertools
from datetime import datetime
from typing import Any

from tests.simulator.transcript import Mark, Transcript


def label(checkpoint_hash: str) -> str:
    """What the guard prints for the agent to inject."""
    return f"[compact-guard] Evidence from earlier.\ncheckpoint {checkpoint_hash}\n- no herons\n"


def stamp(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds") + "Z"


class ClaudeWriter:
    """A main session's file: `projects/<project>/<session>.jsonl`."""

    HOOK_TEXT_SINCE = (2, 1, 111)

    def __init__(self, name: str, version: str, at: datetime, copied: "Any" = None) -> None:
        numbers = tuple(int(number) for number in version.split("."))
        self.name = name
        self.version = version
        self.transcript = Transcript(records_hook_text=numbers >= self.HOOK_TEXT_SINCE)
        self._numbers = itertools.count(1)
        self._parent: str | None = None
        self.transcript.write({"type": "mode", "mode": "normal", "sessionId": name}, at)
        if copied:
            self._copy(copied.transcript, at)

    @property
    def path(self) -> str:
        return f"claude/projects/-home-user-project/{self.name}.jsonl"

    def prompt(self, at: datetime) -> Mark | None:
        message = {"role": "user", "content": "Count the herons"}
        return self._row("user", at, "user_prompt", message=message)

    def turn(self, at: datetime) -> Mark | None:
        key = f"msg_{self.name}_{next(self._numbers)}"
        content = [{"type": "text", "text": "Fourteen."}]
        message = {"id": key, "role": "assistant", "content": content}
        mark = self._row("assistant", at, "model_turn", key, message=message)
        self._row("assistant", at, message=message)  # one response, one row a block
        return mark

    def boundary(self, at: datetime, trigger: str) -> Mark | None:
        metadata = {"trigger": trigger, "preTokens": 190_000}
        before, self._parent = self._parent, None
        mark = self._row(
            "system",
            at,
            "boundary",
            logicalParentUuid=before,
            subtype="compact_boundary",
            compactMetadata=metadata,
        )
        summary = {"role": "user", "content": "This session is being continued from a previous"}
        self._row("user", at, message=summary, isCompactSummary=True)
        return mark

    def microcompaction(self, at: datetime) -> None:
        self._row("system", at, subtype="microcompact_boundary", microcompactMetadata={})

    def hook_text(self, at: datetime, checkpoint_hash: str) -> Mark | None:
        if not self.transcript.records_hook_text:
            return None
        attachment = {
            "type": "hook_success",
            "hookEvent": "SessionStart",
            "hookName": "SessionStart:compact",
            "content": label(checkpoint_hash),
        }
        return self._row("attachment", at, "injected_text", checkpoint_hash, attachment=attachment)

    def noise(self, at: datetime) -> None:
        """A pasted checkpoint is no arrival, whatever it quotes."""
        pasted = [{"type": "tool_result", "content": label("e" * 64)}]
        self._row("user", at, message={"role": "user", "content": pasted}, toolUseResult={})

    def _row(
        self,
        kind: str,
        at: datetime,
        fact: str | None = None,
        key: str | None = None,
        **fields: Any,
    ) -> Mark | None:
        number = next(self._numbers)
        parent, self._parent = self._parent, f"{self.name}-{number}"
        record = {
            "parentUuid": parent,
            "isSidechain": False,
            "type": kind,
            "uuid": self._parent,
            "timestamp": stamp(at),
            "sessionId": self.name,
            "version": self.version,
        }
        glue = {"type": "file-history-snapshot", "messageId": "m"} if number % 7 == 0 else None
        return self.transcript.write(record | fields, at, fact, key or self._parent, glued_to=glue)

    def _copy(self, origin: Transcript, at: datetime) -> None:
        """A fork begins with its parent's lines, under the same uuids and times."""
        first_line_end = origin.content.index(b"\n") + 1
        shift = len(self.transcript.content) - first_line_end
        self.transcript.content += origin.content[first_line_end:]
        for mark in origin.marks:
            line = (mark.line[0] + shift, mark.line[1] + shift)
            self.transcript.marks.append(mark._replace(offset=mark.offset + shift, line=line))


class CodexWriter:
    """A rollout file: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`."""

    def __init__(
        self, name: str, version: str, at: datetime, originator: str = "codex-tui"
    ) -> None:
        self.name = name
        self.transcript = Transcript(records_hook_text=True)
        self._numbers = itertools.count(1)
        self._line(
            at,
            "session_meta",
            id=name,
            session_id=name,
            originator=originator,
            cli_version=version,
            history_mode="paginated",
            thread_source="user",
        )

    @property
    def path(self) -> str:
        return f"codex/sessions/2026/11/05/rollout-2026-11-05T03-00-00-{self.name}.jsonl"

    def prompt(self, at: datetime) -> Mark | None:
        self._line(at, "event_msg", type="task_started")
        return self._message(at, "user", "Count the herons", "user.text", "user_prompt")

    def turn(self, at: datetime) -> Mark | None:
        mark = self._item(at, "reasoning", "model_turn")
        self._item(at, "function_call", call_id="c")
        self._item(at, "function_call_output", call_id="c")
        return mark

    def boundary(self, at: datetime, trigger: str) -> Mark | None:
        del trigger  # a rollout does not say
        key = f"window-{self.name}-{next(self._numbers)}"
        return self._line(at, "compacted", "boundary", key, message="", window_id=key)

    def microcompaction(self, at: datetime) -> None:
        self._line(at, "event_msg", type="token_count")

    def hook_text(self, at: datetime, checkpoint_hash: str) -> Mark | None:
        kind = "hooks.additional_context"
        text = label(checkpoint_hash)
        return self._message(at, "developer", text, kind, "injected_text", checkpoint_hash)

    def noise(self, at: datetime) -> None:
        """A permission text that quotes a checkpoint is no arrival."""
        self._message(at, "developer", label("e" * 64), "permissions.instructions")

    def _message(self, at: datetime, role: str, text: str, kind: str, *fact: str) -> Mark | None:
        content = [{"type": "input_text", "text": text}]
        told = {"content_item_kinds": [kind]}
        return self._item(
            at,
            "message",
            *fact,
            role=role,
            content=content,
            internal_chat_message_metadata_passthrough=told,
        )

    def _item(
        self,
        at: datetime,
        kind: str,
        fact: str | None = None,
        key: str | None = None,
        **fields: Any,
    ) -> Mark | None:
        number = f"i{next(self._numbers)}"
        return self._line(at, "response_item", fact, key or number, type=kind, id=number, **fields)

    def _line(
        self,
        at: datetime,
        line: str,
        fact: str | None = None,
        key: str | None = None,
        **payload: Any,
    ) -> Mark | None:
        record = {"timestamp": stamp(at), "type": line, "payload": payload}
        return self.transcript.write(record, at, fact, key)

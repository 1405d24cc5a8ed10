"""What Codex's rollout files prove: the cold reader, for legacy and paginated files. README.md."""

from itertools import zip_longest
from pathlib import Path
from typing import Any

from compact_guard.agents.codex.forks import Origin
from compact_guard.agents.codex.hook import NOT_TYPED_STARTS
from compact_guard.agents.codex.hook_client import INTERFACES
from compact_guard.transcripts.facts import (
    Fact,
    Identity,
    checkpoint_hashes,
    content_key,
    dictionary,
    name_or_none,
    utc_time,
    version_numbers,
)

AGENT = "codex"

_RECORD_TYPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
     "token_usage_record")
)  # fmt: skip
# The oldest version seen to record what hooks inject.
_HOOK_TEXT_SINCE = (0, 144, 0)
_HOOK_TEXT_KIND = "hooks.additional_context"


def recognises(record: dict[str, Any]) -> bool:
    """True for a line of a rollout file."""
    kind = record.get("type")
    is_ours = isinstance(kind, str) and kind in _RECORD_TYPES
    return is_ours and isinstance(record.get("payload"), dict)


class Reader:
    """Reads one file's records in order."""

    AGENT = AGENT

    def __init__(self, path: Path, facts: list[Fact]) -> None:
        self._facts = facts
        self._session: dict[str, Any] | None = None  # the first session_meta; forks copy others
        self._is_slice: bool | None = None
        self._origin = Origin()
        self._has_hook_text = False
        self._answer_kind: str | None = None  # of the newest item, inside one response
        self._has_turn = False
        self._is_turn_asked = False  # somebody typed something for the current turn
        self._boundaries_open: list[int] = []  # of the current turn, trigger not known yet
        self._prompts_by_source: dict[str, int] = {}
        self._prompts = 0
        self._payloads_seen: dict[str, int] = {}

    def take(self, offset: int, record: dict[str, Any]) -> None:
        """Note what one record proves."""
        payload = dictionary(record.get("payload"))
        if self._is_slice is None:
            self._is_slice = record.get("type") != "session_meta"
        match record.get("type"):
            case "session_meta":
                self._session = self._session or payload
                self._origin.take_session(record.get("timestamp"), payload)
            case "compacted":
                self._take_boundary(offset, record, payload)
            case "response_item":
                self._take_item(offset, record, payload)
            case "event_msg":
                self._take_event(offset, record, payload)

    def identity(self) -> Identity:
        """What the first session_meta says; a slice has none."""
        session = self._session if self._session and not self._is_slice else {}
        session_id = name_or_none(session.get("session_id")) or name_or_none(session.get("id"))
        originator = session.get("originator")
        return Identity(
            session_id=session_id,
            interface=INTERFACES.get(originator) if isinstance(originator, str) else None,
            agent_version=name_or_none(session.get("cli_version")),
            is_subagent=is_subagent(session),
            is_slice=bool(self._is_slice),
            records_hook_text=self._records_hook_text(),
        )

    def _records_hook_text(self) -> bool:
        version = version_numbers((self._session or {}).get("cli_version"))
        return self._has_hook_text or version >= _HOOK_TEXT_SINCE

    def _take_boundary(self, offset: int, record: dict[str, Any], payload: dict[str, Any]) -> None:
        self._forget_unmarked_summary()
        key = name_or_none(payload.get("window_id")) or self._fallback_key(payload)
        self._answer_kind = None
        if self._origin.is_copied(record.get("timestamp"), payload.get("window_id")):
            return
        trigger: Any = "auto" if self._has_turn and self._is_turn_asked else None
        if trigger is None and self._has_turn:
            self._boundaries_open.append(len(self._facts))
        self._facts.append(
            Fact(
                offset,
                "boundary",
                utc_time(record.get("timestamp")),
                key,
                trigger,
                records_hook_text=self._records_hook_text(),
            )
        )

    def _forget_unmarked_summary(self) -> None:
        """Legacy files mark the summary in no way: it is the answer directly before."""
        is_legacy = (self._session or {}).get("history_mode") != "paginated"
        if is_legacy and self._answer_kind == "message" and self._facts[-1].kind == "model_turn":
            self._facts.pop()

    def _fallback_key(self, payload: dict[str, Any]) -> str:
        """Old files give a compaction no id. Its content and how often it stood before are the
        same in every copy, and tell two equal compactions of one session apart."""
        key = content_key(payload)
        self._payloads_seen[key] = self._payloads_seen.get(key, 0) + 1
        return f"{key}#{self._payloads_seen[key]}"

    def _take_item(self, offset: int, record: dict[str, Any], payload: dict[str, Any]) -> None:
        if dictionary(record.get("metadata")).get("compaction_output"):
            return  # the summary itself
        if _is_answer(payload):
            if self._answer_kind is None:
                key = name_or_none(payload.get("id")) or name_or_none(payload.get("call_id"))
                self._note(offset, "model_turn", record, key)
            self._answer_kind = str(payload["type"])
            return
        self._answer_kind = None
        if payload.get("type") != "message":
            return
        if payload.get("role") == "developer":
            self._take_hook_text(offset, record, payload)
        elif _is_typed(payload):
            self._take_prompt(offset, record, payload, "item")

    def _take_hook_text(self, offset: int, record: dict[str, Any], payload: dict[str, Any]) -> None:
        for text, kind in _texts(payload):
            if kind not in (None, _HOOK_TEXT_KIND):
                continue
            self._has_hook_text = self._has_hook_text or kind == _HOOK_TEXT_KIND
            for checkpoint_hash in checkpoint_hashes(text):
                self._note(offset, "injected_text", record, checkpoint_hash)

    def _take_event(self, offset: int, record: dict[str, Any], payload: dict[str, Any]) -> None:
        match payload.get("type"):
            case "user_message":
                self._take_prompt(offset, record, payload, "event")
            case "task_started":
                self._end_turn()
                self._has_turn = True
                self._answer_kind = None
            case "task_complete":
                self._settle("manual")
                self._end_turn()
            case "turn_aborted":
                self._end_turn()

    def _take_prompt(
        self, offset: int, record: dict[str, Any], payload: dict[str, Any], source: str
    ) -> None:
        """Legacy files write a prompt twice, as item and as event, in either order."""
        self._settle("auto")
        self._is_turn_asked = True
        self._answer_kind = None
        told = self._prompts_by_source[source] = self._prompts_by_source.get(source, 0) + 1
        if told > self._prompts:
            self._prompts = told
            self._note(offset, "user_prompt", record, name_or_none(payload.get("id")))

    def _settle(self, trigger: Any) -> None:
        """A manual compaction is a turn of its own, for which nobody typed a prompt."""
        for index in self._boundaries_open:
            self._facts[index] = self._facts[index]._replace(trigger=trigger)
        self._boundaries_open = []

    def _end_turn(self) -> None:
        self._has_turn = self._is_turn_asked = False
        self._boundaries_open = []

    def _note(self, offset: int, kind: Any, record: dict[str, Any], key: str | None) -> None:
        self._facts.append(Fact(offset, kind, utc_time(record.get("timestamp")), key))


def is_subagent(session: dict[str, Any]) -> bool:
    """Whether what the first line says of a session is a subagent's."""
    if session.get("thread_source") == "subagent":
        return True
    is_spawned = "subagent" in dictionary(session.get("source"))
    return is_spawned or bool(
        session.get("parent_thread_id") and session.get("thread_source") != "user"
    )


def _is_answer(payload: dict[str, Any]) -> bool:
    kind = payload.get("type")
    if kind == "message":
        return payload.get("role") == "assistant"
    return kind == "reasoning" or (isinstance(kind, str) and kind.endswith("_call"))


def _is_typed(payload: dict[str, Any]) -> bool:
    if payload.get("role") != "user":
        return False
    return any(
        kind.startswith("user.") if kind is not None else not text.startswith(NOT_TYPED_STARTS)
        for text, kind in _texts(payload)
    )


def _texts(payload: dict[str, Any]) -> list[tuple[str, str | None]]:
    """The texts of a message, each with what the file says of its origin; None in legacy files."""
    content = payload.get("content")
    blocks = content if isinstance(content, list) else []
    passed = dictionary(payload.get("internal_chat_message_metadata_passthrough"))
    kinds = passed.get("content_item_kinds")
    pairs = zip_longest(blocks, kinds if isinstance(kinds, list) else [])
    return [
        (str(dictionary(block).get("text", "")), kind if isinstance(kind, str) else None)
        for block, kind in pairs
        if isinstance(block, dict)
    ]

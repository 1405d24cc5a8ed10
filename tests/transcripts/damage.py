"""Transcripts of every kind of row with every kind of damage, drawn by hypothesis."""

import json
from typing import Any

from hypothesis import strategies as st

from tests.transcripts.stories import A, label

USAGE = {"input_tokens": 3, "output_tokens": 7, "cache_read_input_tokens": 11}
LONG = "no, not the heron table\n" * 40

CLAUDE_ROWS: list[dict[str, Any]] = [
    {"type": "user", "message": {"role": "user", "content": "Count \ud83d the herons"}},
    {"type": "user", "message": {"role": "user", "content": LONG}, "toolUseResult": {"a": LONG}},
    {"type": "user", "message": {"role": "user", "content": "typed"}, "toolUseResult": ""},
    {"type": "user", "message": {"role": "user", "content": []}, "toolUseResult": " an error"},
    {"type": "user", "message": {"content": [{"type": "tool_result", "content": LONG}]}},
    {"type": "user", "isCompactSummary": True, "message": {"content": LONG}},
    {"type": "user", "isMeta": True, "message": {"content": '"usage":{"input_tokens":1}'}},
    {"type": "assistant", "message": {"id": "m1", "model": "claude-opus-5-5", "usage": USAGE}},
    {"type": "assistant", "message": {"id": "m2", "model": "claude-opus-5-5", "usage": USAGE}},
    {"type": "assistant", "message": {"model": "claude-opus-5-5", "usage": USAGE}},
    {"type": "assistant", "message": {"id": "m3", "model": "<synthetic>", "usage": USAGE}},
    {"type": "assistant", "message": "no object"},
    {"type": "assistant", "isApiErrorMessage": True, "message": {"id": "m4"}},
    {"type": "assistant", "isSidechain": True, "message": {"id": "m5", "usage": USAGE}},
    {"type": "assistant", "message": {"id": 7, "usage": {"input_tokens": -1}}},
    {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}},
    {"type": "system", "subtype": "compact_boundary", "uuid": None, "isSidechain": True},
    {"type": "attachment", "attachment": {"hookEvent": "SessionStart", "content": label(A)}},
    {"type": "summary", "summary": LONG, "leafUuid": "l1"},
    {"type": "progress", "uuid": "p1", "version": "2.1.20", "sessionId": "s2"},
    {"type": ["odd"], "version": {"odd": 1}, "sessionId": "x" * 300},
]
ITEMS: list[dict[str, Any]] = [
    {"type": "message", "role": "assistant", "id": "i1"},
    {"type": "message", "role": "user", "content": [{"text": "typed"}]},
    {"type": "message", "role": "developer", "content": [{"text": label(A)}]},
    {"type": "function_call_output", "output": LONG},
    {"type": "function_call", "call_id": "c1"},
]
EVENTS: list[dict[str, Any]] = [
    {"type": "user_message"},
    {"type": "task_started"},
    {"type": "task_complete"},
    {"type": ["odd"]},
    {"type": "token_count", "info": None},
    {"type": "token_count", "info": {"total_token_usage": USAGE}},
    {"type": "token_count", "info": {"total_token_usage": {"output_tokens": 1}}},
]
CODEX_ROWS: list[dict[str, Any]] = [
    {"type": "session_meta", "payload": {"id": "t2", "cli_version": "0.171.0", "cwd": "/p"}},
    {"type": "turn_context", "payload": {"model": "gpt-5.2"}},
    {"type": "compacted", "payload": {"message": LONG}},
    {"type": "compacted", "payload": {"message": "", "window_id": "w1"}},
    *({"type": "response_item", "payload": payload} for payload in ITEMS),
    {"type": "response_item", "payload": ITEMS[0], "metadata": {"compaction_output": True}},
    {"type": "response_item", "payload": None, "metadata": None},
    *({"type": "event_msg", "payload": payload} for payload in EVENTS),
    {"type": "token_usage_record", "payload": {"response_id": "r1", "usage": USAGE}},
]

NOISE = st.binary(min_size=1, max_size=12)
ENDS = st.sampled_from([b"\n"] * 12 + [b"\r\n", b"", b"\n\n", b" \n", b"}\n", b"\0\n", b"\n{"])
BEGINNINGS = st.sampled_from([b""] * 12 + [b"\xef\xbb\xbf", b"\0\0", b" ", b'{"torn":"', b"[]"])


def _row(rows: list[dict[str, Any]]) -> st.SearchStrategy[bytes]:
    envelopes = st.fixed_dictionaries(
        {"timestamp": st.sampled_from(["2026-11-30T02:00:00.000Z", "2026-11-30T02:00:00Z", "?"])},
        optional={
            "uuid": st.sampled_from(["u1", "u2", "u3"]),
            "sessionId": st.just("s1"),
            "version": st.sampled_from(["2.1.332", "2.1.7"]),
            "parentUuid": st.sampled_from([None, "u0"]),
        },
    )
    return st.builds(
        lambda envelope, row, indent: json.dumps(envelope | row, indent=indent).encode(),
        envelopes,
        st.sampled_from(rows),
        st.sampled_from([None] * 12 + [1]),
    )


def _damaged(row: bytes, place: float, noise: bytes | None, is_torn: bool) -> bytes:
    cut = int(place * len(row))
    return row[:cut] if is_torn else row[:cut] + (noise or b"") + row[cut:]


def _line(rows: list[dict[str, Any]]) -> st.SearchStrategy[bytes]:
    row = _row(rows)
    damaged = st.builds(_damaged, row, st.floats(0, 1), st.none() | NOISE, st.booleans())
    content = st.one_of([row] * 6 + [damaged])
    return st.builds(lambda *parts: b"".join(parts), BEGINNINGS, content, ENDS)


def contents(rows: list[dict[str, Any]]) -> st.SearchStrategy[bytes]:
    """What a file may hold that was written by an agent and by accident."""
    return st.lists(_line(rows), max_size=14).map(b"".join)


CONTENTS = contents(CLAUDE_ROWS) | contents(CODEX_ROWS) | contents(CLAUDE_ROWS + CODEX_ROWS)

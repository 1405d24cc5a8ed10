"""The few fields of a rollout's records that tell of use and time; the rest is skipped."""

from typing import Any

import msgspec

from compact_guard.agents.codex.triggers import Item
from compact_guard.transcripts.stretches import Name
from compact_guard.window.usage import Count, TimeText


class Usage(msgspec.Struct, gc=False):
    """Tokens of one response, or summed over several."""

    input_tokens: Count = 0  # cached tokens and cache writes among them
    cached_input_tokens: Count = 0
    cache_write_input_tokens: Count = 0
    output_tokens: Count = 0


class Info(msgspec.Struct, gc=False):
    """What a `token_count` tells."""

    total_token_usage: Usage | None = None
    last_token_usage: Usage | None = None


class Payload(msgspec.Struct, gc=False):
    """Of every type of record, what is read of it."""

    type: Name | None = None
    item: Item | None = None
    id: Name | None = None
    session_id: Name | None = None
    timestamp: TimeText | None = None
    forked_from_id: Name | None = None
    parent_thread_id: Name | None = None
    thread_source: Name | None = None
    source: Any = None  # words, or an object about a subagent
    cwd: str | None = None
    cli_version: Name | None = None
    model: Name | None = None
    info: Info | None = None
    thread_id: Name | None = None
    response_id: Name | None = None
    usage: Usage | None = None
    window_id: Name | None = None
    compaction_response_id: Name | None = None
    started_at_ms: Count | None = None
    completed_at_ms: Count | None = None


class Record(msgspec.Struct, gc=False):
    """One line."""

    type: Name | None = None
    timestamp: TimeText | None = None
    payload: Payload | None = None


decoded = msgspec.json.Decoder(Record).decode
decoded_lines = msgspec.json.Decoder(Record).decode_lines

"""One Codex rollout as large as they get, with lines of 10 MB, and how many responses it holds."""

import json
from pathlib import Path

LINE_CHARS = 10_000_000
TEXT = "the heron table of results\n"
TOKENS_PER_TURN = 1_000


def write(path: Path, total_bytes: int) -> int:
    """A rollout of about that many bytes; returns its responses."""
    output = TEXT * (LINE_CHARS // len(TEXT))
    turns = max(1, total_bytes // LINE_CHARS)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.write(_line("session_meta", id="t1", cwd="/home/user/project", cli_version="0.171.0"))
        file.write(_line("turn_context", model="gpt-5.2"))
        for turn in range(1, turns + 1):
            file.write(_line("response_item", type="function_call_output", output=output))
            used = {"input_tokens": turn * TOKENS_PER_TURN, "output_tokens": turn}
            info = {"total_token_usage": used, "last_token_usage": used}
            file.write(_line("event_msg", type="token_count", info=info))
    return turns


def _line(kind: str, **payload: object) -> str:
    record = {"timestamp": "2026-11-30T02:00:00.000Z", "type": kind, "payload": payload}
    return f"{json.dumps(record)}\n"

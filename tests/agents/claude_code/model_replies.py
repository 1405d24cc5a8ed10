"""What our model server answers: the kinds of request, the rules, and messages on the wire.

The rules are data in a file that is read again for every request, so that a test can change
them while the agent runs. The first rule that matches is used:

    {"kind": "turn" | "summary" | "side", "match": REGEX, "agent": BOOL, "once": BOOL,
     "reply": {"blocks": [...], "usage": {...}, "delay_seconds": 5, "status": 500, "error": "..."}}

Every key but `reply` is optional, and so is every key of a reply; `status` sends an error.
`match` is searched in the last user message, `agent` says whether a subagent asks.
"""

import itertools
import json
import re
from collections.abc import Iterator

from tests.agents.model_api import Json

SUMMARY_MARK = re.compile(r"Your task is to create a detailed summary of (the|this) (\w+ )*conv")
SUBAGENT_MARK = re.compile(r"cc_is_subagent=true|You are an agent for Claude Code")

# Claude Code adds up what the last response says it used. The bench opens a window of
# 200,000 tokens, which compacts at 167,000 and refuses at about 180,000.
WINDOW_TOKENS = 200_000
SMALL = {"input_tokens": 2_000, "cache_read_input_tokens": 10_000, "output_tokens": 20}
NEARLY_FULL = {"input_tokens": 3_000, "cache_read_input_tokens": 167_000, "output_tokens": 50}
NO_USAGE = {
    "input_tokens": 0,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "output_tokens": 0,
}

SUMMARY = "<analysis>weighed</analysis>\n<summary>CANNED SUMMARY of the session.</summary>"
DEFAULT_TEXT = {"turn": "Canned reply.", "summary": SUMMARY, "side": '{"title": "Canned title"}'}


def says(words: str, usage: Json = SMALL) -> Json:
    """A reply of one text block."""
    return {"blocks": [{"type": "text", "text": words}], "usage": usage}


def calls(tool: str, usage: Json = SMALL, **tool_input: object) -> Json:
    """A reply that calls one tool."""
    return {"blocks": [{"type": "tool_use", "name": tool, "input": tool_input}], "usage": usage}


def fails(status: int, error: str = "canned error") -> Json:
    """An HTTP error in place of a message."""
    return {"status": status, "error": error}


FILL = {"kind": "turn", "match": "fill the context", "reply": says("Filled.", NEARLY_FULL)}
SUMMARY_FAILS = {"kind": "summary", "reply": fails(500)}
SUMMARY_TAKES_LONG = {"kind": "summary", "reply": {"delay_seconds": 30}}


def text_of(content: object) -> str:
    """All text in a message's content: a string, or a list of blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or [])


def last_user_text(body: Json) -> str:
    for message in reversed(body.get("messages", [])):
        if message.get("role") == "user":
            return text_of(message.get("content"))
    return ""


def kind_of(body: Json) -> str:
    """`summary` asks for a compaction, `side` offers no tools (titles, probes), else `turn`."""
    if SUMMARY_MARK.search(last_user_text(body)):
        return "summary"
    return "turn" if body.get("tools") else "side"


def is_subagent(body: Json) -> bool:
    return bool(SUBAGENT_MARK.search(text_of(body.get("system"))))


class Rules:
    """Chooses replies; `once` rules are used up."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def reply_for(self, rules: list[Json], body: Json) -> Json:
        for rule in rules:
            name = json.dumps(rule, sort_keys=True)
            if name in self._used or not _matches(rule, body):
                continue
            if rule.get("once"):
                self._used.add(name)
            return rule["reply"]
        return {}


def _matches(rule: Json, body: Json) -> bool:
    kind, agent = kind_of(body), is_subagent(body)
    if rule.get("kind", kind) != kind or rule.get("agent", agent) != agent:
        return False
    return re.search(rule.get("match", ""), last_user_text(body)) is not None


_numbers = itertools.count(1)


def message_for(body: Json, reply: Json) -> Json:
    """A whole Messages API message."""
    number = next(_numbers)
    blocks = reply.get("blocks") or [{"type": "text", "text": DEFAULT_TEXT[kind_of(body)]}]
    blocks = [
        {**block, "id": f"toolu_canned{number:06d}{position}"}
        if block["type"] == "tool_use"
        else block
        for position, block in enumerate(blocks)
    ]
    has_tool = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": f"msg_canned{number:06d}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "canned"),
        "content": blocks,
        "stop_reason": "tool_use" if has_tool else "end_turn",
        "stop_sequence": None,
        "usage": {**NO_USAGE, **reply.get("usage", SMALL)},
    }


def stream_of(message: Json) -> Iterator[Json]:
    """The documented server-sent events of one message."""
    usage = {**message["usage"], "output_tokens": 1}
    head = {**message, "content": [], "stop_reason": None, "usage": usage}
    yield {"type": "message_start", "message": head}
    for index, block in enumerate(message["content"]):
        empty, delta = _block_stream(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": message["usage"]}
    yield {"type": "message_stop"}


def _block_stream(block: Json) -> tuple[Json, Json]:
    """A block as it starts, and the one delta that fills it."""
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return {**block, "input": {}}, delta

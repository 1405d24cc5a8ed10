"""What our model server answers Codex: plans written in the prompts, and messages on the wire.

A prompt carries its plan, so that it survives what a compaction does to the history:

    Please work. [[plan id=A calls=6 step=25000]]

    id       its progress is kept per id
    calls    shell calls to ask for, one per response, before the last answer (default 0)
    step     tokens that each response adds to the reported usage (default 1000)
    command  the shell command, `_` for a space (default `true`)
    compact  what the compactions get, in order, the last repeated: `ok`, or an HTTP status
    spawn    1: the first call spawns a subagent whose plan has id=child, childcalls, childstep

Usage starts again from BASE_TOKENS after a compaction; the bench compacts at COMPACT_TOKENS.
"""

import json
import re
import threading
from collections import defaultdict
from collections.abc import Iterator

from tests.agents.model_api import Json

BASE_TOKENS = 5_000
COMPACT_TOKENS = 60_000
PLAN = re.compile(r"\[\[plan ([^\]]*)\]\]")
# Words of Codex's own prompt for a compaction.
COMPACTION_MARK = "CONTEXT CHECKPOINT COMPACTION"
SUMMARY = "CANNED SUMMARY of the session."


def text_of(item: Json) -> str:
    """All text of one input item: a string, or a list of blocks."""
    content = item.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or [] if isinstance(block, dict))


def is_compaction(body: Json) -> bool:
    items = body.get("input") or [{}]
    return items[-1].get("role") == "user" and COMPACTION_MARK in text_of(items[-1])


def plan_in(body: Json) -> dict[str, str]:
    """The newest plan that any message of the request carries."""
    for item in reversed(body.get("input") or []):
        if item.get("type") in ("message", "agent_message") and (
            found := PLAN.findall(text_of(item))
        ):
            return dict(word.split("=", 1) for word in found[-1].split())
    return {}


class Progress:
    """How far the plans have come; shared by the server's threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[str, int] = defaultdict(int)
        self._since_compaction: dict[str, int] = defaultdict(int)
        self._compactions: dict[str, int] = defaultdict(int)
        self._spawned: set[str] = set()

    def reply_to(self, body: Json, number: int) -> tuple[int, Json, int]:
        """HTTP status, the output item, the input tokens to report."""
        plan = plan_in(body)
        with self._lock:
            if is_compaction(body):
                return self._summary(plan, number)
            return self._turn(body, plan, number)

    def _summary(self, plan: dict[str, str], number: int) -> tuple[int, Json, int]:
        name, outcomes = plan.get("id", ""), plan.get("compact", "ok").split(",")
        outcome = outcomes[min(self._compactions[name], len(outcomes) - 1)]
        self._compactions[name] += 1
        if outcome != "ok":
            return int(outcome), {}, 0
        self._since_compaction[name] = 0
        return 200, message(SUMMARY, number), BASE_TOKENS

    def _turn(self, body: Json, plan: dict[str, str], number: int) -> tuple[int, Json, int]:
        name = plan.get("id", "")
        self._since_compaction[name] += 1
        tokens = BASE_TOKENS + int(plan.get("step", 1_000)) * self._since_compaction[name]
        if "spawn" in plan and name not in self._spawned:
            self._spawned.add(name)
            return 200, spawn(body, plan, number), tokens
        if self._calls[name] < int(plan.get("calls", 0)):
            self._calls[name] += 1
            command = plan.get("command", "true").replace("_", " ")
            return 200, call("exec_command", number, cmd=command), tokens
        return 200, message(f"Canned reply to {name}.", number), tokens


def message(text: str, number: int) -> Json:
    block = {"type": "output_text", "text": text, "annotations": []}
    return {
        "type": "message",
        "id": f"msg_{number}",
        "role": "assistant",
        "status": "completed",
        "content": [block],
    }


def call(name: str, number: int, **arguments: str) -> Json:
    return {
        "type": "function_call",
        "id": f"fc_{number}",
        "call_id": f"call_{number}",
        "name": name,
        "arguments": json.dumps(arguments),
        "status": "completed",
    }


def spawn(body: Json, plan: dict[str, str], number: int) -> Json:
    """A call of the tool that starts a subagent, under whatever namespace it is offered."""
    calls, step = plan.get("childcalls", "2"), plan.get("childstep", "1000")
    words = f"SUBTASK count the herons. [[plan id=child calls={calls} step={step}]]"
    name = next(name for name in tool_names(body.get("tools")) if name.endswith("spawn_agent"))
    item = call("spawn_agent", number, message=words, task_name="canned_child")
    namespace = name.rpartition(".")[0]
    return {**item, "namespace": namespace} if namespace else item


def tool_names(tools: list[Json] | None, prefix: str = "") -> Iterator[str]:
    for tool in tools or []:
        name = str(tool.get("name") or tool.get("type"))
        yield prefix + name
        yield from tool_names(tool.get("tools"), f"{name}.")


def stream_of(item: Json, tokens: int, number: int) -> Iterator[Json]:
    """The server-sent events of one response."""
    usage = {
        "input_tokens": tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens + 20,
    }
    response = {"id": f"resp_{number}"}
    yield {"type": "response.created", "response": response}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    completed = {**response, "status": "completed", "output": [item], "usage": usage}
    yield {"type": "response.completed", "response": completed}

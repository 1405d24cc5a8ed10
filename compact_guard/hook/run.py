"""One event in, at most one reply out, one audit row, exit status 0 whatever happens."""

import errno
import json
import os
import select
import time

from compact_guard.hook import audit, configuration, deadline, events, identity, storage
from compact_guard.hook.limits import (
    DEADLINE_SECONDS,
    PAYLOAD_BYTES_MAX,
    STDIN_SECONDS_MAX,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter

EVENT_NAMES = ("pre_compact", "session_start", "post_compact")
TURN_END = "turn_end"  # of a turn, where a line waits for the person: worth no row
SYNTHETIC_SWITCH = "COMPACT_GUARD_SYNTHETIC"
_MARK_OF_ENCODING = "\ufeff".encode()  # before the payload; the codec that knows it costs 0.1 ms
_DONE = ("saved", "injected")
_ERRNO_REASONS = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EACCES: "permissions",
    errno.EPERM: "permissions",
    errno.EROFS: "permissions",
}


def main(arguments: list[str]) -> int:
    """Run one hook; `arguments` are the agent and the event. Always returns 0."""
    try:
        _hold_standard_files()
        if len(arguments) != 2 or arguments[1] not in (*EVENT_NAMES, TURN_END):
            raise LookupError("usage: AGENT EVENT")
        adapter = load_adapter(arguments[0])
        _run(adapter, arguments[1])
    except BaseException as error:  # also KeyboardInterrupt: the agent must go on
        _complain(error)
    return 0


def load_adapter(agent: str) -> "HookAdapter":
    """The hot adapter of an agent. Raises LookupError for an unknown one."""
    match agent:  # The registry. A new agent is one folder and one case.
        case "claude-code":
            from compact_guard.agents.claude_code import hook as claude_code

            return claude_code
        case "codex":
            from compact_guard.agents.codex import hook as codex

            return codex
    raise LookupError("no such agent")


def _run(adapter: "HookAdapter", event_name: str) -> None:
    started = time.monotonic()
    synthetic = os.environ.get(SYNTHETIC_SWITCH) == "1"
    row = audit.new_row(adapter.AGENT, adapter.interface(os.environ), event_name, synthetic)
    if event_name == "session_start":
        row["source"] = "compact"
    is_ours = event_name in EVENT_NAMES
    try:
        deadline.arm(DEADLINE_SECONDS)
        is_ours = _respond(adapter, event_name, row)
    except BaseException as error:
        deadline.disarm()
        if (
            row["outcome"] not in _DONE
        ):  # what is saved or printed stays so, whatever failed after it
            row["outcome"] = "failed"
        row["reason"] = _reason(error)
    finally:
        deadline.disarm()
    if is_ours:
        row["duration_ms"] = round((time.monotonic() - started) * 1000, 3)
        audit.write(row, adapter.FILE)


def _respond(adapter: "HookAdapter", event_name: str, row: "dict[str, Any]") -> bool:
    """Act on the event; false if it is worth no row."""
    event = adapter.parse(event_name, _payload(), os.environ)
    if event is None:
        return False
    _describe(event, adapter.AGENT, row)
    if event.is_subagent:
        row["outcome"], row["reason"] = "skipped", "subagent"
        return True
    match event:
        case events.CompactionStarting():
            from compact_guard.hook import composing, saving

            try:
                saving.take(event, adapter, row)
            except composing.NothingSaved as nothing:
                row["outcome"], row["reason"] = nothing.outcome, nothing.reason
            finally:
                _ask_for_preservation(adapter, row)
        case events.ContextRestarting():
            from compact_guard.hook import delivery

            return delivery.deliver(event, adapter, row)
        case events.CompactionFinished():
            from compact_guard.hook import receipt

            receipt.write(event, adapter, row)
        case events.TurnEnded():
            from compact_guard.hook import notice

            notice.at_turn_end(adapter, row["session_hash"])
            return False
    return True


def _ask_for_preservation(adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Once per compaction: another run that has it in hand asks for it."""
    is_elsewhere = row["reason"] == "claimed_elsewhere"
    if not is_elsewhere and configuration.is_on(adapter.AGENT, configuration.PRESERVE_OPTION):
        from compact_guard.hook import preserve

        preserve.ask(adapter)


def _describe(event: events.Event, agent: str, row: "dict[str, Any]") -> None:
    row["session_hash"] = identity.session_hash(agent, event.session_id)
    row["subagent"] = event.is_subagent
    row["trigger"] = event.trigger
    row["model"] = audit.model_or_none(event.model)
    row["interface"] = event.interface or row["interface"]
    row["agent_version"] = audit.version_or_none(event.agent_version)
    if event.turn_id:
        row["turn_hash"] = identity.turn_hash(agent, event.turn_id)
    if isinstance(event, events.CompactionStarting):
        row["delivery"] = event.delivery
    if isinstance(event, events.ContextRestarting):
        row["source"] = event.source


def _payload() -> "dict[str, Any]":
    """The JSON object on stdin. Raises events.PayloadError; deadline.Reached if none comes."""
    raw = bytearray()
    until = time.monotonic() + STDIN_SECONDS_MAX
    while len(raw) <= PAYLOAD_BYTES_MAX and _has_input(until - time.monotonic()):
        piece = os.read(0, 1 << 20)
        raw += piece
        # An agent that leaves the pipe open has said all it will say with the last brace.
        if not piece or (raw[-2:].rstrip().endswith(b"}") and not _has_input(0) and _parsed(raw)):
            break
    if not raw and time.monotonic() >= until:
        raise deadline.Reached
    payload = _parsed(raw)
    if payload is None:
        raise events.PayloadError("the payload is no JSON object")
    return payload


def _has_input(seconds: float) -> bool:
    return bool(select.select([0], [], [], max(0.0, seconds))[0])


def _parsed(raw: bytearray) -> "dict[str, Any] | None":
    try:
        payload = json.loads(raw.removeprefix(_MARK_OF_ENCODING).decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


def _reason(error: BaseException) -> str:
    """The contract's word for a failure."""
    match error:
        case deadline.Reached():
            return "deadline"
        case events.PayloadError():
            return "invalid_payload"
        case storage.NotPrivate():
            return error.reason
        case OSError():
            return _ERRNO_REASONS.get(error.errno or 0, "io_error")
    return "internal_error"


def _hold_standard_files() -> None:
    """A closed stdin, stdout or stderr must not become the number of a file of ours."""
    for number, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            # Read only in the place of stdout: writing a reply there must fail, for nobody gets it.
            os.open(os.devnull, flags)


def _complain(error: BaseException) -> None:
    try:
        os.write(2, f"compact-guard: no audit row: {type(error).__name__}\n".encode())
    except OSError:
        return

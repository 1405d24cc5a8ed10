"""What the user typed and the model answered, newest first, as much as a checkpoint can hold."""

import time

from compact_guard.hook.limits import (
    FLUSH_STEPS_MS,
    ITEM_HEAD_UNITS,
    ITEM_UNITS_MAX,
    MESSAGE_BYTES_MAX,
    MESSAGE_LINES_MAX,
    PROMPT_TAIL_BYTES,
)
from compact_guard.hook.text import units
from compact_guard.hook.transcript import objects_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import Message
    from compact_guard.hook.transcript import Transcript


class Conversation:
    """The newest messages of a transcript, newest first, and what reading them met."""

    def __init__(self) -> None:
        self.by_identity: dict[str, Message] = {}
        self.lines_malformed = 0
        self.agent_version: object = None
        self.model: object = None

    @property
    def messages(self) -> "list[Message]":
        """Newest first; of copies of a message the oldest counts, for it tells when it was said."""
        return list(self.by_identity.values())


def read(transcript: "Transcript", adapter: "HookAdapter", units_wanted: int) -> Conversation:
    """Read backwards until the messages fill `units_wanted` (UTF-16) or a bound is met."""
    conversation = Conversation()
    units_found = 0
    for number, (offset, line) in enumerate(transcript.lines_backward(MESSAGE_BYTES_MAX)):
        if units_found >= units_wanted or number >= MESSAGE_LINES_MAX:
            break
        if line is None:
            conversation.lines_malformed += 1
        elif adapter.may_hold_message(line):
            units_found += _take_line(line, offset, adapter, conversation)
    return conversation


def _take_line(line: bytes, offset: int, adapter: "HookAdapter", conversation: Conversation) -> int:
    objects, is_whole = objects_in(line)
    conversation.lines_malformed += not is_whole
    units_found = 0
    for object_offset, record in reversed(objects):
        conversation.agent_version = conversation.agent_version or adapter.version_in(record)
        conversation.model = conversation.model or adapter.model_in(record)
        message = adapter.message_in(record)
        if message is None:
            continue
        message.offset = offset + object_offset
        if conversation.by_identity.pop(message.identity, None) is None:
            units_found += min(units(message.text), ITEM_UNITS_MAX) + ITEM_HEAD_UNITS
        conversation.by_identity[message.identity] = message
    return units_found


def wait_for_turn(transcript: "Transcript", adapter: "HookAdapter", turn_id: str) -> int:
    """Wait, at most FLUSH_STEPS_MS, until the transcript holds this turn's prompt; returns ms."""
    waited = 0
    seen = max(0, transcript.complete_bytes - PROMPT_TAIL_BYTES)
    for step in (*FLUSH_STEPS_MS, 0):
        if adapter.holds_turn(transcript.read(seen, transcript.complete_bytes), turn_id):
            break
        seen = transcript.complete_bytes
        time.sleep(step / 1000)
        waited += step
        transcript.refresh()
    return waited


def newest_version(transcript: "Transcript", adapter: "HookAdapter", bytes_max: int) -> object:
    """The agent version that the newest row names, or None; for runs that read no messages."""
    for _, line in transcript.lines_backward(bytes_max):
        for _, record in reversed(objects_in(line)[0] if line else ()):
            version = adapter.version_in(record)
            if version is not None:
                return version
    return None

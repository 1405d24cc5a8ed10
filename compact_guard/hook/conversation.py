"""What the user typed and the model answered since the last checkpoint, within bounds."""

import time

from compact_guard.hook import audit
from compact_guard.hook.limits import (
    ANSWERED_MAX,
    FLUSH_STEPS_MS,
    PASTE_CHARS_MIN,
    PROMPT_TAIL_BYTES,
    STRETCH_BYTES_MAX,
    STRETCH_CHARS_MAX,
    STRETCH_LINES_MAX,
    TYPED_MAX,
    UNSAID_BYTES_MAX,
    VERSION_TAIL_BYTES,
)
from compact_guard.hook.transcript import objects_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import Message
    from compact_guard.hook.transcript import Transcript


class Conversation:
    """The newest messages of a transcript, newest first, and what reading them met."""

    def __init__(self) -> None:
        self.by_identity: dict[str, Message] = {}
        self.count_typed = 0
        self.count_answered = 0
        self.typed_chars = 0  # of different texts that are no pastes
        self.lines_malformed = 0
        self.agent_version: object = None
        self.model: object = None
        self._typed: set[str] = set()

    @property
    def messages(self) -> "list[Message]":
        """Newest first; of copies of a message the oldest counts, for it tells when it was said."""
        return list(self.by_identity.values())

    @property
    def is_full(self) -> bool:
        """Whether nothing older would be kept: newer words of the user take all the room."""
        return self.count_typed >= TYPED_MAX or self.typed_chars >= STRETCH_CHARS_MAX

    def take(self, message: "Message") -> None:
        """One more message, older than all before."""
        if self.by_identity.pop(message.identity, None) is None:
            self.count_typed += message.speaker == "user"
            self.count_answered += message.speaker != "user"
        self.by_identity[message.identity] = message
        is_short = message.speaker == "user" and len(message.text) <= PASTE_CHARS_MIN
        if is_short and message.text not in self._typed:
            self._typed.add(message.text)
            self.typed_chars += len(message.text)


def read(transcript: "Transcript", adapter: "HookAdapter", since: int) -> Conversation:
    """Read backwards to the offset `since`, a line's beginning, or until a bound is met."""
    conversation = Conversation()
    may_hold = adapter.may_hold_message
    # The line end before `since` is read too, else the first line would have no beginning.
    bytes_max = min(STRETCH_BYTES_MAX, transcript.complete_bytes - since + (since > 0))
    lines = transcript.lines_backward(bytes_max, adapter.is_output)
    for number, (offset, line) in enumerate(lines):
        if number >= STRETCH_LINES_MAX:
            break
        if line is None:
            conversation.lines_malformed += 1
        elif may_hold(line):
            _take_line(line, offset, adapter, conversation)
            if conversation.is_full:
                break
            if conversation.count_answered >= ANSWERED_MAX:
                may_hold = adapter.may_hold_typed
    return conversation


def _take_line(
    line: bytes, offset: int, adapter: "HookAdapter", conversation: Conversation
) -> None:
    objects, is_whole = objects_in(line)
    conversation.lines_malformed += not is_whole
    for object_offset, record in reversed(objects):
        conversation.agent_version = conversation.agent_version or adapter.version_in(record)
        conversation.model = conversation.model or adapter.model_in(record)
        message = adapter.message_in(record)
        if message is None:
            continue
        message.offset = offset + object_offset
        conversation.take(message)


class Patience:
    """What one run may wait, FLUSH_STEPS_MS in all, for an agent that writes late."""

    def __init__(self) -> None:
        self._steps = iter(FLUSH_STEPS_MS)
        self.waited_ms = 0

    def wait(self) -> bool:
        """Sleep one step; false, at once, when none is left."""
        step = next(self._steps, 0)
        time.sleep(step / 1000)
        self.waited_ms += step
        return step > 0


def wait_for_turn(
    transcript: "Transcript", adapter: "HookAdapter", turn_id: str, patience: Patience
) -> None:
    """Until the transcript holds this turn's prompt."""
    seen = max(0, transcript.complete_bytes - PROMPT_TAIL_BYTES)
    while not adapter.holds_turn(transcript.read(seen, transcript.complete_bytes), turn_id):
        seen = transcript.complete_bytes
        if not patience.wait():
            return
        transcript.refresh()


def wait_for_words(
    transcript: "Transcript", adapter: "HookAdapter", since: int, patience: Patience
) -> None:
    """Until anything was said after the offset `since`, a line's beginning."""
    while transcript.complete_bytes - since <= UNSAID_BYTES_MAX:
        if read(transcript, adapter, since).messages or not patience.wait():
            return
        transcript.refresh()


def name_version(transcript: "Transcript", adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Where nothing better is known, the version that wrote the transcript's newest rows."""
    if row["agent_version"] is None:
        row["agent_version"] = audit.version_or_none(_newest_version(transcript, adapter))


def _newest_version(transcript: "Transcript", adapter: "HookAdapter") -> object:
    for _, line in transcript.lines_backward(VERSION_TAIL_BYTES):
        for _, record in reversed(objects_in(line)[0] if line else ()):
            version = adapter.version_in(record)
            if version is not None:
                return version
    return None

"""What an agent's hot adapter provides, for type checkers and tests: no hook imports this."""

from collections.abc import Mapping
from typing import Any, Protocol

from compact_guard.hook.events import Event, Message


class HookAdapter(Protocol):
    """A module `agents/<tool>/hook.py`: payload to event, record to message, text to reply."""

    AGENT: str  # the name on the command line and in the audit log
    FILE: str  # the module's own source, part of the guard fingerprint
    BOUNDARY_MARK: bytes  # occurs in every line that holds a native boundary
    INJECTION_UNITS_MAX: int  # UTF-16 code units that the agent surely passes on

    def parse(
        self, event_name: str, payload: dict[str, Any], environment: Mapping[str, str]
    ) -> Event | None:
        """The event, None if the guard has nothing to do. Raises events.PayloadError."""

    def interface(self, environment: Mapping[str, str]) -> str:
        """How the agent is attached, such as `claude-code/anthropic`."""

    def render(self, text: str) -> str:
        """What on stdout makes the agent take `text` into its context."""

    def find_transcript(self, event: Event) -> str | None:
        """An existing path, or None."""

    def is_boundary(self, record: dict[str, Any]) -> bool:
        """True for the record of one finished native compaction of the main session."""

    def may_hold_message(self, line: bytes) -> bool:
        """False only if no record of the line can hold a message: spares parsing it."""

    def message_in(self, record: dict[str, Any]) -> Message | None:
        """Text typed by the user or answered by the model in the main session."""

    def holds_turn(self, tail: bytes, turn_id: str) -> bool:
        """True if the prompt of this turn is in the tail of the transcript."""

    def version_in(self, record: dict[str, Any]) -> object:
        """The agent's version that wrote the record, None if it does not say."""

    def model_in(self, record: dict[str, Any]) -> object:
        """The model that answered, None if the record does not say."""

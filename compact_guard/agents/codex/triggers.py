"""Which compactions of a rollout a person asked for. Facts: README.md, "Window"."""

import msgspec

from compact_guard.transcripts.stretches import Name
from compact_guard.window.usage import Event


class Item(msgspec.Struct, gc=False):
    """What an `item_completed` event tells of."""

    type: Name | None = None


class Triggers:
    """A manual compaction is a turn of its own: nobody typed for it, no response follows in it.

    It is known as such when that turn completes; of any other, nothing is said.
    """

    def __init__(self) -> None:
        self._unasked: list[Event] | None = None  # boundaries of a turn that nobody typed for

    def take_event(self, kind: str | None, item: Item | None) -> None:
        """One event of the session."""
        match kind:
            case "task_started":
                self._unasked = []
            case "task_complete":
                for boundary in self._unasked or ():
                    boundary.trigger = "manual"
                self._unasked = None
            case "turn_aborted" | "user_message":
                self._unasked = None
            case "item_completed" if item and item.type == "UserMessage":
                self._unasked = None

    def take_boundary(self, boundary: Event) -> None:
        """One compaction."""
        if self._unasked is not None:
            self._unasked.append(boundary)

    def take_response(self) -> None:
        """Behind a compaction, the model works on in the same turn."""
        if self._unasked:
            self._unasked = None

"""What can happen to the guard, in our own words. Adapters make these from agents' payloads."""


class Event:
    """One dispatch of a hook by an agent."""

    name = ""
    # How the agent is attached and its version, where this dispatch shows more than the
    # environment and the transcript's newest rows do.
    interface: str | None = None
    agent_version: str | None = None

    def __init__(
        self,
        *,
        session_id: str,
        transcript_path: str | None = None,
        turn_id: str | None = None,
        is_subagent: bool = False,
        model: str | None = None,
        trigger: str | None = None,
    ) -> None:
        self.session_id = session_id
        self.transcript_path = transcript_path
        self.turn_id = turn_id
        self.is_subagent = is_subagent
        self.model = model
        self.trigger = trigger  # "auto", "manual" or unknown


class CompactionStarting(Event):
    """The agent may be about to compact. `instructions` are words that the user typed for it."""

    name = "pre_compact"
    instructions: str | None = None
    delivery = "immediate"  # or "next_turn": when the adapter expects the injection


class ContextRestarting(Event):
    """A compacted context begins, or (`resume`) one whose checkpoint may have been lost."""

    name = "session_start"
    source = "compact"


class CompactionFinished(Event):
    """The native summary is written."""

    name = "post_compact"
    summary_characters: int | None = None
    summary: str | None = None  # what the new context holds of it; compared, never stored


class TurnEnded(Event):
    """The agent has answered: only where a line for the person may be waiting."""

    name = "turn_end"


class Message:
    """One thing that the user typed or that the model answered, without any markup of the agent.

    `identity` is equal for copies of the same message.
    """

    __slots__ = ("at", "identity", "offset", "speaker", "text")

    def __init__(self, speaker: str, at: str | None, text: str, identity: str) -> None:
        self.speaker = speaker  # "user" or "assistant"
        self.at = at  # the agent's own time stamp
        self.text = text
        self.identity = identity
        self.offset = 0  # of its line in the transcript, bytes


class PayloadError(ValueError):
    """The payload is not what the agent's adapter knows."""

"""What a transcript tells of a finished compaction and of its session, in our words."""

from datetime import datetime
from typing import NamedTuple

from compact_guard.transcripts.facts import Trigger


class Origin(NamedTuple):
    """Whose transcript it is; None: its first records do not say.

    `project` is the working folder, as it is written there.
    """

    session_id: str | None
    agent_version: str | None
    project: str | None
    is_subagent: bool


class Compaction(NamedTuple):
    """One boundary, with what stands around it.

    `key` is equal in every copy of the boundary; `at` is naive UTC; `agent_version` None: that of
    the origin. `summary` is the native one, None where it cannot be read. `kept` are the texts of
    the messages that stayed in the context word for word; None where the agent does not say.
    `instructions` is what the user typed for the compaction.
    """

    key: str
    at: datetime | None
    trigger: Trigger | None
    agent_version: str | None
    summary: str | None
    kept: list[str] | None
    instructions: str | None

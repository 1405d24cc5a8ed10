"""A few statements that the summaries lost: what a checkpoint is for, in the user's own words."""

from dataclasses import dataclass
from datetime import datetime

from compact_guard.hook.selection import RULES
from compact_guard.replay.answer import Answer
from compact_guard.replay.rows import Boundary, Statement

_CHARS_MAX = 400  # longer ones are pastes: nobody reads them in a list


@dataclass(frozen=True)
class Example:
    """One statement, and the compaction whose summary no longer held it."""

    compacted_at: datetime | None
    agent: str
    statement: Statement


def choose(answer: Answer, number: int) -> list[Example]:
    """The surest ones of the newest compactions, one of each before a second of any."""
    boundaries = [
        (file.agent or "", boundary)
        for file in answer.files
        for boundary in file.boundaries
        if not boundary.is_copy
    ]
    boundaries.sort(key=lambda pair: pair[1].at or datetime.min, reverse=True)
    rounds = [
        (place, Example(boundary.at, agent, statement))
        for agent, boundary in boundaries
        for place, statement in enumerate(_surest(boundary))
    ]
    rounds.sort(key=lambda pair: pair[0])
    chosen: dict[str, Example] = {}
    for _, example in rounds:
        if len(chosen) < number:
            chosen.setdefault(example.statement.text, example)
    return list(chosen.values())


def _surest(boundary: Boundary) -> list[Statement]:
    said = [
        statement
        for statement in boundary.lost or ()
        if statement.speaker == "user"
        and statement.rank in RULES
        and len(statement.text) <= _CHARS_MAX
    ]
    return sorted(said, key=lambda statement: (-statement.score, RULES.index(statement.rank)))

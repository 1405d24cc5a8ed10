"""The sessions that record.py lives through: mostly automatic compactions, as in real work."""

import itertools
from collections.abc import Callable, Iterator

from tests.agents.claude_code.conversation import Conversation, conversation
from tests.agents.claude_code.model_replies import FILL, SUMMARY_FAILS
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import (
    abort_one_manual_compaction,
    begin,
    compact_in_a_subagent,
)
from tests.agents.claude_code.terminal import terminal

BIRDS = ["herons", "cranes", "grebes", "storks", "terns", "plovers", "godwits"]
PLACES = ["reed belt", "north bank", "weir", "alder wood", "salt meadow"]
WORDS = [*BIRDS, *PLACES]

_sightings = itertools.cycle(itertools.product(PLACES, BIRDS))


def remarks() -> Iterator[str]:
    """Something worth keeping, each time something else: corrections, decisions, tasks, limits."""
    for place, bird in _sightings:
        yield f"We decided to count {bird} at the {place} at dawn, not at dusk: the light."
        yield f"No, that is wrong: the {bird} left the {place} in May, not in April."
        yield f"Never enter the {place} while the {bird} breed."
        yield f"Still to do: compare the {bird} of the {place} with last year's list."


_remarks = remarks()


def work_until_compacted(talk: Conversation, times: int) -> None:
    """Say new things until the context has filled up and been compacted so often."""
    for _ in range(times):
        talk.say(next(_remarks))
        talk.say(f"{next(_remarks)} Then fill the context.")
    talk.say(next(_remarks))


def a_day_with_three_automatic_compactions(sandbox: Sandbox) -> None:
    with conversation(sandbox) as talk:
        work_until_compacted(talk, times=3)


def a_long_day_with_eight_automatic_compactions(sandbox: Sandbox) -> None:
    with conversation(sandbox) as talk:
        work_until_compacted(talk, times=8)


def a_day_with_automatic_compactions_and_a_manual_one(sandbox: Sandbox) -> None:
    with conversation(sandbox) as talk:
        work_until_compacted(talk, times=1)
        talk.say("/compact keep the counts")
        work_until_compacted(talk, times=1)


def an_automatic_compaction_that_fails_before_one_that_does_not(sandbox: Sandbox) -> None:
    with conversation(sandbox) as talk:
        work_until_compacted(talk, times=1)
        talk.say("Now fill the context")
        sandbox.rules(SUMMARY_FAILS, FILL)
        talk.say(f"{next(_remarks)} Then fill the context.")
        sandbox.rules(FILL)
        talk.say(next(_remarks))


def a_manual_compaction_that_fails(sandbox: Sandbox) -> None:
    abort_one_manual_compaction(sandbox)


def a_compaction_of_a_subagent(sandbox: Sandbox) -> None:
    compact_in_a_subagent(sandbox)


def a_session_resumed_by_several_processes(sandbox: Sandbox) -> None:
    begin(sandbox, next(_remarks), "Now fill the context", next(_remarks), next(_remarks))


def a_session_in_the_terminal(sandbox: Sandbox) -> None:
    with terminal(sandbox) as window:
        window.type("Hello there")
        window.wait_for("Hello there.*Canned reply")
        window.type("Now fill the context")
        window.wait_for("Filled")
        window.type("Never enter the weir")
        window.wait_for("enter the weir.*Canned reply")
        window.leave()


PLAN: list[Callable[[Sandbox], None]] = [
    *[a_day_with_three_automatic_compactions] * 20,
    *[a_day_with_automatic_compactions_and_a_manual_one] * 4,
    *[an_automatic_compaction_that_fails_before_one_that_does_not] * 3,
    *[a_manual_compaction_that_fails] * 2,
    a_compaction_of_a_subagent,
    a_long_day_with_eight_automatic_compactions,
    a_session_resumed_by_several_processes,
    a_session_in_the_terminal,
]

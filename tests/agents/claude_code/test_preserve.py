"""`--preserve` asks the native summary for rejected alternatives, and takes no typed word away."""

from collections.abc import Callable

import pytest

from compact_guard.hook import preserve
from tests.agents import needs
from tests.agents.claude_code.checks import (
    assert_each_checkpoint_reaches_the_model_once,
    spans,
)
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import Request, outcomes, requests
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import CORRECTION, DECISION, compact_in_a_subagent

pytestmark = pytest.mark.agents

TYPED = "keep the names of the birds"
HEAD = "Additional Instructions:\n"


def asked_for(summary: Request) -> str:
    """What was added to the agent's own request for a summary, and what follows it.

    Before it may stand what an earlier /compact printed, which is part of the conversation.
    """
    added = summary.last_user_text.rpartition(HEAD)[2]
    assert added.count(preserve.TEXT) == 1
    return added


@pytest.mark.parametrize("agent", needs.CLAUDE_CODES, ids=lambda agent: agent.version)
def test_what_was_typed_stays_and_comes_first_and_each_is_asked_for_once(
    of_version: Callable[[needs.Agent], Sandbox], agent: needs.Agent
):
    sandbox = of_version(agent)
    sandbox.install_guard("--preserve")
    with conversation(sandbox) as talk:
        talk.say(DECISION)
        talk.say(CORRECTION)
        talk.say(f"/compact {TYPED}")
        talk.say("What now?")
        talk.say("/compact")
        talk.say("And now?")
        talk.say("Please fill the context")
        talk.say("And then?")

    typed, untyped, automatic = (asked_for(span.summary) for span in spans(sandbox))
    assert typed.startswith(f"{TYPED}\n\n{preserve.TEXT}\n")
    assert spans(sandbox)[0].summary.text.count(TYPED) == 1
    assert spans(sandbox)[0].summary.text.count(preserve.TEXT) == 1
    assert untyped.startswith(f"{preserve.TEXT}\n")
    assert automatic.startswith(f"{preserve.TEXT}\n")
    assert TYPED not in untyped + automatic
    assert_each_checkpoint_reaches_the_model_once(sandbox, DECISION)


def test_it_is_asked_for_when_nothing_can_be_saved(bare: Sandbox):
    bare.install_guard("--preserve")
    (bare.guard_home / "checkpoints").rmdir()
    (bare.guard_home / "checkpoints").write_text("")
    with conversation(bare) as talk:
        talk.say(DECISION)
        talk.say(f"/compact {TYPED}")
        talk.say("What now?")

    assert outcomes(bare)[0].startswith("pre_compact failed")
    (span,) = spans(bare)
    assert asked_for(span.summary).startswith(f"{TYPED}\n\n{preserve.TEXT}\n")


def test_a_subagents_summary_is_left_alone(bare: Sandbox):
    bare.install_guard("--preserve")
    compact_in_a_subagent(bare)

    assert any(request.is_subagent and request.kind == "summary" for request in requests(bare))
    assert not any(preserve.TEXT in request.text for request in requests(bare))

"""A checkpoint reaches the model after each kind of compaction: once, whole, and at once."""

import pytest

from tests.agents.claude_code.checks import (
    assert_audit_log_is_sound,
    assert_each_checkpoint_reaches_the_model_once,
    assert_private,
    assert_summaries_were_asked_for_without_us,
    assert_transcript_records,
    saved_hashes,
    spans,
)
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import only_transcript, outcomes
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import CORRECTION, DECISION, TASK, begin
from tests.agents.claude_code.terminal import terminal

pytestmark = pytest.mark.agents

ONE_COMPACTION = ["pre_compact saved", "session_start injected", "post_compact recorded"]


def assert_all_is_well(sandbox: Sandbox, triggers: list[str], *words: str) -> None:
    """Every witness agrees that each compaction delivered its own checkpoint, with the words."""
    transcript = only_transcript(sandbox)
    assert [boundary.trigger for boundary in transcript.boundaries()] == triggers
    assert outcomes(sandbox) == ONE_COMPACTION * len(triggers)
    assert_each_checkpoint_reaches_the_model_once(sandbox, *words)
    assert_summaries_were_asked_for_without_us(sandbox)
    assert_transcript_records(transcript, saved_hashes(sandbox), *words)
    assert_audit_log_is_sound(sandbox, transcript)
    assert_private(sandbox.guard_home)


@pytest.mark.parametrize("typed", ["", "keep the names of the birds"])
def test_a_manual_compaction_in_print_mode(guarded: Sandbox, typed: str):
    begin(guarded, DECISION, CORRECTION, f"/compact {typed}".rstrip(), "What now?")

    assert_all_is_well(guarded, ["manual"], DECISION, CORRECTION)
    assert typed in spans(guarded)[0].summary.last_user_text


def test_an_automatic_compaction_in_print_mode(guarded: Sandbox):
    begin(guarded, DECISION, TASK, "Please fill the context", "What now?", "And then?")

    assert_all_is_well(guarded, ["auto"], DECISION, TASK)


def test_several_compactions_of_one_session_carry_the_first_words_on(guarded: Sandbox):
    with conversation(guarded) as talk:
        talk.say(DECISION)
        talk.say("Please fill the context")
        talk.say("Answer this and fill the context")
        talk.say("Answer that and fill the context")
        talk.say("An easy one, no compaction before the next")
        talk.say("/compact keep the numbers")
        talk.say("Please fill the context again")
        talk.say("What now?")

    assert_all_is_well(guarded, ["auto", "auto", "auto", "manual", "auto"], DECISION)


def test_a_manual_compaction_in_the_terminal(guarded: Sandbox):
    with terminal(guarded) as window:
        window.type(DECISION)
        window.wait_for("whole cents.*Canned reply")
        window.type("/compact keep the numbers")
        window.wait_for("Compacted")
        window.type("What now?")
        window.wait_for("What now.*Canned reply")
        window.leave()

    assert_all_is_well(guarded, ["manual"], DECISION)
    assert "keep the numbers" in spans(guarded)[0].summary.last_user_text


def test_an_automatic_compaction_in_the_terminal(guarded: Sandbox):
    with terminal(guarded) as window:
        window.type(DECISION)
        window.wait_for("whole cents.*Canned reply")
        window.type("Please fill the context")
        window.wait_for("Filled")
        window.type("What now?")
        window.wait_for("What now.*Canned reply")
        window.leave()

    assert_all_is_well(guarded, ["auto"], DECISION)


def test_a_checkpoint_as_long_as_it_may_get_arrives_whole(guarded: Sandbox):
    """Emoji count twice in Claude Code's limit (test_hook_output_limit.py)."""
    with conversation(guarded) as talk:
        talk.say(DECISION)
        for number in range(40):
            talk.say(f"Decision {number}: we chose 🦩 {'🪶' * 300} over 🦢, because of {number}.")
        talk.say("/compact")
        talk.say("What now?")

    assert_all_is_well(guarded, ["manual"])

"""Where no compaction of the main session finished, nothing is given to it."""

import pytest

from tests.agents.claude_code.checks import (
    assert_audit_log_is_sound,
    assert_pairs,
    saved_hashes,
)
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import (
    audit_rows,
    only_transcript,
    outcomes,
    requests,
    session_hash,
)
from tests.agents.claude_code.model_replies import FILL, SUMMARY_FAILS, SUMMARY_TAKES_LONG
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import (
    DECISION,
    abort_one_manual_compaction,
    compact_in_a_subagent,
)
from tests.agents.claude_code.terminal import terminal
from tests.agents.sandbox import wait_until

pytestmark = pytest.mark.agents


def assert_nothing_of_ours_reached_the_model(sandbox: Sandbox) -> None:
    for request in requests(sandbox):
        assert "compact-guard" not in request.text
        for row in audit_rows(sandbox):
            assert row["checkpoint_hash"] is None or row["checkpoint_hash"] not in request.text


def test_a_manual_compaction_that_failed_delivers_nothing(guarded: Sandbox):
    abort_one_manual_compaction(guarded)

    transcript = only_transcript(guarded)
    assert transcript.boundaries() == []
    assert outcomes(guarded) == ["pre_compact saved"]
    assert_nothing_of_ours_reached_the_model(guarded)
    assert_audit_log_is_sound(guarded, transcript)


def test_after_failed_automatic_ones_the_next_to_finish_delivers_its_own(guarded: Sandbox):
    guarded.rules(SUMMARY_FAILS, FILL)
    with conversation(guarded) as talk:
        talk.say(DECISION)
        talk.say("Please fill the context")
        talk.say("This turn goes on uncompacted, fill the context")
        assert_nothing_of_ours_reached_the_model(guarded)
        guarded.rules(FILL)
        talk.say("Now it succeeds")

    assert outcomes(guarded) == [
        "pre_compact saved",
        "pre_compact saved",
        "session_start injected",
        "post_compact recorded",
    ]
    (boundary,) = only_transcript(guarded).boundaries()
    assert boundary.trigger == "auto"
    failed, finished = saved_hashes(guarded)
    assert requests(guarded)[-1].text.count(finished) == 1
    assert failed not in requests(guarded)[-1].text
    assert_audit_log_is_sound(guarded, only_transcript(guarded))


def test_escape_while_the_summary_is_written_delivers_nothing(guarded: Sandbox):
    with terminal(guarded) as window:
        window.type(DECISION)
        window.wait_for("whole cents.*Canned reply")
        guarded.rules(SUMMARY_TAKES_LONG)
        window.type("/compact")
        wait_until(lambda: requests(guarded)[-1].kind == "summary", "request for a summary")
        window.key("Escape")
        guarded.rules(FILL)
        window.wait_for(r"❯\s/compact\s+<optional")  # Claude Code puts the command back
        window.key("C-u")
        window.type("A turn after the abort")
        window.wait_for("after the abort.*Canned reply")
        window.leave()

    assert outcomes(guarded) == ["pre_compact saved"]
    assert_nothing_of_ours_reached_the_model(guarded)


def test_a_subagents_compaction_saves_and_delivers_nothing(guarded: Sandbox):
    session = compact_in_a_subagent(guarded)

    assert any(request.is_subagent and request.kind == "summary" for request in requests(guarded))
    assert only_transcript(guarded).boundaries() == []
    rows = audit_rows(guarded)
    assert {row["outcome"] for row in rows} == {"skipped"}
    assert {row["event"] for row in rows} == {"pre_compact", "session_start", "post_compact"}
    assert all(row["subagent"] and row["reason"] == "subagent" for row in rows)
    assert {row["session_hash"] for row in rows} == {session_hash(session)}
    assert_nothing_of_ours_reached_the_model(guarded)
    assert not list(guarded.guard_home.glob("checkpoints/*/*"))


def test_a_compaction_that_the_agent_gives_up_delivers_nothing(guarded: Sandbox):
    """Claude Code does not compact a session of a single turn, but runs PreCompact first."""
    with conversation(guarded) as talk:
        talk.say(f"{DECISION} Then fill the context.")
        talk.say("What now?")

    assert only_transcript(guarded).boundaries() == []
    assert outcomes(guarded) == ["pre_compact saved"]
    assert_nothing_of_ours_reached_the_model(guarded)


def test_two_sessions_at_once_in_one_project_each_get_their_own(guarded: Sandbox):
    with conversation(guarded) as first, conversation(guarded) as second:
        first.say("We decided: the first session paints it red, because red is seen.")
        second.say("We decided: the second session paints it blue, because blue is calm.")
        first.say("/compact")
        second.say("/compact")
        first.say("What of the first?")
        second.say("What of the second?")

    about_first, about_second = requests(guarded)[-2:]
    assert "paints it red" in about_first.text
    assert "paints it blue" not in about_first.text
    assert "paints it blue" in about_second.text
    assert "paints it red" not in about_second.text
    assert_pairs(audit_rows(guarded))

"""Compactions as they come about in real work: mid-turn, refused, forked, beside other hooks."""

import json

import pytest

from tests.agents.claude_code.checks import (
    assert_audit_log_is_sound,
    assert_each_checkpoint_reaches_the_model_once,
    assert_pairs,
    saved_hashes,
    spans,
)
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import (
    audit_rows,
    only_transcript,
    outcomes,
    requests,
    transcripts,
)
from tests.agents.claude_code.model_replies import FILL, NEARLY_FULL, calls, fails
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import DECISION, TASK, begin

pytestmark = pytest.mark.agents

ONE_COMPACTION = ["pre_compact saved", "session_start injected", "post_compact recorded"]


def test_a_compaction_in_the_middle_of_a_turn_is_given_its_checkpoint_at_once(guarded: Sandbox):
    notes = guarded.project / "notes.txt"
    notes.write_text("herons: 12\n")
    read = calls("Read", NEARLY_FULL, file_path=str(notes))
    guarded.rules({"match": "read the notes", "once": True, "reply": read})
    with conversation(guarded, "--allowedTools", "Read") as talk:
        talk.say(DECISION)
        talk.say("Please read the notes")

    assert outcomes(guarded) == ONE_COMPACTION
    assert len(spans(guarded)[0].turns) == 1
    assert_each_checkpoint_reaches_the_model_once(guarded, DECISION)
    assert_audit_log_is_sound(guarded, only_transcript(guarded))


def test_a_compaction_because_the_model_refused_the_prompt(guarded: Sandbox):
    too_long = fails(400, "prompt is too long: 213462 tokens > 200000 maximum")
    guarded.rules({"kind": "turn", "match": "What now", "once": True, "reply": too_long})
    with conversation(guarded) as talk:
        talk.say(DECISION)
        talk.say(TASK)
        talk.say("What now?")

    assert outcomes(guarded) == ONE_COMPACTION
    assert_each_checkpoint_reaches_the_model_once(guarded, DECISION)
    assert_audit_log_is_sound(guarded, only_transcript(guarded))


def test_a_fork_and_its_origin_are_each_given_their_own(guarded: Sandbox):
    origin = begin(guarded, DECISION, "/compact", "What now?")
    with conversation(guarded, "--resume", origin, "--fork-session") as fork:
        fork.say("We decided in the fork: count at dawn, because the light is good.")
        fork.say("/compact")
        fork.say("What in the fork?")
    assert fork.session_id != origin
    for prompt in ("/compact", "What in the origin?"):
        guarded.ask(prompt, "--resume", origin)

    assert outcomes(guarded) == ONE_COMPACTION * 3
    assert len(transcripts(guarded)) == 2
    assert_each_checkpoint_reaches_the_model_once(guarded)
    _, in_fork, in_origin = spans(guarded)
    assert "count at dawn" in in_fork.turns[0].text
    assert "count at dawn" not in in_origin.turns[0].text
    assert DECISION in in_origin.turns[0].text


def test_the_users_own_hooks_go_on_beside_ours(bare: Sandbox):
    settings = bare.config / "settings.json"
    theirs = {
        event: [{"hooks": [{"type": "command", "command": f"echo THEIR-{event}"}]}]
        for event in ("PreCompact", "SessionStart")
    }
    settings.write_text(json.dumps({"model": "claude-opus-5-5", "hooks": theirs}))
    bare.install_guard()
    bare.rules(FILL)
    with conversation(bare) as talk:
        talk.say(DECISION)
        talk.say("/compact keep the numbers")
        talk.say("What now?")

    assert_pairs(audit_rows(bare))
    (span,) = spans(bare)
    assert "keep the numbers" in span.summary.last_user_text
    assert "THEIR-PreCompact" in span.summary.last_user_text
    assert "THEIR-SessionStart" in span.turns[0].text
    assert saved_hashes(bare)[0] in span.turns[0].text
    assert DECISION in requests(bare)[-1].text

"""The guard in the user's and in the project's settings, under different commands: both run."""

import json
from collections import Counter

import pytest

from compact_guard.hook import preserve
from tests.agents.claude_code.checks import (
    spans,
    validate,
)
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import audit_rows, only_transcript, outcomes
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import CORRECTION, DECISION, evaluate

pytestmark = pytest.mark.agents


def register_in_the_project_too(sandbox: Sandbox) -> None:
    """Claude Code runs a command once that stands in two files; these differ in their order."""
    ours = json.loads((sandbox.config / "settings.json").read_text())
    other = json.dumps(ours).replace(" -I -S ", " -S -I ")
    assert other != json.dumps(ours)
    settings = sandbox.project / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(other)


def test_each_compaction_is_saved_once_asked_for_once_and_given_back_once(bare: Sandbox):
    bare.install_guard("--preserve", "--notice")
    register_in_the_project_too(bare)
    with conversation(bare) as talk:
        talk.say(DECISION)
        talk.say(CORRECTION)
        talk.say("/compact")
        talk.say("What now?")
        talk.say("Please fill the context")
        talk.say("And then?")

    assert Counter(outcomes(bare)) == {
        "pre_compact saved": 2,
        "pre_compact skipped": 2,
        "session_start injected": 2,
        "session_start already_used": 2,
        "post_compact recorded": 4,
    }
    for row in audit_rows(bare):
        validate(row)
    hashes = [row["checkpoint_hash"] for row in audit_rows(bare) if row["outcome"] == "saved"]
    for own, span in zip(hashes, spans(bare), strict=True):
        assert span.summary.last_user_text.count(preserve.TEXT) == 1
        assert span.turns[0].text.count(own) == 1
    shown = only_transcript(bare).attachments("hook_system_message")
    assert len(shown) == 2

    everything = ("--transcripts", bare.config / "projects")
    (interface,) = evaluate(bare, "--rehearse", *everything)["interfaces"]
    assert {name: count for name, count in interface["outcomes"].items() if count} == {
        "injected": 2
    }
    assert interface["coverage"] == 1
    doctor = bare.compact_guard("doctor", "claude-code", "--project", bare.project)
    assert "has the hooks too" in doctor.stdout

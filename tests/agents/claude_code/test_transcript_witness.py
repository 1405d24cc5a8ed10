"""With the agent's own transcripts at hand, `compact-guard evaluate` need not take our word."""

import pytest

from tests.agents.claude_code.checks import saved_hashes
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import only_transcript, transcripts
from tests.agents.claude_code.model_replies import Json
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import (
    DECISION,
    abort_one_manual_compaction,
    begin,
    compact_automatically,
    compact_in_a_subagent,
    evaluate,
)
from tests.agents.claude_code.terminal import terminal

pytestmark = pytest.mark.agents

HOOK_ATTACHMENTS = (b'"type":"hook_success"', b'"type":"hook_additional_context"')


def witnessed(sandbox: Sandbox) -> Json:
    """The one interface's evidence, transcripts included."""
    everything = ("--transcripts", sandbox.config / "projects")
    (interface,) = evaluate(sandbox, "--rehearse", *everything)["interfaces"]
    assert interface["witnessed"]
    return interface


def happened(interface: Json) -> dict[str, int]:
    """The outcomes that were counted at least once."""
    return {outcome: count for outcome, count in interface["outcomes"].items() if count}


def test_the_transcripts_say_what_the_log_says(guarded: Sandbox):
    compact_automatically(guarded, times=3)
    compact_automatically(guarded)
    abort_one_manual_compaction(guarded)
    compact_in_a_subagent(guarded)

    interface = witnessed(guarded)
    assert happened(interface) == {"injected": 4, "aborted": 1}
    assert {each["evidence"] for each in interface["compactions"]} == {"transcript"}
    assert interface["witnessed_compactions"] == 5


def test_a_session_in_the_terminal_is_witnessed(guarded: Sandbox):
    with terminal(guarded) as window:
        window.type(DECISION)
        window.wait_for("whole cents.*Canned reply")
        window.type("/compact")
        window.wait_for("Compacted")
        window.type("What now?")
        window.wait_for("What now.*Canned reply")
        window.leave()

    assert happened(witnessed(guarded)) == {"injected": 1}


def test_a_compaction_without_any_hook_is_seen_in_the_transcript(guarded: Sandbox):
    compact_automatically(guarded)
    (guarded.config / "settings.json").unlink()
    compact_automatically(guarded)

    assert happened(witnessed(guarded)) == {"injected": 1, "uncovered": 1}


def test_a_text_that_did_not_arrive_is_missed_whatever_our_row_says(guarded: Sandbox):
    """As if the agent had thrown the hook's output away: its attachments are taken out.

    Other rows still hold the text (the agent also records its requests): they prove nothing.
    """
    compact_automatically(guarded)
    transcript = only_transcript(guarded)
    (checkpoint,) = saved_hashes(guarded)
    lines = transcript.content.splitlines(keepends=True)
    kept = [line for line in lines if not any(mark in line for mark in HOOK_ATTACHMENTS)]
    transcript.path.write_bytes(b"".join(kept))

    assert len(lines) - len(kept) == 2
    assert checkpoint.encode() in b"".join(kept)
    interface = witnessed(guarded)
    assert happened(interface) == {"missed": 1}
    assert [each["evidence"] for each in interface["compactions"]] == ["transcript"]


def test_the_boundary_that_a_fork_copies_counts_once(guarded: Sandbox):
    origin = begin(guarded, DECISION, "/compact", "What now?")
    with conversation(guarded, "--resume", origin, "--fork-session") as fork:
        fork.say("We decided in the fork: count at dawn, because the light is good.")
        fork.say("/compact")
        fork.say("What in the fork?")

    assert len(transcripts(guarded)) == 2
    assert happened(witnessed(guarded)) == {"injected": 2}


def test_a_fork_is_witnessed_by_its_own_file_when_its_parents_is_gone(guarded: Sandbox):
    """Its file begins with the parent's newest boundary, unmarked: neither a slice nor its own."""
    origin = begin(guarded, DECISION, "/compact", "What now?")
    with conversation(guarded, "--resume", origin, "--fork-session") as fork:
        fork.say("We decided in the fork: count at dawn, because the light is good.")
        fork.say("/compact")
        fork.say("What in the fork?")
    of_origin, of_fork = transcripts(guarded)
    of_origin.path.unlink()

    assert [boundary.trigger for boundary in of_fork.boundaries()] == ["manual", "manual"]
    interface = witnessed(guarded)
    assert happened(interface) == {"injected": 2}
    assert [each["evidence"] for each in interface["compactions"]] == [
        "session_start",
        "transcript",
    ]


def test_the_boundary_that_a_branch_copies_is_nobodys_when_its_parents_file_is_gone(
    guarded: Sandbox,
):
    with terminal(guarded) as window:
        window.type(DECISION)
        window.wait_for("whole cents.*Canned reply")
        window.type("/compact")
        window.wait_for("Compacted")
        window.type("What now?")
        window.wait_for("What now.*Canned reply")
        window.type("/branch")
        window.wait_for("Branched session")
        window.type("What in the branch?")
        window.wait_for("What in the branch.*Canned reply")
        window.leave()
    of_origin, of_branch = transcripts(guarded)
    of_origin.path.unlink()

    assert [boundary.trigger for boundary in of_branch.boundaries()] == ["manual"]
    everything = ("--transcripts", guarded.config / "projects")
    (interface,) = evaluate(guarded, "--rehearse", *everything)["interfaces"]
    assert happened(interface) == {"injected": 1}

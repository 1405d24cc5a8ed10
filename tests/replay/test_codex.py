"""Codex: both kinds of rollout, both kinds of summary, and how a compaction was triggered."""

import pytest

from tests.hook.codex import Rollout
from tests.replay.conftest import CONSTRAINT, CORRECTION, boundaries, lost, replayed

IN_CLEAR = "Another language model started to solve this problem. Birds were counted."


def compacted(rollout, message=IN_CLEAR, **payload):
    """The record with the summary of a local compaction."""
    return rollout.line("compacted", message=message, **payload)


def kept(*texts: str) -> list[dict]:
    """A replacement history that holds these messages."""
    return [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
        for text in texts
    ]


@pytest.mark.parametrize("mode", ["legacy", "paginated"])
def test_what_the_new_context_holds_in_clear_is_not_lost(tmp_path, mode):
    rollout = Rollout(tmp_path / "rollout-t1.jsonl", history_mode=mode)
    rollout.event("task_started").prompt(CORRECTION).prompt(CONSTRAINT).reply("Yes.")
    compacted(rollout, replacement_history=kept(CONSTRAINT))

    [found] = boundaries(rollout)

    assert (found.outcome, found.trigger) == ("saved", "auto")
    assert lost(found) == {CORRECTION, "Yes."}


def test_without_a_replacement_history_the_hooks_guess_counts(rollout):
    rollout.event("task_started").prompt(CORRECTION).reply("Kingfishers it is.")

    [found] = boundaries(compacted(rollout))

    assert lost(found) == {"Kingfishers it is."}


def test_of_an_encrypted_summary_nobody_can_tell(rollout):
    encrypted = {"type": "compaction", "encrypted_content": "gAAAAB"}
    rollout.prompt(CORRECTION).boundary(replacement_history=[*kept(CORRECTION), encrypted])

    [found] = boundaries(rollout)

    assert found.held["corrections"] == 1
    assert found.lost is None


def test_a_compaction_in_a_turn_that_somebody_asked_for_is_automatic(rollout):
    rollout.event("task_started").prompt(CORRECTION).worked()
    compacted(rollout).worked()
    compacted(rollout)

    assert [found.trigger for found in boundaries(rollout)] == ["auto", "auto"]


def test_a_turn_without_a_prompt_is_a_typed_compaction(rollout):
    rollout.event("task_started").prompt(CORRECTION).event("task_complete")
    rollout.event("task_started")
    compacted(rollout).event("task_complete")

    assert [found.trigger for found in boundaries(rollout)] == ["manual"]


def test_a_turn_over_the_limit_is_compacted_before_its_prompt(rollout):
    rollout.event("task_started").prompt(CORRECTION).event("task_complete")
    rollout.event("task_started")
    compacted(rollout).prompt(CONSTRAINT)

    assert [found.trigger for found in boundaries(rollout)] == ["auto"]


@pytest.mark.parametrize("ending", ["turn_aborted", None])
def test_where_turns_are_not_marked_the_trigger_is_unknown(rollout, ending):
    rollout.prompt(CORRECTION)
    if ending:
        rollout.event(ending)

    assert [found.trigger for found in boundaries(compacted(rollout))] == [None]


@pytest.mark.parametrize(
    "session",
    [
        {"thread_source": "subagent"},
        {"source": {"subagent": {"thread_spawn": {}}}},
        {"parent_thread_id": "t0", "thread_source": None},
    ],
)
def test_a_subagents_rollout_takes_no_part(tmp_path, session):
    rollout = Rollout(tmp_path / "rollout-t2.jsonl", **session)

    assert replayed(compacted(rollout.prompt(CORRECTION))).skipped == "subagent"


def test_the_session_is_what_the_first_line_says(rollout):
    rollout.line("session_meta", id="t0", cwd="/elsewhere")

    origin = replayed(rollout).origin

    assert (origin.session_id, origin.agent_version, origin.project) == ("t1", "0.171.0", None)

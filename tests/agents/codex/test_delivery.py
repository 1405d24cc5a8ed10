"""A checkpoint reaches the model after each kind of compaction: once, whole, as early as it can."""

from collections import Counter

import pytest

from tests.agents.codex.checks import (
    assert_audit_log_is_sound,
    assert_each_checkpoint_reaches_the_model_at_once,
    assert_rollout_records,
    begun,
    hashes_in,
    saved_hashes,
)
from tests.agents.codex.conversation import conversation
from tests.agents.codex.evidence import audit_rows, main_rollout, outcomes, requests
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import DECISION, asks, works

pytestmark = pytest.mark.agents

FINISHED = ["pre_compact saved", "post_compact recorded"]


@pytest.mark.parametrize("compactions", [1, 3])
def test_automatic_compactions_within_a_turn_deliver_at_once(guarded: Sandbox, compactions: int):
    assert guarded.exec(works("A", compactions)).returncode == 0

    assert outcomes(guarded) == [*FINISHED, "session_start injected"] * compactions
    assert {(row["trigger"], row["delivery"]) for row in begun(guarded)} == {("auto", "immediate")}
    assert {row["interface"] for row in audit_rows(guarded)} == {"codex/cli"}
    assert {row["agent_version"] for row in audit_rows(guarded)} == {"0.171.0"}
    assert len(main_rollout(guarded).boundaries()) == compactions
    assert_each_checkpoint_reaches_the_model_at_once(guarded, DECISION)
    assert_rollout_records(guarded, *saved_hashes(guarded))
    assert_audit_log_is_sound(guarded)


def test_two_manual_compactions_deliver_the_newest_with_the_next_prompt(guarded: Sandbox):
    """Codex queues one restart for each, and runs the hook for both."""
    with conversation(guarded) as talk:
        talk.begin()
        talk.say(f"{DECISION} [[plan id=A]]")
        assert talk.compact() == talk.compact() == "completed"
        talk.say(asks("B"))

    first, second = saved_hashes(guarded)
    assert outcomes(guarded) == [
        *FINISHED * 2,
        "session_start injected",
        "session_start already_used",
    ]
    assert {(row["trigger"], row["delivery"]) for row in begun(guarded)} == {
        ("manual", "next_turn")
    }
    assert {row["interface"] for row in audit_rows(guarded)} == {"codex/desktop"}
    assert hashes_in(requests(guarded)[-1], [first, second]) == Counter([second])
    assert DECISION in requests(guarded)[-1].text.partition(second)[2]
    assert_rollout_records(guarded, second)
    assert_audit_log_is_sound(guarded)


def test_what_a_manual_compaction_lost_with_its_process_is_delivered_at_resume(guarded: Sandbox):
    with conversation(guarded) as talk:
        talk.begin()
        talk.say(f"{DECISION} [[plan id=A]]")
        talk.compact()
    guarded.resume(asks("B"))
    guarded.resume(asks("C"))

    (own,) = saved_hashes(guarded)
    assert outcomes(guarded) == [*FINISHED, "session_start injected"]
    assert audit_rows(guarded)[-1]["source"] == "resume"
    resumed = requests(guarded)[-2:]
    assert [hashes_in(request, [own]) for request in resumed] == [Counter([own])] * 2
    assert_rollout_records(guarded, own)
    assert_audit_log_is_sound(guarded)


def test_a_session_resumed_over_its_limit_gets_one_copy(guarded: Sandbox):
    """Both hooks run then: SessionStart for the resume and for the compaction."""
    guarded.exec(f"{DECISION} [[plan id=A calls=2 step=25000]]")
    guarded.resume(asks("B"))

    (own,) = saved_hashes(guarded)
    assert outcomes(guarded) == [*FINISHED, "session_start injected", "session_start already_used"]
    assert hashes_in(requests(guarded)[-1], [own]) == Counter([own])
    assert_audit_log_is_sound(guarded)


def test_a_queue_of_the_older_version_delivers_one_copy(guarded_older: Sandbox):
    with conversation(guarded_older) as talk:
        talk.begin()
        talk.say(works("A", 1))
        talk.compact()
        talk.compact()
        talk.say(asks("B"))

    hashes = saved_hashes(guarded_older)
    assert outcomes(guarded_older) == [
        *FINISHED * 3,
        "session_start injected",
        *["session_start already_used"] * 2,
    ]
    assert [row["trigger"] for row in begun(guarded_older)] == ["auto", "manual", "manual"]
    assert {row["delivery"] for row in begun(guarded_older)} == {"next_turn"}
    assert {row["agent_version"] for row in audit_rows(guarded_older)} == {"0.144.6"}
    assert hashes_in(requests(guarded_older)[-1], hashes) == Counter([hashes[-1]])
    assert_audit_log_is_sound(guarded_older)


def test_what_the_older_version_never_asks_for_is_delivered_at_resume(guarded_older: Sandbox):
    """Its queue waits for a prompt that `codex exec` never gets."""
    guarded_older.exec(works("A", 3))
    assert outcomes(guarded_older) == FINISHED * 3
    guarded_older.resume(asks("B"))

    hashes = saved_hashes(guarded_older)
    assert outcomes(guarded_older) == [*FINISHED * 3, "session_start injected"]
    assert hashes_in(requests(guarded_older)[-1], hashes) == Counter([hashes[-1]])
    assert_audit_log_is_sound(guarded_older)

"""Where no compaction of the main session finished, nothing is given to it."""

from collections import Counter

import pytest

from tests.agents.codex.checks import (
    assert_audit_log_is_sound,
    assert_rollout_records,
    hashes_in,
    saved_hashes,
)
from tests.agents.codex.conversation import conversation
from tests.agents.codex.evidence import audit_rows, outcomes, requests, rollouts
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import DECISION, asks

pytestmark = pytest.mark.agents


def test_a_failed_compaction_delivers_nothing_now_or_at_a_resume(guarded: Sandbox):
    with conversation(guarded) as talk:
        talk.begin()
        talk.say(f"{DECISION} [[plan id=A compact=500]]")
        assert talk.compact() == "failed"
        talk.say(asks("B"))
    guarded.resume(asks("C"))

    assert outcomes(guarded) == ["pre_compact saved"]
    assert not any(hashes_in(each, saved_hashes(guarded)) for each in requests(guarded))
    assert_audit_log_is_sound(guarded)


def test_a_finished_compaction_is_delivered_although_a_failed_one_came_after_it(guarded: Sandbox):
    with conversation(guarded) as talk:
        talk.begin()
        talk.say(f"{DECISION} [[plan id=A compact=ok,500]]")
        talk.compact()
        assert talk.compact() == "failed"
        talk.say(asks("B"))

    finished, failed = saved_hashes(guarded)
    assert outcomes(guarded)[-1] == "session_start injected"
    assert hashes_in(requests(guarded)[-1], [finished, failed]) == Counter([finished])
    assert_rollout_records(guarded, finished)
    assert_audit_log_is_sound(guarded)


@pytest.mark.parametrize("version", ["guarded", "guarded_older"])
def test_a_subagents_compaction_saves_and_injects_nothing(
    version: str, request: pytest.FixtureRequest
):
    sandbox = request.getfixturevalue(version)
    spawns = "spawn=1 calls=1 command=sleep_3 childcalls=3 childstep=25000"
    assert sandbox.exec(f"{DECISION} [[plan id=A {spawns}]]").returncode == 0

    (child,) = (each for each in rollouts(sandbox) if each.is_subagent)
    assert len(child.boundaries()) == 1
    assert outcomes(sandbox) == ["pre_compact skipped", "post_compact skipped"]
    assert {(row["subagent"], row["reason"]) for row in audit_rows(sandbox)} == {(True, "subagent")}
    assert not any("[compact-guard]" in each.text for each in requests(sandbox))
    assert not list((sandbox.guard_home / "checkpoints").iterdir())

"""What the window study tells of a rollout's compactions on both versions: trigger, time, call."""

import time

import pytest

from compact_guard.window.scan import scan
from tests.agents.codex.conversation import conversation
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import asks, works

pytestmark = pytest.mark.agents


@pytest.fixture(params=["bare", "bare_older"])
def sandbox(request) -> Sandbox:
    return request.getfixturevalue(request.param)


def test_a_compaction_by_hand_is_told_from_those_that_codex_began_itself(sandbox):
    with conversation(sandbox) as talk:
        talk.begin()
        talk.say(works("A", 2))
        talk.compact()
        talk.say(asks("B"))
        talk.compact()
    [rollout] = sandbox.codex_home.glob("sessions/*/*/*/rollout-*.jsonl")

    boundaries = [event for event in scan(rollout).events if event.kind == "boundary"]

    assert [event.trigger for event in boundaries] == [None, None, "manual", "manual"]


@pytest.mark.parametrize(("bench", "evidence"), [("bare", "logged"), ("bare_older", "records")])
def test_how_long_a_compaction_took_is_told_and_which_call_was_its_own(bench, evidence, request):
    """The newer Codex logs it; of the older one the records around it tell."""
    sandbox = request.getfixturevalue(bench)
    with conversation(sandbox) as talk:
        talk.begin()
        began = time.monotonic()
        talk.say(works("A", 2))
        talk.compact()
        most = 1_000 * (time.monotonic() - began)
    [rollout] = sandbox.codex_home.glob("sessions/*/*/*/rollout-*.jsonl")

    events = scan(rollout).events
    boundaries = [event for event in events if event.kind == "boundary"]
    calls = [event.event_key for event in events if event.is_compaction_call]

    assert [event.duration_evidence for event in boundaries] == [evidence] * 3
    assert all(event.duration_ms > 0 for event in boundaries)
    assert sum(event.duration_ms for event in boundaries) < most
    assert [event.call_key for event in boundaries] == calls
    assert len(set(calls)) == 3

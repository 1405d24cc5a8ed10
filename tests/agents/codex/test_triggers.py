"""A rollout names no trigger: what the window study tells of it, on both versions."""

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

"""`compact-guard evaluate` counts what happened in real sessions as it happened."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.agents.codex.conversation import conversation
from tests.agents.codex.model_replies import Json
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import DECISION, asks, works

pytestmark = pytest.mark.agents


def judged(sandbox: Sandbox, *arguments: object) -> dict[str, Json]:
    """`compact-guard evaluate --rehearse` as of an hour later, when grace is over, by interface."""
    later = datetime.now(UTC) + timedelta(hours=1)
    done = sandbox.compact_guard(
        "evaluate",
        *("--audit", sandbox.guard_home / "audit"),
        *("--reports", sandbox.root / "reports"),
        *("--as-of", later.strftime("%Y-%m-%dT%H:%M:%SZ")),
        *("--rehearse", "--json"),
        *arguments,
    )
    assert done.stdout, done.stderr
    return {each["interface"]: each for each in json.loads(done.stdout)["interfaces"]}


def happened(interface: Json) -> dict[str, int]:
    """The outcomes that were counted at least once."""
    return {outcome: count for outcome, count in interface["outcomes"].items() if count}


def test_each_compaction_is_told_as_it_went_with_and_without_the_rollouts(guarded: Sandbox):
    assert guarded.exec(works("A", 3)).returncode == 0
    with conversation(guarded) as talk:
        talk.begin()
        talk.say(f"{DECISION} [[plan id=B compact=ok,ok,500]]")
        talk.compact()
        talk.compact()
        talk.say(f"{DECISION} [[plan id=B compact=ok,ok,500]]")
        talk.compact()
        talk.say(asks("C"))

    for witness in ((), ("--transcripts", guarded.codex_home / "sessions")):
        interfaces = judged(guarded, *witness)
        assert happened(interfaces["codex/cli"]) == {"injected": 3}
        # The first manual one gives way to the second, the third failed.
        assert happened(interfaces["codex/desktop"]) == {"injected": 1, "deferred": 1, "aborted": 1}
        assert {each["witnessed"] for each in interfaces.values()} == {bool(witness)}
        assert {each["orphan_injections"] for each in interfaces.values()} == {0}

"""`compact-guard evaluate` counts what happened in real sessions as it happened."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.agents.codex.conversation import conversation
from tests.agents.codex.evidence import outcomes
from tests.agents.codex.model_replies import Json
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import DECISION, asks, works

pytestmark = pytest.mark.agents

ONE_IDLE_COMPACTION = ["pre_compact saved", "post_compact recorded", "session_start injected"]


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


def compact_in_a_fork(sandbox: Sandbox) -> str:
    """A session that was compacted, and its fork, which is compacted too; the first one's id."""
    with conversation(sandbox) as talk:
        talk.begin()
        origin = talk.thread
        talk.say(DECISION)
        talk.compact()
        talk.say("What now?")
    with conversation(sandbox) as talk:
        talk.fork(origin)
        talk.say("In the fork")
        talk.compact()
        talk.say("And after it?")
    return origin


@pytest.mark.parametrize(("agent", "copies"), [("guarded", 0), ("guarded_older", 1)])
def test_a_boundary_that_a_fork_copies_is_nobodys_when_its_parents_file_is_gone(
    request, agent, copies
):
    """0.144.6 copies the parent's lines, 0.171 names the place in its file."""
    sandbox: Sandbox = request.getfixturevalue(agent)
    origin = compact_in_a_fork(sandbox)
    assert outcomes(sandbox) == ONE_IDLE_COMPACTION * 2
    rollouts = list((sandbox.codex_home / "sessions").rglob("*.jsonl"))
    [of_origin] = [file for file in rollouts if origin in file.name]
    [of_fork] = [file for file in rollouts if file != of_origin]
    of_origin.unlink()

    assert of_fork.read_text().count('"type":"compacted"') == 1 + copies
    (interface,) = judged(sandbox, "--transcripts", sandbox.codex_home / "sessions").values()
    assert happened(interface) == {"injected": 2}
    found = sorted(each["evidence"] for each in interface["compactions"])
    assert found == ["session_start", "transcript"]

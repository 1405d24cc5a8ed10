"""`compact-guard evaluate` counts what happened in real sessions as it happened."""

import json

import pytest

from tests.agents.claude_code.evidence import only_transcript, outcomes
from tests.agents.claude_code.model_replies import Json
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import (
    abort_one_manual_compaction,
    compact_automatically,
    compact_in_a_subagent,
    evaluate,
)

pytestmark = pytest.mark.agents

DELIVERED = ["pre_compact saved", "session_start injected", "post_compact recorded"]


def judged(sandbox: Sandbox) -> Json:
    (interface,) = evaluate(sandbox, "--rehearse")["interfaces"]
    return interface


def happened(interface: Json) -> dict[str, int]:
    """The outcomes that were counted at least once."""
    return {outcome: count for outcome, count in interface["outcomes"].items() if count}


def unregister(sandbox: Sandbox, event: str) -> None:
    """An agent that does not dispatch one of the hooks, as some versions did not."""
    path = sandbox.config / "settings.json"
    settings = json.loads(path.read_text())
    del settings["hooks"][event]
    path.write_text(json.dumps(settings))


def test_injected_and_aborted_compactions_are_told_apart(guarded: Sandbox):
    compact_automatically(guarded, times=3)
    compact_automatically(guarded)
    abort_one_manual_compaction(guarded)
    compact_in_a_subagent(guarded)

    interface = judged(guarded)
    assert happened(interface) == {"injected": 4, "aborted": 1}
    assert interface["interface"] == "claude-code/gateway"
    assert interface["verdict"] == "OBSERVE"
    assert interface["natural_events"] == 4 * 3 + 1
    assert interface["eligible_counted"] == 4
    assert interface["orphan_injections"] == 0


def test_without_rehearsal_none_of_it_counts(guarded: Sandbox):
    compact_automatically(guarded, times=2)

    (interface,) = evaluate(guarded)["interfaces"]

    assert interface["eligible_counted"] == interface["natural_events"] == 0
    assert interface["synthetic_events"] == 2 * 3
    assert interface["synthetic_outcomes"]["injected"] == 2


def test_an_agent_that_does_not_run_pre_compact_leaves_a_compaction_uncovered(guarded: Sandbox):
    compact_automatically(guarded)
    unregister(guarded, "PreCompact")
    compact_automatically(guarded)

    assert outcomes(guarded) == [*DELIVERED, "session_start none", "post_compact recorded"]
    assert happened(judged(guarded)) == {"injected": 1, "uncovered": 1}


def test_an_agent_that_does_not_run_session_start_misses_a_checkpoint(guarded: Sandbox):
    unregister(guarded, "SessionStart")
    compact_automatically(guarded, times=2)

    assert outcomes(guarded) == ["pre_compact saved", "post_compact recorded"] * 2
    # Only the first is seen to have gone on without; nothing of the session follows the second.
    assert happened(judged(guarded)) == {"missed": 1, "deferred": 1}


def test_hooks_of_the_user_and_of_the_project_deliver_one_copy(guarded: Sandbox):
    """Claude Code runs a command once that both settings name."""
    doubled = guarded.compact_guard("install", "claude-code", "--project", guarded.project, "--yes")
    assert doubled.returncode == 0, doubled.stderr
    compact_automatically(guarded, times=2)

    assert outcomes(guarded) == DELIVERED * 2
    assert len(only_transcript(guarded).delivered_texts()) == 2
    assert happened(judged(guarded)) == {"injected": 2}

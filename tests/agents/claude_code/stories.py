"""What people say in these tests, and short sessions that they have."""

import json
from datetime import UTC, datetime, timedelta

from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.model_replies import (
    FILL,
    NEARLY_FULL,
    SMALL,
    SUMMARY_FAILS,
    Json,
    calls,
)
from tests.agents.claude_code.sandbox import Sandbox

DECISION = "We decided: totals are kept in whole cents, not floats, because rounding lost three."
CORRECTION = "No, that is wrong: the herons nest in the reed belt, not in the willows."
TASK = "Still to do: count the herons of the north bank before Friday."


def session_id_of(result: str) -> str:
    """The session of a `claude -p --output-format json` run."""
    return json.loads(result)["session_id"]


def begin(sandbox: Sandbox, *prompts: str) -> str:
    """A session of several `claude -p` processes, one per prompt; its id."""
    first, *others = prompts
    done = sandbox.ask(first, "--output-format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    session = session_id_of(done.stdout)
    for prompt in others:
        assert sandbox.ask(prompt, "--resume", session).returncode == 0
    return session


def compact_automatically(sandbox: Sandbox, times: int = 1) -> None:
    """A session in one process whose context fills up again and again."""
    with conversation(sandbox) as talk:
        talk.say(DECISION)
        talk.say("Now fill the context")
        for time in range(1, times):
            talk.say(f"Answer {time}, then fill the context")
        talk.say("An easy question after it")


def abort_one_manual_compaction(sandbox: Sandbox) -> None:
    """A /compact whose summary fails, and the turn that follows it."""
    with conversation(sandbox) as talk:
        talk.say(DECISION)
        talk.say(TASK)
        sandbox.rules(SUMMARY_FAILS)
        talk.say("/compact")
        sandbox.rules(FILL)
        talk.say("An easy question after it")


def compact_in_a_subagent(sandbox: Sandbox) -> str:
    """A subagent fills up its own context and is compacted; the main session's id."""
    notes = sandbox.project / "notes.txt"
    notes.write_text("herons: 12\n")
    helper = {
        "description": "Count herons",
        "prompt": "SUBTASK count the herons",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    }
    read, read_much = (calls("Read", usage, file_path=str(notes)) for usage in (SMALL, NEARLY_FULL))
    sandbox.rules(
        {"match": "start a helper", "once": True, "reply": calls("Agent", **helper)},
        {"agent": True, "kind": "turn", "match": "SUBTASK", "once": True, "reply": read},
        {"agent": True, "kind": "turn", "once": True, "reply": read_much},
    )
    with conversation(sandbox, "--allowedTools", "Agent,Read") as talk:
        talk.say(TASK)
        talk.say("Please start a helper")
    return talk.session_id


def evaluate(sandbox: Sandbox, *arguments: object) -> Json:
    """`compact-guard evaluate` on this sandbox's log as of an hour later, when grace is over."""
    later = datetime.now(UTC) + timedelta(hours=1)
    done = sandbox.compact_guard(
        "evaluate",
        *("--audit", sandbox.guard_home / "audit"),
        *("--reports", sandbox.root / "reports"),
        *("--as-of", later.strftime("%Y-%m-%dT%H:%M:%SZ")),
        "--json",
        *arguments,
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)

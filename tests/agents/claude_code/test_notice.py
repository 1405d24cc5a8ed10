"""`--notice` tells the person of each compaction in one line that no request to a model holds."""

from collections.abc import Callable

import pytest

from tests.agents import needs
from tests.agents.claude_code.checks import assert_each_checkpoint_reaches_the_model_once
from tests.agents.claude_code.conversation import Conversation, conversation
from tests.agents.claude_code.evidence import audit_rows, only_transcript, requests
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import CORRECTION, DECISION
from tests.agents.claude_code.terminal import terminal

pytestmark = pytest.mark.agents

LINE_START = "compact-guard: "
# Older ones show it in the terminal (test_the_terminal_shows_it) and leave it out of the stream.
STREAMING = (needs.CLAUDE_CODE, needs.CLAUDE_CODE_OLDER)


def lines_recorded(sandbox: Sandbox) -> list[str]:
    """What Claude Code noted down as shown to the person."""
    shown = only_transcript(sandbox).attachments("hook_system_message")
    return [each["content"] for each in shown if each["hookEvent"] == "Stop"]


def lines_streamed(talk: Conversation) -> list[str]:
    """What a program that drives Claude Code is told to show."""
    told = [event["content"] for event in talk.events if event.get("subtype") == "informational"]
    return [line.removeprefix("Stop says: ") for line in told if LINE_START in line]


def assert_no_model_read_it(sandbox: Sandbox, lines: list[str]) -> None:
    for request in requests(sandbox):
        assert not any(line in request.text for line in lines)
        assert LINE_START not in request.text


@pytest.mark.parametrize("agent", needs.CLAUDE_CODES[:-1], ids=lambda agent: agent.version)
def test_one_line_after_each_compaction_and_in_no_request(
    of_version: Callable[[needs.Agent], Sandbox], agent: needs.Agent
):
    sandbox = of_version(agent)
    sandbox.install_guard("--notice")
    with conversation(sandbox) as talk:
        talk.say(DECISION)
        talk.say(CORRECTION)
        talk.say("/compact")
        talk.say("What now?")
        talk.say("Please fill the context")
        talk.say("And then?")
        talk.say("And after that?")

    lines = lines_recorded(sandbox)
    rows = audit_rows(sandbox)
    given = [row["counts"]["items_kept"] for row in rows if row["outcome"] == "injected"]
    receipts = [row["counts"] for row in rows if row["event"] == "post_compact"]
    for line, count, receipt in zip(lines, given, receipts, strict=True):
        lost = sum(count for name, count in receipt.items() if name.startswith("rescued_"))
        assert line.startswith(f"{LINE_START}{count} items given back; the summary has lost {lost}")
    assert lines_streamed(talk) == (lines if agent in STREAMING else [])
    assert_no_model_read_it(sandbox, lines)
    assert_each_checkpoint_reaches_the_model_once(sandbox, DECISION)


@pytest.mark.parametrize("agent", needs.CLAUDE_CODES[:-1], ids=lambda agent: agent.version)
def test_the_terminal_shows_it(of_version: Callable[[needs.Agent], Sandbox], agent: needs.Agent):
    sandbox = of_version(agent)
    sandbox.install_guard("--notice")
    with terminal(sandbox) as window:
        window.type(DECISION)
        window.wait_for("whole cents.*Canned reply")
        window.type(CORRECTION)
        window.wait_for("willows.*Canned reply")
        window.type("/compact")
        window.wait_for("Compacted")
        window.type("What now?")
        window.wait_for("Stop says: compact-guard: 3 items given back; the summary has lost 3")
        window.leave()

    assert_no_model_read_it(sandbox, lines_recorded(sandbox))


def test_a_version_without_receipts_is_offered_none(
    of_version: Callable[[needs.Agent], Sandbox],
):
    oldest = of_version(needs.CLAUDE_CODE_OLDEST)

    refused = oldest.compact_guard("install", "claude-code", "--yes", "--notice")

    assert refused.returncode == 2
    assert "has no PostCompact hook" in refused.stderr
    assert not (oldest.config / "settings.json").exists()

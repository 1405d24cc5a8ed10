"""A Claude Code of before PostCompact: it skips a whole settings file that names that event."""

from collections.abc import Callable

import pytest

from tests.agents import needs
from tests.agents.claude_code.checks import assert_each_checkpoint_reaches_the_model_once
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import audit_rows, only_transcript, outcomes
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import CORRECTION, DECISION

pytestmark = pytest.mark.agents


def compact_by_hand_and_automatically(sandbox: Sandbox) -> None:
    with conversation(sandbox) as talk:
        talk.say(DECISION)
        talk.say(CORRECTION)
        talk.say("/compact keep the names of the birds")
        talk.say("What now?")
        talk.say("Please fill the context")
        talk.say("And then?")


def findings(sandbox: Sandbox) -> str:
    doctor = sandbox.compact_guard("doctor", "claude-code")
    assert doctor.returncode == 1
    return doctor.stdout


def test_hooks_of_a_newer_version_never_run_and_those_of_its_own_deliver(
    of_version: Callable[[needs.Agent], Sandbox],
):
    sandbox = of_version(needs.CLAUDE_CODE_OLDEST)
    current = needs.CLAUDE_CODE.binary
    oldest, sandbox.binary = sandbox.binary, current
    sandbox.install_guard()

    sandbox.binary = oldest  # a downgrade
    sandbox.ask(DECISION)
    compact_by_hand_and_automatically(sandbox)
    assert not list((sandbox.guard_home / "audit").glob("*"))
    assert "does not know PostCompact and skips the whole file" in findings(sandbox)

    sandbox.install_guard()
    assert "PostCompact" not in (sandbox.config / "settings.json").read_text()
    for file in sandbox.config.glob("projects/*/*.jsonl"):
        file.unlink()
    (sandbox.model_folder / "requests.jsonl").unlink()
    compact_by_hand_and_automatically(sandbox)
    assert outcomes(sandbox) == ["pre_compact saved", "session_start injected"] * 2
    versions = {row["agent_version"] for row in audit_rows(sandbox)}
    assert versions == {needs.CLAUDE_CODE_OLDEST.version}
    triggers = [boundary.trigger for boundary in only_transcript(sandbox).boundaries()]
    assert triggers == ["manual", "auto"]
    assert_each_checkpoint_reaches_the_model_once(sandbox, DECISION, CORRECTION)

    sandbox.binary = current  # an upgrade
    assert "no entry of ours for PostCompact" in findings(sandbox)
    sandbox.install_guard()
    assert sandbox.compact_guard("doctor", "claude-code").returncode == 0

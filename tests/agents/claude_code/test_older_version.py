"""The older Claude Code delivers as the current one does, manual and automatic."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents import needs
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import audit_rows
from tests.agents.claude_code.model_replies import FILL
from tests.agents.claude_code.sandbox import WINDOW, Sandbox
from tests.agents.claude_code.stories import CORRECTION, DECISION
from tests.agents.claude_code.test_delivery import assert_all_is_well
from tests.agents.isolation import Isolation

pytestmark = pytest.mark.agents


@pytest.fixture
def guarded_older(tmp_path: Path, isolation: Isolation) -> Iterator[Sandbox]:
    older = needs.CLAUDE_CODE_OLDER
    with Sandbox(tmp_path / "machine", isolation, older.binary, **WINDOW) as sandbox:
        sandbox.rules(FILL)
        sandbox.install_guard()
        yield sandbox


def test_a_manual_and_an_automatic_compaction(guarded_older: Sandbox):
    with conversation(guarded_older) as talk:
        talk.say(DECISION)
        talk.say(CORRECTION)
        talk.say("/compact keep the names of the birds")
        talk.say("What now?")
        talk.say("Please fill the context")
        talk.say("And then?")

    assert_all_is_well(guarded_older, ["manual", "auto"], DECISION, CORRECTION)
    versions = {row["agent_version"] for row in audit_rows(guarded_older)}
    assert versions == {needs.CLAUDE_CODE_OLDER.version}

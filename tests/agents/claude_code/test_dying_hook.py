"""What a hook printed before it died, or before it ended with an error, reaches the model."""

import json
from collections.abc import Callable

import pytest

from tests.agents import needs
from tests.agents.claude_code.checks import saved_hashes
from tests.agents.claude_code.evidence import audit_rows, only_transcript, outcomes, requests
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import DECISION, TASK, begin
from tests.agents.dying import let_the_start_die_behind_its_print

pytestmark = pytest.mark.agents

PRINTED = "The heron count is 4711."
ENDINGS = {"well": "exit 0", "with an error": "exit 1", "killed": "kill -9 $$"}
RECORDING = needs.CLAUDE_CODES[:-1]  # 2.1.49 notes no hook's text in the transcript


@pytest.mark.parametrize("agent", RECORDING, ids=lambda agent: agent.version)
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_a_hook_printed_is_taken_however_it_ends(
    of_version: Callable[[needs.Agent], Sandbox], agent: needs.Agent, ending: str
):
    sandbox = of_version(agent)
    output = {"hookEventName": "SessionStart", "additionalContext": PRINTED}
    printed = json.dumps({"hookSpecificOutput": output})
    command = {"type": "command", "command": f"echo '{printed}'; {ENDINGS[ending]}"}
    hooks = {"SessionStart": [{"matcher": "compact", "hooks": [command]}]}
    (sandbox.config / "settings.json").write_text(json.dumps({"hooks": hooks}))
    begin(sandbox, DECISION, TASK, "/compact", "What now?")

    assert any(PRINTED in each for each in only_transcript(sandbox).delivered_texts())
    assert any(PRINTED in json.dumps(each, default=str) for each in requests(sandbox))


def test_a_text_whose_hook_was_killed_behind_its_print_does_not_come_twice(bare: Sandbox):
    """The next compaction cannot be saved, so that its start finds the earlier checkpoint."""
    bare.install_guard()
    settings = bare.config / "settings.json"
    whole = let_the_start_die_behind_its_print(settings, "claude-code")
    session = begin(bare, DECISION, TASK, "/compact", "What now?")
    (own,) = saved_hashes(bare)
    assert "session_start injected" not in outcomes(bare)
    assert requests(bare)[-1].text.count(own) == 1

    content = json.loads(whole)
    del content["hooks"]["PreCompact"]
    settings.write_text(json.dumps(content))
    for step in ("And then?", "/compact", "What now?"):
        assert bare.ask(step, "--resume", session).returncode == 0

    last = [row for row in audit_rows(bare) if row["event"] == "session_start"][-1]
    assert (last["outcome"], last["checkpoint_hash"]) == ("already_used", own)
    assert own not in requests(bare)[-1].text

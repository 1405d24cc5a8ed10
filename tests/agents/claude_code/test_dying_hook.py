"""What a hook printed before it died, or before it ended with an error, reaches the model."""

import json

import pytest

from tests.agents.claude_code.evidence import only_transcript, requests
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import DECISION, TASK, session_id_of

pytestmark = pytest.mark.agents

PRINTED = "The heron count is 4711."
ENDINGS = {"well": "exit 0", "with an error": "exit 1", "killed": "kill -9 $$"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_a_hook_printed_is_taken_however_it_ends(bare: Sandbox, ending: str):
    output = {"hookEventName": "SessionStart", "additionalContext": PRINTED}
    printed = json.dumps({"hookSpecificOutput": output})
    command = {"type": "command", "command": f"echo '{printed}'; {ENDINGS[ending]}"}
    hooks = {"SessionStart": [{"matcher": "compact", "hooks": [command]}]}
    (bare.config / "settings.json").write_text(json.dumps({"hooks": hooks}))

    session = session_id_of(bare.ask(DECISION, "--output-format", "json").stdout)
    for step in (TASK, "/compact", "What now?"):
        assert bare.ask(step, "--resume", session).returncode == 0

    assert any(PRINTED in each for each in only_transcript(bare).delivered_texts())
    assert any(PRINTED in json.dumps(each, default=str) for each in requests(bare))

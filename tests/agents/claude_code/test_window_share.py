"""A share beside a window: compaction begins where we say that it does."""

import json

import pytest

from compact_guard.agents.claude_code import window_settings
from compact_guard.window.scan import scan
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.model_replies import WINDOW_TOKENS, Json, says
from tests.agents.claude_code.sandbox import Sandbox

pytestmark = pytest.mark.agents

VARIABLES = {window_settings.WINDOW_VARIABLE: str(WINDOW_TOKENS)}
SETTINGS = {window_settings.WINDOW: WINDOW_TOKENS}
STEP = 2_000


def uses(tokens: int) -> Json:
    """The model has used so many when it answers `Use N tokens`."""
    use = {"input_tokens": 1_000, "cache_read_input_tokens": tokens - 1_000, "output_tokens": 1}
    return {"kind": "turn", "match": f"Use {tokens} tokens", "reply": says("Used.", use)}


@pytest.mark.parametrize("share", ["60", "99"])
@pytest.mark.parametrize("told", [SETTINGS, {"env": VARIABLES}], ids=["setting", "variable"])
def test_compaction_begins_at_the_share_that_we_compute(tmp_path, isolation, told, share):
    variables = told.get("env", {}) | {window_settings.SHARE_VARIABLE: share}
    settings = json.dumps(told | {"env": variables}).encode()
    begins_at = window_settings.settings_in(settings)[None].begins_at
    steps = [begins_at - STEP, begins_at + STEP]
    with Sandbox(tmp_path / "machine", isolation) as sandbox:
        (sandbox.config / "settings.json").write_bytes(settings)
        sandbox.rules(*map(uses, steps))
        with conversation(sandbox) as talk:
            for tokens in steps:
                talk.say(f"Use {tokens} tokens")
            talk.say("An easy question after it")
        [file] = sandbox.config.glob("projects/*/*.jsonl")

    sizes = [event.tokens_before for event in scan(file).events if event.kind == "boundary"]

    assert len(sizes) == 1
    assert begins_at < sizes[0] < begins_at + 2 * STEP

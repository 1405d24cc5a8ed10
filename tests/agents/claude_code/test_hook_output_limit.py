"""Claude Code's limit on hook output is 10,000 UTF-16 code units; what is longer is replaced.

`compact_guard/agents/claude_code` relies on this. No guard is installed here: the hook is `cat`.
"""

import json

import pytest

from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import requests
from tests.agents.claude_code.sandbox import Sandbox

pytestmark = pytest.mark.agents

UNITS_MAX = 10_000


def add_context(sandbox: Sandbox, context: str) -> None:
    """Let a SessionStart(compact) hook add this text."""
    output = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": context}}
    printed = sandbox.root / "printed.json"
    printed.write_text(json.dumps(output, ensure_ascii=False))
    hook = {"type": "command", "command": f"cat '{printed}'"}
    settings = {"hooks": {"SessionStart": [{"matcher": "compact", "hooks": [hook]}]}}
    (sandbox.config / "settings.json").write_text(json.dumps(settings))


@pytest.mark.parametrize(
    ("character", "units"),
    [("e", 1), ("é", 1), ("中", 1), ("🪶", 2)],
    ids=["e", "é", "中", "feather"],
)
@pytest.mark.parametrize("is_over", [False, True], ids=["at the limit", "over it"])
def test_the_limit_counts_utf_16_code_units(
    bare: Sandbox, character: str, units: int, is_over: bool
):
    context = character * (UNITS_MAX // units) + "." * is_over
    add_context(bare, context)

    with conversation(bare) as talk:
        talk.say("One")
        talk.say("/compact")
        talk.say("Two")

    arrived = requests(bare)[-1].text
    assert (context in arrived) is not is_over
    assert ("<persisted-output>" in arrived) is is_over

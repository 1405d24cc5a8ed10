"""Codex's limit on hook output is 10,000 bytes of UTF-8; what is longer is cut in the middle.

`compact_guard/agents/codex` relies on this. No guard is installed here: the hook is `cat`.
"""

import json

import pytest

from tests.agents.codex.evidence import requests
from tests.agents.codex.sandbox import Sandbox

pytestmark = pytest.mark.agents

BYTES_MAX = 10_000


def add_context(sandbox: Sandbox, context: str) -> None:
    """Let a SessionStart hook add this text."""
    output = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": context}}
    printed = sandbox.root / "printed.json"
    printed.write_text(json.dumps(output, ensure_ascii=False))
    # 0.144.6 can lose what a hook prints that ends before its payload was written to it.
    hook = {"type": "command", "command": f"cat >/dev/null; cat '{printed}'"}
    sandbox.hooks.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}}))


@pytest.mark.parametrize("is_over", [False, True], ids=["at the limit", "over it"])
@pytest.mark.parametrize(
    ("character", "version"),
    [("e", "bare"), ("中", "bare"), ("🪶", "bare"), ("中", "bare_older")],
    ids=["e", "中", "feather", "older 中"],
)
def test_the_limit_counts_bytes(
    character: str, version: str, is_over: bool, request: pytest.FixtureRequest
):
    sandbox = request.getfixturevalue(version)
    fitting = BYTES_MAX // len(character.encode())
    context = character * fitting + "." * (BYTES_MAX - fitting * len(character.encode()) + is_over)
    add_context(sandbox, context)

    sandbox.exec("Hello. [[plan id=A]]", "--dangerously-bypass-hook-trust")

    arrived = requests(sandbox)[-1].text
    assert (context in arrived) is not is_over
    assert ("Full hook output saved to" in arrived) is is_over

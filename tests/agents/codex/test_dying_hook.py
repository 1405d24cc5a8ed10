"""Codex hears a hook that ends well and no other, whatever it printed: ours too is given again."""

import json

import pytest

from tests.agents.codex.checks import hashes_in, saved_hashes
from tests.agents.codex.evidence import main_rollout, outcomes, requests
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import asks, works
from tests.agents.dying import let_the_start_die_behind_its_print

pytestmark = pytest.mark.agents

UNREVIEWED = "--dangerously-bypass-hook-trust"
PRINTED = "The heron count is 4711."
ENDINGS = {"well": "exit 0", "with an error": "exit 1", "killed": "kill -9 $$"}


def compact_and_resume(sandbox: Sandbox) -> None:
    assert sandbox.exec(works("A", 1), UNREVIEWED).returncode == 0
    assert sandbox.exec(asks("B"), UNREVIEWED, "resume", "--last").returncode == 0


@pytest.mark.parametrize("version", ["bare", "bare_older"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_only_a_hook_that_ends_well_is_heard(
    version: str, ending: str, request: pytest.FixtureRequest
):
    sandbox = request.getfixturevalue(version)
    output = {"hookEventName": "SessionStart", "additionalContext": PRINTED}
    printed = json.dumps({"hookSpecificOutput": output})
    command = f"cat >/dev/null; echo '{printed}'; {ENDINGS[ending]}"  # its payload first, as ours
    hook = {"type": "command", "command": command}
    sandbox.hooks.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [hook]}]}}))
    compact_and_resume(sandbox)

    is_heard = ending == "well"
    assert any(PRINTED in text for text in main_rollout(sandbox).developer_texts()) is is_heard
    assert (PRINTED in requests(sandbox)[-1].text) is is_heard


def test_a_text_whose_hook_was_killed_behind_its_print_comes_at_the_resume(bare: Sandbox):
    """Once: the agent heard nothing of the first print, and the second one is marked."""
    bare.install_guard("--trust")
    whole = let_the_start_die_behind_its_print(bare.hooks, "codex")
    assert bare.exec(works("A", 1), UNREVIEWED).returncode == 0
    assert outcomes(bare) == ["pre_compact saved", "post_compact recorded"]
    (own,) = saved_hashes(bare)
    assert not any(hashes_in(each, [own]) for each in requests(bare))

    bare.hooks.write_text(whole)
    bare.resume(asks("B"))
    assert outcomes(bare)[-1] == "session_start injected"
    assert requests(bare)[-1].text.count(own) == 1

"""The commands that look at installed hooks and clean up behind them, with the real agent."""

import pytest

from tests.agents.claude_code.checks import assert_private
from tests.agents.claude_code.evidence import audit_rows, outcomes, requests
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.claude_code.stories import DECISION, compact_automatically, evaluate
from tests.agents.spilling import let_the_text_be_too_long

pytestmark = pytest.mark.agents


def test_the_self_test_drives_the_hooks_that_the_agent_runs(bare: Sandbox):
    bare.install_guard("--preserve", "--notice")
    compact_automatically(bare)
    before = outcomes(bare)

    tested = bare.compact_guard("selftest", "claude-code")

    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "options: preserve, notice" in tested.stdout
    added = audit_rows(bare)[len(before) :]
    assert [row["outcome"] for row in added] == ["saved", "injected", "already_used", "recorded"]
    # It stays apart from the session: one compaction of ours and one of the test, both whole.
    (interface,) = evaluate(bare, "--rehearse")["interfaces"]
    assert interface["outcomes"]["injected"] == 2
    assert_private(bare.guard_home)


def test_purge_removes_what_the_agent_wrote_to_a_file_of_its_own(guarded: Sandbox):
    let_the_text_be_too_long(guarded.config / "settings.json")
    compact_automatically(guarded)
    (spilled,) = guarded.config.glob("projects/*/*/tool-results/hook-*.txt")
    assert DECISION in spilled.read_text()
    assert str(spilled) in requests(guarded)[-1].text
    stranger = spilled.with_name("hook-of-somebody-else.txt")
    stranger.write_text("said by another hook")

    purged = guarded.compact_guard("checkpoints", "purge", "--all", "--yes")

    assert purged.returncode == 0, purged.stdout + purged.stderr
    assert not spilled.exists()
    assert stranger.exists()
    assert list(guarded.guard_home.glob("checkpoints/*/*.json")) == []

    tested = guarded.compact_guard("selftest", "claude-code")
    assert tested.returncode == 1
    assert "of 9900 allowed" in tested.stdout

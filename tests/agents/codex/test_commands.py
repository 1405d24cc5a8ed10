"""The commands that look at installed hooks and clean up behind them, with the real agent."""

from pathlib import Path

import pytest

from tests.agents.codex.evidence import audit_rows, outcomes
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import DECISION, works
from tests.agents.isolation import Isolation
from tests.agents.spilling import let_the_text_be_too_long

pytestmark = pytest.mark.agents


def test_the_self_test_drives_the_hooks_that_the_agent_runs(bare: Sandbox):
    bare.install_guard("--trust", "--notice")
    bare.exec(works("A", 1))
    before = outcomes(bare)

    tested = bare.compact_guard("selftest", "codex")

    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "options: notice" in tested.stdout
    added = audit_rows(bare)[len(before) :]
    assert [row["outcome"] for row in added] == ["saved", "recorded", "injected", "already_used"]


def test_purge_removes_what_the_agent_wrote_to_a_file_of_its_own(
    tmp_path: Path, isolation: Isolation
):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with Sandbox(tmp_path / "machine", isolation, TMPDIR=str(temporary)) as sandbox:
        sandbox.install_guard()
        let_the_text_be_too_long(sandbox.hooks)
        done = sandbox.exec(works("A", 1), "--dangerously-bypass-hook-trust")
        assert done.returncode == 0, done.stderr
        (spilled,) = temporary.glob("hook_outputs/*/*.txt")
        assert DECISION in spilled.read_text()

        purged = sandbox.compact_guard("checkpoints", "purge", "--all", "--yes")

    assert purged.returncode == 0, purged.stdout + purged.stderr
    assert not spilled.exists()
    assert list(sandbox.guard_home.glob("checkpoints/*/*.json")) == []

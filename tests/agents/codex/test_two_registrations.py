"""The guard in the user's and in the project's hooks.json: Codex runs both, and one compaction
stays one."""

from collections import Counter

import pytest

from tests.agents.claude_code.checks import validate
from tests.agents.codex.checks import hashes_in, spans
from tests.agents.codex.evidence import audit_rows, outcomes, requests
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import asks, works

pytestmark = pytest.mark.agents

UNREVIEWED = "--dangerously-bypass-hook-trust"


def register_twice(sandbox: Sandbox) -> None:
    sandbox.install_guard("--notice")
    sandbox.install_guard("--project", str(sandbox.project))
    assert (sandbox.project / ".codex" / "hooks.json").read_text() == sandbox.hooks.read_text()


def saved(sandbox: Sandbox) -> list[str]:
    return [row["checkpoint_hash"] for row in audit_rows(sandbox) if row["outcome"] == "saved"]


def test_each_compaction_is_saved_once_and_given_back_once(bare: Sandbox):
    register_twice(bare)
    assert bare.exec(works("A", 2), UNREVIEWED).returncode == 0

    assert Counter(outcomes(bare)) == {
        "pre_compact saved": 2,
        "pre_compact skipped": 2,
        "post_compact recorded": 4,
        "session_start injected": 2,
        "session_start already_used": 2,
    }
    for row in audit_rows(bare):
        validate(row)
    for own, span in zip(saved(bare), spans(bare), strict=True):
        assert all(hashes_in(turn, saved(bare)) == Counter([own]) for turn in span.turns)


def test_what_the_older_version_queues_is_given_back_once_at_the_resume(bare_older: Sandbox):
    register_twice(bare_older)
    assert bare_older.exec(works("A", 1), UNREVIEWED).returncode == 0
    assert bare_older.exec(asks("B"), UNREVIEWED, "resume", "--last").returncode == 0

    assert Counter(outcomes(bare_older)) == {
        "pre_compact saved": 1,
        "pre_compact skipped": 1,
        "post_compact recorded": 2,
        "session_start injected": 1,
    }
    assert hashes_in(requests(bare_older)[-1], saved(bare_older)) == Counter(saved(bare_older))

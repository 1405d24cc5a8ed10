"""Codex runs our hooks only after an approval, and `--trust` gives exactly that one."""

import pytest

from tests.agents.codex.conversation import conversation
from tests.agents.codex.evidence import main_rollout, outcomes
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import works

pytestmark = pytest.mark.agents


def trust_of_hooks(sandbox: Sandbox) -> list[str]:
    with conversation(sandbox) as talk:
        return [hook["trustStatus"] for hook in talk.hooks()]


@pytest.mark.parametrize("version", ["guarded", "guarded_older"])
def test_what_trust_records_is_what_codex_takes_for_an_approval(
    version: str, request: pytest.FixtureRequest
):
    assert trust_of_hooks(request.getfixturevalue(version)) == ["trusted"] * 3


def test_uninstall_gives_both_files_back_byte_for_byte(bare: Sandbox):
    before = bare.config.read_bytes()
    bare.install_guard("--trust")
    assert bare.config.read_bytes().startswith(before)
    assert bare.config.read_bytes() != before

    again = bare.compact_guard("install", "codex", "--trust")
    assert "Nothing else to do." in again.stdout, again.stdout + again.stderr

    assert bare.compact_guard("uninstall", "codex", "--yes").returncode == 0
    assert bare.config.read_bytes() == before
    assert not bare.hooks.exists()


def test_hooks_that_nobody_approved_do_not_run_and_doctor_says_so(bare: Sandbox):
    bare.install_guard()
    assert trust_of_hooks(bare) == ["untrusted"] * 3
    bare.exec(works("A", 1))

    assert len(main_rollout(bare).boundaries()) == 1
    assert not (bare.guard_home / "audit").is_dir() or outcomes(bare) == []
    doctor = bare.compact_guard("doctor", "codex")
    assert doctor.returncode == 1
    assert "not approved" in doctor.stdout
    assert "compact-guard install codex --trust" in doctor.stdout


def test_a_hook_that_changed_since_its_approval_is_found(guarded: Sandbox):
    guarded.hooks.write_text(guarded.hooks.read_text().replace('"timeout": 30', '"timeout": 31'))
    assert trust_of_hooks(guarded) == ["modified"] * 3

    doctor = guarded.compact_guard("doctor", "codex")
    assert doctor.returncode == 1
    assert "changed since" in doctor.stdout

    guarded.install_guard("--trust")
    assert trust_of_hooks(guarded) == ["trusted"] * 3
    assert guarded.compact_guard("doctor", "codex").returncode == 0

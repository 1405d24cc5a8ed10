"""Where a piece is missing, it is named with its remedy; in CI that is a failure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents import needs


@pytest.fixture
def bare_machine(tmp_path: Path) -> dict[str, str]:
    """An environment without any tool and without an installed agent."""
    return {
        **{name: value for name, value in os.environ.items() if name != "CI"},
        "PATH": str(tmp_path),
        "COMPACT_GUARD_AGENTS_CACHE": str(tmp_path / "agents"),
    }


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=needs.CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_missing_piece_is_named_with_its_remedy(bare_machine: dict[str, str]):
    prepared = run(bare_machine, "tests.agents.prepare")

    assert prepared.returncode == 0
    for remedy in ("apt-get install tmux", "apt-get install iproute2", "install npm"):
        assert remedy in prepared.stdout


def test_a_missing_piece_fails_in_ci(bare_machine: dict[str, str]):
    assert run({**bare_machine, "CI": "true"}, "tests.agents.prepare").returncode == 1


@pytest.mark.parametrize(("ci", "outcome"), [("false", "2 skipped"), ("true", "2 errors")])
def test_the_tests_skip_with_the_reason_but_fail_in_ci(
    bare_machine: dict[str, str], ci: str, outcome: str
):
    where = "tests/agents/test_isolation.py"
    tests = run({**bare_machine, "CI": ci}, "pytest", "-p", "no:cacheprovider", where)

    assert outcome in tests.stdout
    assert "apt-get install tmux" in tests.stdout

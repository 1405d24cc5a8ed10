"""The bench: a sandbox with the real Claude Code, our model server and the installed guard."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.agents import needs
from tests.agents.claude_code.model_replies import FILL
from tests.agents.claude_code.sandbox import WINDOW, Sandbox
from tests.agents.isolation import Isolation


@pytest.fixture
def bare(tmp_path: Path, isolation: Isolation) -> Iterator[Sandbox]:
    """A user of Claude Code without our guard; "fill the context" fills it."""
    with Sandbox(tmp_path / "machine", isolation, **WINDOW) as sandbox:
        sandbox.rules(FILL)
        yield sandbox


@pytest.fixture
def guarded(bare: Sandbox) -> Sandbox:
    """The same user after `compact-guard install claude-code --yes`."""
    bare.install_guard()
    return bare


@pytest.fixture
def of_version(tmp_path: Path, isolation: Isolation) -> Iterator[Callable[[needs.Agent], Sandbox]]:
    """A user of another Claude Code, without our guard."""
    with contextlib.ExitStack() as machines:

        def give(agent: needs.Agent) -> Sandbox:
            machine = Sandbox(tmp_path / agent.version, isolation, agent.binary, **WINDOW)
            sandbox = machines.enter_context(machine)
            sandbox.rules(FILL)
            return sandbox

        yield give

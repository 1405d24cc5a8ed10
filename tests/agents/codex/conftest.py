"""The bench: a sandbox with the real Codex, our model server and the installed guard."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents import needs
from tests.agents.codex.sandbox import Sandbox
from tests.agents.isolation import Isolation


@pytest.fixture
def bare(tmp_path: Path, isolation: Isolation) -> Iterator[Sandbox]:
    """A user of Codex without our guard."""
    with Sandbox(tmp_path / "machine", isolation) as sandbox:
        yield sandbox


@pytest.fixture
def guarded(bare: Sandbox) -> Sandbox:
    """The same user after `compact-guard install codex --trust --yes`."""
    bare.install_guard("--trust")
    return bare


@pytest.fixture
def bare_older(tmp_path: Path, isolation: Isolation) -> Iterator[Sandbox]:
    """A user of the older Codex, which queues every restart."""
    with Sandbox(tmp_path / "machine", isolation, needs.CODEX_OLDER) as sandbox:
        yield sandbox


@pytest.fixture
def guarded_older(bare_older: Sandbox) -> Sandbox:
    """The same user after `compact-guard install codex --trust --yes`."""
    bare_older.install_guard("--trust")
    return bare_older

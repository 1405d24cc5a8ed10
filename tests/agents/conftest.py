"""Tests marked `agents` run where everything they need is there; in CI nothing may be missing."""

import functools
from collections.abc import Iterator

import pytest

from tests.agents import needs
from tests.agents.isolation import Isolation, loopback_only

missing = functools.cache(needs.missing)

pytest.register_assert_rewrite("tests.agents.claude_code.checks", "tests.agents.codex.checks")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("agents") is None or not missing():
        return
    reason = "; ".join(missing())
    if needs.is_ci():
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def isolation() -> Iterator[Isolation]:
    with loopback_only() as namespace:
        yield namespace

"""Evaluations that several tests read: each story is judged once per worker."""

import functools
from collections.abc import Callable

import pytest

from compact_guard.evaluator import bookmarks
from compact_guard.evaluator.evaluation import Evaluation
from tests.evaluator import stories


@pytest.fixture(scope="session")
def evaluation_of(tmp_path_factory) -> Callable[[str], Evaluation]:
    """Story -> its evaluation; see tests/evaluator/stories.py."""

    @functools.cache
    def judge(name: str) -> Evaluation:
        return stories.judged(tmp_path_factory.mktemp(name), name)

    return judge


@pytest.fixture
def later(monkeypatch) -> None:
    """Logs are looked at long after they were written, as by night."""
    now = bookmarks.time.time_ns
    monkeypatch.setattr(bookmarks.time, "time_ns", lambda: now() + 60_000_000_000)

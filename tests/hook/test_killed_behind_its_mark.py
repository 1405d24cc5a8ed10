"""Codex does not hear a hook that was killed: its mark says delivered, and nothing arrived."""

import concurrent.futures
import time

import pytest

from compact_guard.hook.limits import LINE_BYTES_MAX
from tests.hook.codex import CodexGuard, Rollout


@pytest.fixture
def guard(tmp_path) -> CodexGuard:
    return CodexGuard(tmp_path / "home")


@pytest.fixture
def story(tmp_path) -> Rollout:
    return Rollout(tmp_path / "rollout.jsonl").prompt("Keep the herons in DuckDB, never SQLite.")


@pytest.fixture
def own(guard, story) -> str:
    """The hash of a checkpoint whose delivery was marked, but neither told of nor heard."""
    own = guard.compact(story, "c1")
    assert guard.restart(story)[0] == "injected"
    log_of_today(guard).unlink()  # the row is written behind the mark
    return own


def log_of_today(guard: CodexGuard):
    return guard.home / "audit" / time.strftime("%Y-%m-%d.jsonl", time.gmtime())


def test_a_resume_makes_up_for_it_once(guard, story, own):
    story.reply("I went on without it.")

    outcome, printed = guard.restart(story, "resume")
    assert (outcome, guard.last()["checkpoint_hash"]) == ("injected", own)
    assert own in printed
    assert guard.restart(story, "resume") == (None, "")
    assert guard.restart(story) == ("already_used", "")


def test_eight_resumes_at_once_make_up_for_it_once(guard, story, own):
    def resumed(_: int) -> bytes:
        return guard.said("session_start", story.path, source="resume")

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        printed = list(pool.map(resumed, range(8)))

    assert sorted(bool(each) for each in printed) == [False] * 7 + [True]


def test_what_arrived_is_not_given_again(guard, story, own):
    story.hook_said(f"Evidence\ncheckpoint {own}\n")
    assert guard.restart(story, "resume") == (None, "")


def test_what_a_row_tells_of_is_not_given_again(guard, story):
    guard.compact(story, "c1")
    guard.restart(story)
    assert guard.restart(story, "resume") == (None, "")


def test_a_rollout_that_cannot_be_read_whole_proves_nothing(guard, story, own):
    with story.path.open("ab") as rollout:
        rollout.write(b"x" * (LINE_BYTES_MAX + 1) + b"\n")
    assert guard.restart(story, "resume") == (None, "")


def test_an_audit_log_that_cannot_be_read_proves_nothing(guard, story, own):
    log_of_today(guard).symlink_to("/dev/null")
    assert guard.said("session_start", story.path, source="resume") == b""

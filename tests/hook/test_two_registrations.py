"""The guard registered twice: the agent runs each hook twice, and one compaction stays one."""

import concurrent.futures
import json
import os
import subprocess
from collections import Counter

import pytest

from compact_guard.hook import limits
from tests.hook.conftest import payload_of

SAVED = ("saved", None)
STEPPED_BACK = ("skipped", "claimed_elsewhere")


def outcomes(guard, event: str = "pre_compact") -> list[tuple]:
    return [(row["outcome"], row["reason"]) for row in guard.rows() if row["event"] == event]


def twice_at_once(guard, event: str, transcript, **fields) -> list[bytes]:
    """What each of two runs printed that the agent started together."""
    payload = payload_of(event, transcript.path, **fields)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [each.stdout for each in pool.map(lambda _: guard.run(event, payload), range(2))]


def mark(guard) -> dict:
    return json.loads(next(guard.home.glob("checkpoints/*/begun.json")).read_text())


def change_mark(guard, content: str) -> None:
    next(guard.home.glob("checkpoints/*/begun.json")).write_text(content)


def test_two_runs_at_once_leave_one_checkpoint_and_give_it_back_once(guard, conversation):
    twice_at_once(guard, "pre_compact", conversation, trigger="manual")
    given_back = twice_at_once(guard, "session_start", conversation)
    twice_at_once(guard, "post_compact", conversation)

    assert Counter(outcomes(guard)) == {SAVED: 1, STEPPED_BACK: 1}
    starts = [outcome for outcome, _ in outcomes(guard, "session_start")]
    assert sorted(starts) == ["already_used", "injected"]
    assert sorted(map(bool, given_back)) == [False, True]
    assert len(guard.checkpoints()) == 1


def test_a_run_right_behind_another_steps_back_too(guard, conversation):
    guard.pre_compact(conversation.path)
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [SAVED, STEPPED_BACK]
    assert len(guard.checkpoints()) == 1


def test_the_row_of_a_run_that_stepped_back_testifies_to_nothing(guard, conversation):
    guard.pre_compact(conversation.path)
    guard.pre_compact(conversation.path)

    row = guard.last()
    assert (row["transcript_bytes"], row["last_boundary_bytes"]) == (None, None)
    assert row["checkpoint_hash"] is None


def test_rows_that_the_agent_wrote_between_two_runs_do_not_tell_them_apart(guard, conversation):
    guard.pre_compact(conversation.path)
    conversation.row(type="mode", mode="normal", sessionId="s1")
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [SAVED, STEPPED_BACK]


def test_a_message_that_only_the_second_run_saw_is_saved(guard, conversation):
    guard.pre_compact(conversation.path)
    conversation.typed("Never use floats, because sums drift.")
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [SAVED, SAVED]
    text = guard.injected_text(conversation.path)
    assert "Never use floats" in text
    assert "Use DuckDB, never SQLite." in text


def test_the_next_prompt_is_another_compaction(guard, conversation):
    guard.pre_compact(conversation.path, trigger="manual", prompt_id="p1")
    guard.pre_compact(conversation.path, trigger="manual", prompt_id="p2")

    assert outcomes(guard) == [SAVED, SAVED]


def test_a_compaction_behind_the_next_boundary_is_another_one(guard, conversation):
    guard.pre_compact(conversation.path)
    conversation.boundary()
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [SAVED, SAVED]


def test_once_given_back_a_checkpoint_speaks_for_no_other_compaction(guard, conversation):
    guard.pre_compact(conversation.path)
    guard.injected_text(conversation.path)
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [SAVED, SAVED]


@pytest.mark.parametrize("age", [limits.SAME_COMPACTION_SECONDS_MAX + 1, -5])
def test_a_mark_of_another_time_is_passed_over(guard, conversation, age):
    guard.pre_compact(conversation.path)
    change_mark(guard, json.dumps({**mark(guard), "at": mark(guard)["at"] - age}))
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [SAVED, SAVED]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"at": "now"}', "[" * 100_000, "\0" * 300])
def test_a_damaged_mark_is_passed_over(guard, conversation, content):
    guard.pre_compact(conversation.path)
    change_mark(guard, content)
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [SAVED, SAVED]


def test_a_run_that_was_killed_leaves_the_compaction_to_the_other(guard, conversation):
    killed = subprocess.Popen(
        guard.command("pre_compact"), stdin=subprocess.PIPE, env=guard.environment()
    )
    killed.kill()
    killed.communicate()
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [SAVED]


def test_where_no_lock_can_be_held_the_checkpoint_is_saved_all_the_same(guard, conversation):
    guard.pre_compact(conversation.path, session_id="s1")
    (begun,) = guard.home.glob("checkpoints/*/begun.json")
    begun.unlink()
    begun.symlink_to(guard.home / "elsewhere")
    guard.pre_compact(conversation.path, session_id="s1")

    assert outcomes(guard) == [SAVED, SAVED]
    assert not (guard.home / "elsewhere").exists()


def test_where_nothing_was_said_nothing_is_told_twice(guard, transcript):
    for event in ("pre_compact", "session_start"):
        twice_at_once(guard, event, transcript)

    assert Counter(outcomes(guard)) == {("empty", "too_few_messages"): 1, STEPPED_BACK: 1}
    starts = Counter(outcomes(guard, "session_start"))
    assert starts == {("none", None): 1, STEPPED_BACK: 1}


def test_the_next_restart_without_a_checkpoint_is_told_again(guard, transcript):
    guard.pre_compact(transcript.path)
    guard.session_start(transcript.path)
    (marker,) = guard.home.glob("checkpoints/*/restarted")
    os.utime(marker, (0, 0))
    guard.session_start(transcript.path)
    guard.session_start(transcript.path)

    assert outcomes(guard, "session_start") == [("none", None), ("none", None), STEPPED_BACK]


def test_without_any_run_before_the_compaction_each_restart_is_told(guard, conversation):
    guard.session_start(conversation.path)
    guard.session_start(conversation.path)

    assert outcomes(guard, "session_start") == [("none", None), ("none", None)]

"""The guard registered twice: the agent runs each hook twice, and one compaction stays one."""

import concurrent.futures
import errno
import fcntl
import json
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from compact_guard.hook import checkpoint, identity, limits, storage
from tests.hook.conftest import HOOK, PYTHON, in_this_process, payload_of

SAVED = ("saved", None)
STEPPED_BACK = ("skipped", "claimed_elsewhere")


def outcomes(guard, event: str = "pre_compact") -> list[tuple]:
    return [(row["outcome"], row["reason"]) for row in guard.rows() if row["event"] == event]


def twice_at_once(guard, event: str, transcript, **fields) -> list[bytes]:
    """What each of two runs printed that the agent started together."""
    payload = payload_of(event, transcript.path, **fields)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [each.stdout for each in pool.map(lambda _: guard.run(event, payload), range(2))]


def mark_file(guard) -> Path:
    return next(guard.home.glob("checkpoints/*/begun.json"))


def mark(guard) -> dict:
    return json.loads(mark_file(guard).read_text())


def change_mark(guard, content: str) -> None:
    mark_file(guard).write_text(content)


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


def failing(guard, conversation, monkeypatch) -> None:
    """A run, in this process, of a registration that cannot save."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(storage, "_write_new", fail)
        in_this_process(guard, "pre_compact", payload_of("pre_compact", conversation.path), patch)


def test_what_one_run_could_not_save_the_next_one_does(guard, conversation, monkeypatch):
    failing(guard, conversation, monkeypatch)
    guard.pre_compact(conversation.path)
    guard.pre_compact(conversation.path)

    assert outcomes(guard) == [("failed", "disk_full"), SAVED, STEPPED_BACK]
    failed, saved, _ = guard.rows()
    assert saved["last_boundary_bytes"] is None  # which shows that the first row was no compaction
    assert failed["transcript_bytes"] == saved["transcript_bytes"]


def test_of_two_runs_that_cannot_save_one_tells(guard, conversation, monkeypatch):
    failing(guard, conversation, monkeypatch)
    failing(guard, conversation, monkeypatch)

    assert outcomes(guard) == [("failed", "disk_full"), STEPPED_BACK]
    assert guard.last()["transcript_bytes"] is None
    assert mark(guard)["has_failed"] is True


def test_a_sweep_of_another_session_takes_no_lock_away(guard, conversation, monkeypatch):
    emptied = []

    def open_and_lose(session_hash: str) -> str:
        folder = opens(session_hash)
        if not emptied:
            Path(folder).rmdir()  # as a sweep does that comes between
            emptied.append(folder)
        return folder

    opens = checkpoint.open_session_folder
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "open_session_folder", open_and_lose)
        in_this_process(guard, "pre_compact", payload_of("pre_compact", conversation.path), patch)
    guard.pre_compact(conversation.path)

    assert emptied
    assert outcomes(guard) == [SAVED, STEPPED_BACK]


def test_a_sweep_leaves_the_lock_of_a_session_that_wakes_up_after_a_month(guard, conversation):
    guard.pre_compact(conversation.path)
    guard.injected_text(conversation.path)
    for left in (mark_file(guard), guard.home / "checkpoints" / ".swept"):
        os.utime(left, (0, 0))
    conversation.typed("Never use floats, because sums drift.")
    before = mark_file(guard).stat().st_ino
    guard.pre_compact(conversation.path)

    assert mark_file(guard).stat().st_ino == before


def test_a_run_waits_for_the_one_that_has_it(guard, conversation):
    holder = hold_the_lock(guard, conversation)
    waiting = subprocess.Popen(
        guard.command("pre_compact"), stdin=subprocess.PIPE, env=guard.environment()
    )
    waiting.stdin.write(json.dumps(payload_of("pre_compact", conversation.path)).encode())
    waiting.stdin.close()
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(0.3)
    os.close(holder)  # it died

    assert waiting.wait(10) == 0
    assert outcomes(guard) == [SAVED]


def test_a_run_that_keeps_it_too_long_is_left_to_itself(guard, conversation):
    holder = hold_the_lock(guard, conversation)
    guard.pre_compact(conversation.path)
    os.close(holder)

    assert outcomes(guard) == [STEPPED_BACK]


def hold_the_lock(guard, conversation) -> int:
    session_hash = identity.session_hash("claude-code", "s1")
    folder = guard.home / "checkpoints" / session_hash
    folder.mkdir(0o700, parents=True)
    holder = os.open(folder / "begun.json", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(holder, fcntl.LOCK_EX)
    return holder


def of_another_version(folder: Path) -> Path:
    """The guard's hot path as the next release may have it; the hook of it."""
    package = HOOK.parents[1]
    for name in ("hook", "agents"):
        shutil.copytree(package / name, folder / "compact_guard" / name)
    (folder / "compact_guard" / "__init__.py").touch()
    limits_file = folder / "compact_guard" / "hook" / "limits.py"
    source = limits_file.read_text("utf-8")
    limits_file.write_text(source.replace(f'VERSION = "{limits.VERSION}"', 'VERSION = "9.9.9"'))
    return folder / "compact_guard" / "hook" / "__main__.py"


def test_two_versions_of_the_guard_share_lock_and_mark(guard, conversation, tmp_path):
    hooks = [HOOK, of_another_version(tmp_path / "other")]
    for event in ("pre_compact", "session_start"):
        payload = json.dumps(payload_of(event, conversation.path)).encode()
        running = [
            subprocess.Popen(
                [PYTHON, "-I", "-S", str(hook), "claude-code", event],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=guard.environment(),
            )
            for hook in hooks
        ]
        printed = [each.communicate(payload)[0] for each in running]

    assert {row["guard_version"] for row in guard.rows()} == {limits.VERSION, "9.9.9"}
    assert Counter(outcomes(guard)) == {SAVED: 1, STEPPED_BACK: 1}
    assert sorted(map(bool, printed)) == [False, True]


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

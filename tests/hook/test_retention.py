"""Checkpoints stay within bounds, the newest always stays."""

import os
import time

import pytest

from compact_guard.hook import checkpoint, limits, retention


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path))
    return tmp_path


def saved(session: str, text: str = "x") -> checkpoint.Saved:
    return checkpoint.save(session, checkpoint.serialise({"nonce": os.urandom(8).hex(), "t": text}))


def test_a_session_keeps_its_newest_checkpoints(home):
    for _ in range(limits.CHECKPOINTS_PER_SESSION_MAX + 5):
        newest = saved("s1")
        retention.prune(newest, time.time())

    numbers = [left.number for left in checkpoint.all_saved(checkpoint.session_folder("s1"))]
    assert numbers == list(range(25, 5, -1))


def test_old_checkpoints_go_with_their_claims_and_empty_folders(home):
    old, newest = saved("s1"), saved("s2")
    for name in (old.path, old.used_file):
        with open(name, "ab"):  # noqa: PTH123
            os.utime(name, (0, 0))

    retention.prune(newest, time.time())

    assert sorted(entry.name for entry in (home / "checkpoints").iterdir()) == [".swept", "s2"]


def test_the_folder_stays_below_its_size_oldest_first(home, monkeypatch):
    monkeypatch.setattr(retention, "CHECKPOINT_FOLDER_BYTES_MAX", 5_000)
    everything = [saved(f"s{number}", "x" * 1_000) for number in range(9)]
    for age, one in enumerate(reversed(everything)):
        os.utime(one.path, (time.time() - age, time.time() - age))

    retention.prune(everything[-1], time.time())

    left = [one for one in everything if os.path.exists(one.path)]  # noqa: PTH110
    assert left == everything[-len(left) :]
    assert 3 <= len(left) <= 4


def test_the_newest_stays_even_where_it_alone_is_too_much(home, monkeypatch):
    monkeypatch.setattr(retention, "CHECKPOINT_FOLDER_BYTES_MAX", 10)
    newest = saved("s1", "x" * 1_000)

    retention.prune(newest, time.time())

    assert checkpoint.all_saved(checkpoint.session_folder("s1"))[0].path == newest.path


def test_other_sessions_are_swept_at_most_once_an_hour(home):
    newest = saved("s1")
    retention.prune(newest, 1_000_000.0)
    old = saved("s2")
    os.utime(old.path, (0, 0))

    retention.prune(newest, 1_000_000.0 + limits.SWEEP_SECONDS - 1)
    assert checkpoint.all_saved(checkpoint.session_folder("s2"))
    retention.prune(newest, 1_000_000.0 + limits.SWEEP_SECONDS + limits.CHECKPOINT_AGE_SECONDS_MAX)
    assert not checkpoint.all_saved(checkpoint.session_folder("s2"))

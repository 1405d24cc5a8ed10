"""Whichever system call fails while a window is restored, or that undone: old or new, whole."""

from datetime import UTC, datetime

import pytest

from compact_guard.errors import UsageError
from compact_guard.operate import window_revert
from compact_guard.window.setting import UNSET, SettingChange

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NEW = b'{"model": "opus", "autoCompactWindow": 300000}\n'
OLD = NEW.replace(b"300000", b"200000")
CALLS_MAX = 40  # the system calls of each, by test


def restoring(machine):
    file = machine.has_settings(NEW)
    then = b'{"autoCompactWindow": 200000}'
    change = SettingChange("claude-code", NOW, None, UNSET, UNSET, None, None, file, "a test", then)
    return window_revert.plan_restore(change), window_revert.restore


def undoing(machine):
    plan, restore = restoring(machine)
    restore(plan, NOW)
    return window_revert.plan_undo("claude-code"), window_revert.undo


def carried_out(plan, act, faults):
    """Whether it was said to be done."""
    try:
        act(plan, NOW)
        is_done = True
    except UsageError:
        is_done = False
    faults.first = CALLS_MAX * 10  # the disk works again
    return is_done


@pytest.mark.parametrize("make", [restoring, undoing])
@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("k", range(1, CALLS_MAX + 1))
def test_a_failure_leaves_the_old_file_and_success_the_new_one(
    k, for_good, make, machine, fail_call
):
    plan, act = make(machine)
    faults = fail_call(k, for_good)

    is_done = carried_out(plan, act, faults)

    left = machine.settings.read_bytes()
    assert left == (plan.after if is_done else plan.original.content)
    assert {left} <= {OLD, NEW}


@pytest.mark.parametrize("make", [restoring, undoing])
def test_the_sweep_reaches_the_end(make, machine, fail_call):
    plan, act = make(machine)
    faults = fail_call(CALLS_MAX + 1, True)

    assert carried_out(plan, act, faults)
    assert len(faults.made) <= CALLS_MAX


@pytest.mark.parametrize("k", range(1, CALLS_MAX + 1))
def test_after_a_failed_restoring_the_next_one_and_its_undoing_work(k, machine, fail_call):
    plan, act = restoring(machine)
    carried_out(plan, act, fail_call(k, False))

    again, act = restoring(machine)
    act(again, NOW)
    window_revert.undo(window_revert.plan_undo("claude-code"), NOW)

    assert machine.settings.read_bytes() == NEW

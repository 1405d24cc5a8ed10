"""Whichever system call fails, the settings file is the old or the new one, whole."""

import os
from datetime import UTC, datetime

import pytest

from compact_guard.install import planning
from tests.install.settings_sources import our_registrations

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
OLD = b'{\n  "model": "opus"\n}\n'
CALLS_MAX = 36  # the longest plan's system calls, by test


def an_edit(machine):
    machine.has_settings(OLD)
    return planning.plan_install("claude-code", machine.settings, our_registrations())


def a_new_file(machine):
    return planning.plan_install("claude-code", machine.settings, our_registrations())


def an_upgrade(machine):
    planning.apply(an_edit(machine), NOW)
    wanted = our_registrations("/new/python")
    return planning.plan_install("claude-code", machine.settings, wanted)


def an_undone_edit(machine):
    planning.apply(an_edit(machine), NOW)
    return planning.plan_uninstall("claude-code", machine.settings)


def a_removed_file(machine):
    planning.apply(a_new_file(machine), NOW)
    return planning.plan_uninstall("claude-code", machine.settings)


PLANS = [an_edit, a_new_file, an_upgrade, an_undone_edit, a_removed_file]


def outcome(machine, plan, faults):
    """What apply reported, and the settings file that it left."""
    try:
        planning.apply(plan, NOW)
        reported = "done"
    except OSError:
        reported = "failed"
    faults.first = CALLS_MAX * 10  # the disk works again
    settings = machine.settings
    return reported, settings.read_bytes() if settings.exists() else None


@pytest.mark.parametrize("make_plan", PLANS)
@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("k", range(1, CALLS_MAX + 1))
def test_a_failure_leaves_the_old_file_and_success_the_new_one(
    k, for_good, make_plan, machine, fail_call
):
    plan = make_plan(machine)
    faults = fail_call(k, for_good)

    left = outcome(machine, plan, faults)

    assert left in [("failed", plan.original.content), ("done", plan.after)]
    assert for_good or list(machine.home.rglob("*.tmp")) == []


@pytest.mark.parametrize("make_plan", PLANS)
def test_the_sweep_reaches_the_end_of_every_plan(make_plan, machine, fail_call):
    plan = make_plan(machine)
    faults = fail_call(CALLS_MAX + 1, True)

    assert outcome(machine, plan, faults) == ("done", plan.after)
    assert len(faults.made) <= CALLS_MAX
    assert {"replace", "fsync"} <= set(faults.made)


@pytest.mark.parametrize("k", range(1, CALLS_MAX + 1))
def test_after_a_failed_installation_the_next_one_and_its_undoing_work(k, machine, fail_call):
    plan = an_edit(machine)
    outcome(machine, plan, fail_call(k, False))

    anew = planning.plan_install("claude-code", machine.settings, our_registrations("/new/python"))
    planning.apply(anew, NOW)
    planning.apply(planning.plan_uninstall("claude-code", machine.settings), NOW)

    assert machine.settings.read_bytes() == OLD


def test_a_disk_that_takes_one_byte_at_a_time_gets_the_whole_file(machine, monkeypatch):
    plan = an_edit(machine)
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: write(descriptor, content[:1]))

    planning.apply(plan, NOW)

    assert machine.settings.read_bytes() == plan.after

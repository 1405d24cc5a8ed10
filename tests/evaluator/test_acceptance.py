"""Audit logs whose truth was fixed while their story was told, not computed from the rows."""

import json
from datetime import datetime

import pytest

from compact_guard.evaluator import evaluation, policy, verdict_json
from tests import shared_sets

pytestmark = pytest.mark.slow

STORIES = [
    "aborts_proven_by_the_next_row", "aborts_without_witness", "agent_forgets_the_hook",
    "eight_queued", "enough_to_keep", "fixed_in_a_new_version", "manual_does_not_count",
    "manual_miss_convicts", "miss_below_minimum", "mute_misses", "no_receipts", "one_long_session",
    "one_short", "orphan_injection", "random_11", "random_12", "random_13", "resume_delivers",
    "saves_fail", "still_under_way", "subagent_under_main_identity", "subagents_beside",
    "synthetic_only",
]  # fmt: skip


STORIES_WITH_TRANSCRIPTS = [
    "aborted_in_the_middle", "copied", "idle_delivered", "idle_missed", "injected_and_recorded",
    "microcompactions", "not_arrived", "random_21", "random_22", "silent_miss_at_the_end",
    "subagents_beside", "uncovered_inside_and_before",
]  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_the_answer_is_the_one_the_story_was_told_with(story):
    check(shared_sets.folder("acceptance") / story)


@pytest.mark.parametrize("story", STORIES_WITH_TRANSCRIPTS)
def test_transcripts_settle_what_rows_cannot(story):
    folder = shared_sets.folder("acceptance_transcripts") / story

    check(folder, transcripts=(folder / "transcripts",))


@pytest.mark.parametrize(
    ("name", "stories"),
    [("acceptance", STORIES), ("acceptance_transcripts", STORIES_WITH_TRANSCRIPTS)],
)
def test_no_story_is_left_out(name, stories):
    folder = shared_sets.folder(name)

    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == stories


def check(folder, **options):
    request = evaluation.Request(
        audit=(folder / "audit",),
        policy=policy.load(),
        as_of=datetime(2026, 11, 30, 3, 0),
        **options,
    )
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))

    found = verdict_json.as_json(evaluation.evaluate(request))

    for interface in (*expected["interfaces"], *found["interfaces"]):
        # The contract compares compactions as a set.
        interface.setdefault("compactions", []).sort(key=str)
    if "transcripts" not in options:
        for interface in expected["interfaces"]:
            del interface["compactions"]
    assert only(expected, found) == expected


def only(wanted, found):
    """The part of `found` that `wanted` speaks of; numbers within 1e-6 count as equal."""
    if isinstance(wanted, dict):
        return {name: only(value, found[name]) for name, value in wanted.items()}
    if isinstance(wanted, list):
        assert len(wanted) == len(found)
        return [only(one, other) for one, other in zip(wanted, found, strict=True)]
    if isinstance(wanted, float):
        return pytest.approx(found, abs=1e-6)
    return found

"""Codex: a running total that repeats, restarts and begins elsewhere, and records with ids."""

import pytest

from tests.window.stories import CodexStory
from tests.window.studies import rows, studied


def turns(story):
    return [event for event in story.scan().events if event.kind == "turn"]


def inputs(story):
    return [turn.input_tokens + turn.cache_read_tokens for turn in turns(story)]


def test_a_total_that_is_told_twice_counts_once(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").uncounted()
    for total, last in ((100, 100), (100, 100), (250, 150), (250, 150)):
        story.counted(total, last)

    assert inputs(story) == [100, 150]


def test_cached_tokens_are_taken_out_of_the_input(tmp_path):
    (turn,) = turns(CodexStory(tmp_path / "a.jsonl").counted(1_000, None, cached=900, out=50))

    assert (turn.input_tokens, turn.cache_read_tokens, turn.output_tokens) == (100, 900, 50)
    assert turn.context_tokens == 1_000


def test_a_total_that_falls_starts_a_new_base(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").counted(1_820_187, None).uncounted()
    story.counted(70_842, None).counted(170_842, 100_000)

    assert inputs(story) == [1_820_187, 70_842, 100_000]


def test_the_total_of_a_thread_that_goes_on_from_another_is_its_base(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl", parent_thread_id="t0", thread_source="subagent")
    story.counted(5_000_000, 0).counted(5_010_000, 10_000)

    assert inputs(story) == [10_000]
    assert [turn.is_main for turn in turns(story)] == [False]


def test_zeroed_events_around_a_compaction_are_no_turns(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").counted(156_845, None)
    story.counted(156_845, 0).compacted().counted(156_845, 0).counted(164_836, 7_991)

    (boundary,) = studied(story.path)["boundaries"]

    assert inputs(story) == [156_845, 7_991]
    assert (boundary["context_before"], boundary["context_after"]) == (156_845, 7_991)


def test_a_compaction_that_is_logged_costs_what_it_used_and_is_no_turn_before(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").recorded("resp_1", 80_000).counted(80_000, None)
    story.recorded("resp_2", 81_000).compacted(compaction_response_id="resp_2", window_id="w1")
    story.counted(80_000, 0).recorded("resp_3", 9_000).counted(89_000, 9_000)

    (boundary,) = studied(story.path)["boundaries"]

    assert inputs(story) == [80_000, 81_000, 9_000]
    assert (boundary["context_before"], boundary["context_after"]) == (80_000, 9_000)
    assert not boundary["cost_is_estimated"]
    assert round(boundary["cost_usd"], 6) == round((81_000 * 1.75 + 20 * 14) / 1e6, 6)


def test_old_counts_before_the_first_record_are_counted_too(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").counted(100, None)
    story.recorded("resp_1", 50).counted(150, 50).counted(190, 40)

    assert inputs(story) == [100, 50, 40]


def test_what_a_fork_copied_counts_once(tmp_path):
    parent = CodexStory(tmp_path / "a.jsonl", "A").counted(100, None)
    fork = CodexStory(tmp_path / "b.jsonl", "B", forked_from_id="A")
    fork.meta("A").counted(100, None).counted(150, 50)

    assert (inputs(parent), inputs(fork)) == ([100], [100, 50])
    assert sum(row["input_tokens"] for row in rows("window_turns", tmp_path)) == 150


def test_two_forks_whose_parent_is_gone_count_its_records_once(tmp_path):
    for name, used in (("B", 50), ("C", 70)):
        fork = CodexStory(tmp_path / f"{name}.jsonl", name, forked_from_id="A")
        fork.meta("A").counted(100, None, at="2026-10-01T00:00:00Z").counted(100 + used, used)

    assert sum(row["input_tokens"] for row in rows("window_turns", tmp_path)) == 100 + 50 + 70


def test_two_sessions_with_the_same_numbers_are_two(tmp_path):
    for name in ("A", "B"):
        CodexStory(tmp_path / f"{name}.jsonl", name).counted(30_000, None)

    assert studied(tmp_path)["totals"]["turns"] == 2


def test_a_fresh_subagent_with_its_parents_numbers_is_counted(tmp_path):
    CodexStory(tmp_path / "a.jsonl", "A").counted(30_000, None)
    options = {"parent_thread_id": "A", "thread_source": "subagent"}
    CodexStory(tmp_path / "b.jsonl", "B", **options).counted(30_000, None)

    totals = studied(tmp_path)["totals"]

    assert (totals["turns"], totals["main_turns"]) == (2, 1)


PROMPTS = {
    "legacy": ("user_message", {}),
    "paginated": ("item_completed", {"item": {"type": "UserMessage"}}),
}


def triggers(story):
    return [event.trigger for event in story.scan().events if event.kind == "boundary"]


def test_a_turn_that_nobody_typed_for_is_a_manual_compaction(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").event("task_started").counted(80_000, None)
    story.compacted().counted(80_000, 0).event("task_complete")

    assert triggers(story) == ["manual"]


@pytest.mark.parametrize("age", PROMPTS)
def test_a_prompt_before_or_after_it_in_the_same_turn_tells_of_no_manual_one(tmp_path, age):
    kind, fields = PROMPTS[age]
    story = CodexStory(tmp_path / "a.jsonl").event("task_started").event(kind, **fields)
    story.compacted().event("task_complete")
    story.event("task_started").compacted().event(kind, **fields).event("task_complete")

    assert triggers(story) == [None, None]


def test_a_model_that_works_on_in_the_same_turn_was_not_compacted_by_hand(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").event("task_started").counted(80_000, None)
    story.compacted().counted(90_000, 10_000).event("task_complete")

    assert triggers(story) == [None]


@pytest.mark.parametrize("end", ["turn_aborted", "task_started"])
def test_a_turn_that_did_not_complete_tells_no_trigger(tmp_path, end):
    story = CodexStory(tmp_path / "a.jsonl").event("task_started").compacted().event(end)

    assert triggers(story.event("task_complete")) == [None]


def test_a_file_without_turns_tells_no_trigger(tmp_path):
    assert triggers(CodexStory(tmp_path / "a.jsonl").compacted().event("task_complete")) == [None]


def test_a_manual_compaction_says_nothing_about_the_window(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").event("task_started").event("user_message")
    story.counted(90_000, None).event("task_complete")
    story.event("task_started").compacted().event("task_complete")

    (session,) = rows("window_sessions", story.path)

    assert (session["boundaries"], session["auto_boundaries"]) == (1, 0)


def test_what_the_cache_does_not_hold_after_a_compaction_is_paid_for_anew(tmp_path):
    """Nothing is told of writing: 6,000 tokens of the first turn are new, of the second few."""
    story = CodexStory(tmp_path / "a.jsonl").recorded("resp_1", 80_000).recorded("resp_2", 81_000)
    story.compacted(compaction_response_id="resp_2", window_id="w1")
    story.recorded("resp_3", 20_000, 14_000).recorded("resp_4", 21_000, 20_000)

    (boundary,) = studied(story.path)["boundaries"]

    rebuilding, call = 6_000 * (1.75 - 0.175) / 1e6, boundary["cost_usd"]
    saving = (80_000 - 20_000) * 0.175 / 1e6
    assert (boundary["rebuild_turns"], boundary["rebuild_input_tokens"]) == (1, 6_000)
    assert boundary["payback_turns"] == pytest.approx((call + rebuilding) / saving)

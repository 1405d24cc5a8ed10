"""The numbers of the report's tables, computed a second time from the rows that they sum up."""

from collections import defaultdict
from statistics import fmean, median

import numpy as np
import pytest

from compact_guard.evaluator import warehouse
from compact_guard.window import comparison, rules, simulation, study_charts
from compact_guard.window.study import Request
from tests.window import histories
from tests.window.stories import ClaudeStory
from tests.window.studies import built, rows, studied

MEDIANS = (
    "cache_read_before",
    "cache_read_after",
    "cache_write_after",
    "context_after",
    "rebuild_turns",
    "rebuild_write_tokens",
    "cost_usd",
    "payback_turns",
)


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Two windows, and a session that paused so long that its cache was gone."""
    folder = histories.change_of_window(tmp_path_factory.mktemp("history"), sessions=3)
    story = ClaudeStory(folder / "idle.jsonl", "idle").said("i1", read=70_000)
    story.after(9).boundary(70_000, durationMs=8_000).after(4_000).said("i2", write_5m=20_000)
    return folder


@pytest.fixture(scope="module")
def study(history):
    return studied(history, change=histories.at(3))


def test_each_size_of_context_has_the_medians_of_its_compactions(study):
    """Warm and cold caches apart."""
    groups = defaultdict(list)
    for one in study["boundaries"]:
        groups[one["context_before"] // 50_000 * 50_000, one["rebuild_cause"] == "ttl"].append(one)

    assert [(row["context_band"], row["is_cache_expired"]) for row in study["boundary_sizes"]] == (
        sorted(groups)
    )
    assert any(is_expired for _, is_expired in groups)
    for row in study["boundary_sizes"]:
        group = groups[row["context_band"], row["is_cache_expired"]]
        assert row["boundaries"] == row["costs_estimated"] == len(group)
        for name in MEDIANS:
            assert row[name] == pytest.approx(median(one[name] for one in group)), name
        assert row["seconds_known"] == sum(not one["wait_is_estimated"] for one in group)
        assert row["waits_estimated"] == sum(one["wait_is_estimated"] for one in group)
        for place, name in enumerate(("cache_read_second", "cache_read_third"), start=1):
            reads = [read for one in group for read in one["cache_reads_after"][place:][:1]]
            assert row[name] == (median(reads) if reads else None)


def test_a_typical_compaction_is_the_median_of_all(study):
    typical, every = study["typical_boundary"], study["boundaries"]

    assert typical["boundaries"] == typical["boundaries_between_turns"] == len(every)
    assert typical["call_usd"] == pytest.approx(median(one["cost_usd"] for one in every))
    assert typical["calls_usd"] == pytest.approx(sum(one["cost_usd"] for one in every))
    assert typical["seconds_waited"] == median(one["seconds_waited"] for one in every)
    assert typical["waits_estimated"] == len(every) - 1


def test_a_period_tells_mean_median_and_ninetieth_of_cost_and_context(history):
    with built(history) as connection:
        comparison.compare(connection, rules.load(), histories.at(3))
        turns = warehouse.rows(
            connection,
            "select period_name, cost_usd, context_tokens from window_turns "
            "join int_window_sessions_placed using (file_number)",
        )
        periods = warehouse.rows(
            connection, "select * from window_periods where not is_compared order by period_name"
        )

    assert [period["period_name"] for period in periods] == ["after", "before"]
    for period in periods:
        own = [turn for turn in turns if turn["period_name"] == period["period_name"]]
        for name, column in (("cost_per_turn", "cost_usd"), ("context_per_turn", "context_tokens")):
            values = [turn[column] for turn in own]
            end = "_usd" if column == "cost_usd" else ""
            assert period[f"{name}_mean{end}"] == pytest.approx(fmean(values))
            assert period[f"{name}_median{end}"] == pytest.approx(np.quantile(values, 0.5))
            assert period[f"{name}_p90{end}"] == pytest.approx(np.quantile(values, 0.9))


def test_a_day_tells_the_same_of_its_turns(history):
    turns, days = rows("window_turns", history), rows("window_days", history)

    for day in days:
        costs = [
            turn["cost_usd"] for turn in turns if turn["responded_date"] == day["responded_date"]
        ]
        assert day["cost_usd"] == pytest.approx(sum(costs))
        assert day["cost_per_turn_p90_usd"] == pytest.approx(np.quantile(costs, 0.9))


def test_the_sawtooth_is_the_session_that_compacted_most_with_every_tooth(study, tmp_path):
    most = max(
        (file for file in study["files"]), key=lambda file: (file["boundaries"], file["turns"])
    )
    points = study["sawtooth"]

    assert points[-1][0] == most["main_turns"]
    assert points[-1][2] == most["boundaries"]
    histories.session(tmp_path, 0, 100_000, turns=3_000)
    long = studied(tmp_path)
    tops = [context for _, context, _ in long["sawtooth"]]
    assert len(tops) < 3_000
    assert max(tops) == 100_003  # three tokens come on top of what is cached
    assert len({number for *_, number in long["sawtooth"]}) == long["files"][0]["boundaries"] + 1


def test_the_longest_session_is_shown_where_none_compacted(tmp_path):
    histories.session(tmp_path, 0, 900_000)

    words, svg = study_charts.charts(studied(tmp_path))["sawtooth"]

    assert words.startswith("Context of the longest session: 30 turns, 0 compactions")
    assert "longest session" in svg


def test_the_chart_of_windows_marks_the_present_and_the_best_one(history, study):
    question = simulation.Question((60_000, 80_000, 120_000, 160_000, 900_000))
    simulated = simulation.answer(Request((history,)), question)
    [model] = simulated["models"]

    words, svg = study_charts.charts(study, simulated)["windows"]

    for name, window in (("best", model["best"]["window"]), ("present", model["present_window"])):
        assert f"{window:,}" in words
        assert f"{name}: {window // 1_000}k" in svg

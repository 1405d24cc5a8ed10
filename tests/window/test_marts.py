"""What the tables of a study say of boundaries, bands, days and sessions."""

import duckdb
import pytest

from compact_guard.evaluator import warehouse
from compact_guard.window.study import Request, answer
from tests.window.stories import ClaudeStory
from tests.window.studies import built, rows, studied


@pytest.fixture
def story(tmp_path):
    return ClaudeStory(tmp_path / "a.jsonl")


def compacted(story, *, gap=5.0):
    """A long context, a boundary, and a cache that is whole again at the third turn."""
    story.said("m1", read=150_000, write_1h=10_000)
    story.after(80).boundary(165_000, 9_000, durationMs=78_000).summary().after(gap)
    story.said("m2", read=20_000, write_1h=30_000)
    story.said("m3", read=20_000, write_1h=35_000)
    return story.said("m4", read=55_003, write_1h=1_000)


def test_a_boundary_stands_between_its_two_turns(story):
    (boundary,) = studied(compacted(story).path)["boundaries"]

    assert (boundary["context_before"], boundary["context_after"]) == (160_003, 50_003)
    assert (boundary["cache_read_before"], boundary["cache_read_after"]) == (150_000, 20_000)
    assert (boundary["cache_write_after"], boundary["seconds"]) == (30_000, 78.0)


def test_the_cache_is_rebuilt_until_a_turn_reads_what_the_turn_before_was_given(story):
    (boundary,) = rows("window_boundaries", compacted(story).path)

    assert (boundary["rebuild_turns"], boundary["rebuild_write_tokens"]) == (2, 65_000)
    assert boundary["rebuild_cause"] == "compaction"


def test_after_a_long_pause_it_is_the_pause_that_emptied_the_cache(story):
    (boundary,) = rows("window_boundaries", compacted(story, gap=3_700).path)

    assert boundary["rebuild_cause"] == "ttl"


def test_a_call_that_no_agent_logs_is_estimated_from_what_it_read_and_wrote(story):
    (boundary,) = rows("window_boundaries", compacted(story).path)
    summary_tokens = boundary["cost_usd"] * 1e6 / 20 - (160_003 * 0.2 + 4_997 * 4) / 20

    assert boundary["cost_is_estimated"]
    assert summary_tokens == pytest.approx(4_200 / 4, rel=0.05)


def test_a_call_after_the_cache_is_gone_pays_for_the_whole_context(story):
    story.said("m1", read=150_000, write_1h=10_000).after(4_000)
    story.boundary(160_003, 0).said("m2", read=1)

    (boundary,) = rows("window_boundaries", story.path)

    assert boundary["is_call_cold"]
    assert boundary["cost_usd"] == pytest.approx(160_003 * 8 / 1e6)


def test_a_compaction_has_paid_for_itself_when_smaller_contexts_have_saved_what_it_cost(story):
    (boundary,) = rows("window_boundaries", compacted(story).path)

    saved_per_turn = (160_003 - 50_003) * 0.2 / 1e6
    rebuilding = 65_000 * (8 - 0.2) / 1e6
    assert boundary["saving_per_turn_usd"] == pytest.approx(saved_per_turn)
    assert boundary["rebuild_cost_usd"] == pytest.approx(rebuilding)
    turns = (boundary["cost_usd"] + rebuilding) / saved_per_turn
    assert boundary["payback_turns"] == pytest.approx(turns)


def test_a_boundary_without_a_turn_before_is_marked_and_one_without_a_turn_after_has_none(story):
    (boundary,) = rows("window_boundaries", story.boundary().typed().path)

    assert not boundary["has_turn_before"]
    assert (boundary["context_after"], boundary["payback_turns"]) == (None, None)


def test_a_response_that_reappears_after_the_boundary_stands_before_it(story):
    story.said("m1", read=160_000).boundary().said("m1", read=160_000)

    (boundary,) = studied(story.path)["boundaries"]

    assert (boundary["context_before"], boundary["context_after"]) == (160_003, None)


def test_a_boundary_that_keeps_nearly_everything_is_shallow(story):
    story.said("m1", read=400_000).boundary(400_000).said("m2", write_1h=290_000)

    assert rows("window_boundaries", story.path)[0]["is_shallow"]


def test_three_boundaries_in_a_row_with_hardly_a_turn_between_are_one_episode(story):
    for number in range(3):
        story.said(f"a{number}", read=9).said(f"b{number}", read=9).boundary()
    for number in range(9):
        story.said(f"c{number}", read=9)
    story.boundary().said("d", read=9)

    episodes = [row["thrash_episode"] for row in rows("window_boundaries", story.path)]

    assert episodes == [1, 1, 1, None]


def test_a_boundary_that_two_files_hold_is_listed_for_both_and_counted_once(tmp_path):
    for name in ("a", "b"):
        ClaudeStory(tmp_path / f"{name}.jsonl").said("m1", read=9).boundary().said("m2", read=9)

    study = studied(tmp_path)

    assert [boundary["is_copy"] for boundary in study["boundaries"]] == [False, True]
    assert sum(day["boundaries"] for day in study["days"]) == 1


def test_bands_days_and_totals_add_up(tmp_path):
    for number in range(4):
        story = ClaudeStory(tmp_path / f"{number}.jsonl", f"s{number}").after(number * 40_000)
        compacted(story)
        story.said(f"x{number}", isSidechain=True).said(f"y{number}", model="heron-9")

    study = studied(tmp_path)

    for name in ("turns", "main_turns", "unpriced_turns"):
        total = study["totals"][name]
        assert sum(band[name] for band in study["bands"]) == total
        assert sum(day[name] for day in study["days"]) == total
    for name in ("cost_usd", "main_cost_usd"):
        total = pytest.approx(study["totals"][name])
        assert sum(band[name] for band in study["bands"]) == total
        assert sum(day[name] for day in study["days"]) == total


def test_a_band_holds_the_contexts_that_its_edges_name(story):
    story.said("m1", read=49_000).said("m2", read=51_000)

    edges = [(band["context_from"], band["context_to"]) for band in studied(story.path)["bands"]]

    assert edges == [(0, 50_000), (50_000, 100_000)]


def test_a_session_knows_its_start_its_model_and_its_boundaries(story):
    (session,) = rows("window_sessions", compacted(story).path)

    assert (session["turns"], session["boundaries"]) == (4, 1)
    assert session["main_model"] == "claude-opus-5-5"
    assert session["auto_tokens_before"] == 165_000
    assert session["peak_context_tokens"] == 160_003


def test_every_list_is_in_the_order_of_time(tmp_path):
    for number, hours in enumerate((40, 10, 90)):
        story = ClaudeStory(tmp_path / f"{number}.jsonl", f"s{number}").after(hours * 3_600)
        for turn in range(2):
            story.said(f"{number}-{turn}", read=60_000 * turn + 9).boundary()

    study = studied(tmp_path)

    for name, key in (
        ("boundaries", "at"),
        ("days", "from"),
        ("periods", "from"),
        ("bands", "date"),
    ):
        moments = [entry[key] for entry in study[name]]
        assert moments == sorted(moments)
    assert [file["path"][-7:] for file in study["files"]] == ["1.jsonl", "0.jsonl", "2.jsonl"]


def test_evaluate_builds_no_model_of_the_study():
    assert not any(model.name.startswith(("window", "stg_window")) for model in warehouse.models())


def test_a_kept_file_in_which_a_model_stood_as_a_table_is_used_again(tmp_path):
    compacted(ClaudeStory(tmp_path / "a.jsonl"))
    kept = tmp_path / "window.duckdb"
    with duckdb.connect(str(kept)) as connection:
        connection.execute("create table window_steps (turn integer)")
    request = Request((tmp_path,), warehouse=kept)

    assert answer(request) == answer(request) == answer(Request((tmp_path,)))

    with duckdb.connect(str(kept), read_only=True) as connection:
        [(steps,)] = connection.execute("select count(*) from window_steps").fetchall()
    assert steps == 4


def test_no_number_of_tokens_is_negative_and_every_promise_of_the_headers_holds(tmp_path):
    compacted(ClaudeStory(tmp_path / "a.jsonl"))

    with built(tmp_path) as connection:
        (least,) = connection.execute(
            "select min(least(input_tokens, output_tokens, cache_read_tokens, context_tokens))"
            " from window_turns"
        ).fetchone()

    assert least >= 0

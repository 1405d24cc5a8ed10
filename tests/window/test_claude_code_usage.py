"""Claude Code: a response counts once, by its last row, whatever copies there are."""

from hypothesis import given
from hypothesis import strategies as st

from tests.window.stories import ClaudeStory
from tests.window.studies import studied


def turns(story):
    return [event for event in story.scan().events if event.kind == "turn"]


def test_a_response_on_several_rows_counts_once_by_its_last_row(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl")
    for out in (1, 1, 384):
        story.said("m1", read=22_076, out=out)

    (turn,) = turns(story)

    assert (turn.output_tokens, turn.cache_read_tokens, turn.line_number) == (384, 22_076, 1)


def test_a_missing_request_id_changes_nothing(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", request=None).said("m1")

    assert len(turns(story)) == 1


def test_without_a_message_id_the_row_itself_is_the_response(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said(None).said(None)

    assert len(turns(story)) == 2


def test_a_resumed_session_that_rewrites_rows_under_new_ids_adds_nothing(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1").said("m2").said("m1").said("m2")

    assert [turn.event_key for turn in turns(story)] == ["m1", "m2"]


def test_a_subagents_replay_of_the_main_session_is_no_turn_of_its_own(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", out=50)
    story.said("m1", out=1, request="r2", isSidechain=True)
    story.said("m2", request="r3", isSidechain=True)

    told = [(turn.event_key, turn.is_main, turn.output_tokens) for turn in turns(story)]

    assert told == [("m1", True, 50), ("m2", False, 10)]


def test_rows_that_the_program_made_up_cost_nothing_and_are_no_turns(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", model="<synthetic>")

    assert turns(story) == []


def test_cache_writes_are_told_apart_and_unsplit_ones_were_for_five_minutes(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", write_5m=700, write_1h=300)
    old = story.response("m2", write_5m=900)
    del old["message"]["usage"]["cache_creation"]
    story.row(old)

    written = [(t.cache_write_5m_tokens, t.cache_write_1h_tokens) for t in turns(story)]

    assert written == [(700, 300), (900, 0)]


def test_a_boundary_tells_what_its_metadata_and_summary_say(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1").boundary(167_389, 9_000, durationMs=81_000)
    story.summary()

    (boundary,) = (event for event in story.scan().events if event.kind == "boundary")

    assert (boundary.tokens_before, boundary.tokens_after) == (167_389, 9_000)
    assert (boundary.duration_ms, boundary.trigger) == (81_000, "auto")
    assert 4_000 < boundary.summary_bytes < 5_000


def test_a_clearing_of_old_tool_results_is_no_boundary(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1")
    story.row(story.record("system", subtype="microcompact_boundary"))

    assert [event.kind for event in story.scan().events] == ["turn"]


def test_numbers_and_names_of_another_kind_than_expected_do_no_harm(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").typed()
    strange = story.response("m1", read=5)
    strange["message"]["usage"] |= {"output_tokens": None, "input_tokens": -3, "speed": 7}
    strange["timestamp"] = 1_700_000_000
    story.row(strange).row(story.record("assistant", message=["no", "object"]))

    (turn,) = turns(story)

    assert (turn.input_tokens, turn.output_tokens, turn.cache_read_tokens) == (0, 0, 5)
    assert turn.event_at is None


def test_files_count_by_themselves_and_totals_count_a_response_once(tmp_path):
    ClaudeStory(tmp_path / "a.jsonl", "s1").said("m1").said("m2")
    ClaudeStory(tmp_path / "b.jsonl", "s2").said("m1").said("m2").said("m3")

    study = studied(tmp_path)

    assert [file["turns"] for file in study["files"]] == [2, 3]
    assert study["totals"]["turns"] == 3


def test_a_subagents_own_file_is_kept_apart_and_its_copies_of_the_parent_count_once(tmp_path):
    ClaudeStory(tmp_path / "s1.jsonl").said("m1")
    agent = ClaudeStory(tmp_path / "s1" / "subagents" / "agent-a1.jsonl")
    agent.said("m1", isSidechain=True).said("m2", isSidechain=True)

    study = studied(tmp_path)

    assert (study["totals"]["turns"], study["totals"]["main_turns"]) == (2, 1)
    assert {file["main_turns"] for file in study["files"]} == {1, 0}


def test_of_a_response_cut_short_in_a_snapshot_the_whole_one_counts(tmp_path):
    ClaudeStory(tmp_path / "a.jsonl").said("m1", out=1)
    ClaudeStory(tmp_path / "b.jsonl").said("m1", out=1).said("m1", out=500)

    assert (
        studied(tmp_path / "a.jsonl", tmp_path)["totals"] == studied(tmp_path / "b.jsonl")["totals"]
    )


@given(copies=st.lists(st.integers(1, 4), min_size=1, max_size=8))
def test_how_often_a_row_is_repeated_changes_no_number(copies, tmp_path_factory):
    folder = tmp_path_factory.mktemp("copies")
    once, often = ClaudeStory(folder / "once.jsonl"), ClaudeStory(folder / "often.jsonl")
    for number, count in enumerate(copies):
        row = once.response(f"m{number}", read=number * 1_000)
        once.row(row)
        for _ in range(count):
            often.row(row)

    told = [[(t.event_key, t.cache_read_tokens) for t in turns(story)] for story in (once, often)]

    assert told[0] == told[1]

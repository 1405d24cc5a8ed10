"""Hard stories, with the truth counted by hand: what copies, restarts and glue must not change."""

import json

from tests.window.stories import ClaudeStory, CodexStory
from tests.window.studies import studied


def counted(folder):
    """Responses, and boundaries that are no copy."""
    study = studied(folder)
    own = [boundary for boundary in study["boundaries"] if not boundary["is_copy"]]
    return study["totals"]["turns"], len(own)


def test_two_sessions_resumed_from_one_count_what_they_share_once(tmp_path):
    begun = ClaudeStory(tmp_path / "a.jsonl", "A").said("m1").boundary().said("m2")
    shared = begun.path.read_bytes()
    ClaudeStory(tmp_path / "b.jsonl", "A").raw(shared).said("m3")
    renamed = shared.replace(b'"sessionId": "A"', b'"sessionId": "C"')
    ClaudeStory(tmp_path / "c.jsonl", "C").raw(renamed).said("m4")

    assert counted(tmp_path) == (4, 1)


def test_a_row_that_reappears_behind_a_boundary_counts_once_and_is_no_turn_after_it(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", read=150_000)
    again = story.path.read_bytes()
    story.boundary().raw(again).said("m2", read=9_000)

    [boundary] = studied(tmp_path)["boundaries"]

    assert counted(tmp_path) == (2, 1)
    assert (boundary["cache_read_before"], boundary["cache_read_after"]) == (150_000, 9_000)


def test_a_subagents_row_in_the_main_file_and_in_its_own_counts_once(tmp_path):
    main = ClaudeStory(tmp_path / "A.jsonl", "A").said("m1").said("m2", isSidechain=True)
    own = ClaudeStory(tmp_path / "A" / "subagents" / "agent-x.jsonl", "A")
    own.said("m2", isSidechain=True).said("m3", isSidechain=True)

    totals = studied(tmp_path)["totals"]

    assert (totals["turns"], totals["main_turns"]) == (3, 1)
    assert len(main.scan().events) == 2


def test_what_is_glued_to_a_torn_row_is_counted_or_the_line_is(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1")
    one, two = (json.dumps(story.response(name)).encode() for name in ("m2", "m3"))
    story.raw(one + two[:60] + b"\n").said("m4")

    [file] = studied(tmp_path)["files"]

    assert (file["turns"], file["rejected_lines"], file["rejected"]) == (3, 1, {"torn": 1})


def test_a_fork_of_a_fork_counts_every_response_once(tmp_path):
    CodexStory(tmp_path / "a.jsonl", "A").counted(100, None)
    fork = CodexStory(tmp_path / "b.jsonl", "B", forked_from_id="A").meta("A")
    fork.counted(100, None).counted(150, 50)
    fork = CodexStory(tmp_path / "c.jsonl", "C", forked_from_id="B").meta("B").meta("A")
    fork.counted(100, None).counted(150, 50).counted(160, 10)

    assert counted(tmp_path) == (3, 0)


def test_two_compactions_in_a_row_with_zeroed_counts_are_no_turns(tmp_path):
    story = CodexStory(tmp_path / "a.jsonl").uncounted().counted(900, None).counted(900, 0)
    story.compacted().counted(900, 0).uncounted().compacted().counted(900, 0).counted(950, 50)

    assert counted(tmp_path) == (2, 2)

"""Codex: how long a compaction took, as logged, or as the records around it tell; else why not."""

import pytest

from tests.window.stories import CodexStory
from tests.window.studies import rows, studied


@pytest.fixture
def story(tmp_path):
    return CodexStory(tmp_path / "a.jsonl")


def told(story):
    """Milliseconds and evidence of each compaction."""
    events = [event for event in story.scan().events if event.kind == "boundary"]
    return [(event.duration_ms, event.duration_evidence) for event in events]


def compaction(story, took, **fields):
    """An older Codex compacts by itself: nothing but its call stands before the mark."""
    story.event("task_started").record("response_item", {"type": "function_call_output"})
    story.counted(80_000, None).counted(80_000, None).after(took - 4)
    story.record("response_item", {"type": "message"}).counted(85_000, 5_000)
    return story.compacted(**fields)


def item(story, began, ended, kind="ContextCompaction"):
    return story.event(
        "item_completed", item={"type": kind}, started_at_ms=began, completed_at_ms=ended
    )


def test_what_is_logged_counts(story):
    item(compaction(story, 60), 1_000, 22_500)

    assert told(story) == [(21_500, "logged")]


def test_older_files_tell_by_what_stands_before_the_call(story):
    compaction(story, 60)

    assert told(story) == [(61_000, "records")]


def test_a_compaction_by_hand_takes_from_the_start_of_its_turn(story):
    story.event("task_started").counted(80_000, None).event("task_complete").after(3_600)
    story.event("task_started").after(20).record("response_item", {"type": "message"})
    story.compacted().event("task_complete")

    assert told(story) == [(22_000, "records")]


@pytest.mark.parametrize("end", ["task_complete", "turn_aborted", None])
def test_between_turns_nobody_knows_when_it_began(story, end):
    """Files before tasks were told of have no turns at all."""
    if end:
        story.event("task_started").counted(80_000, None).event(end)
    story.after(3_600).compacted()

    assert told(story) == [(None, "outside_a_turn")]


def test_a_time_that_cannot_be_read_is_said(story):
    compaction(story, 60)
    story.path.write_text(story.path.read_text().replace("2026-11-01T", "lorem ipsum "))

    assert told(story) == [(None, "no_time")]


def test_copies_that_share_one_moment_tell_no_time(story):
    story.event("task_started").record("compacted", {}, at="2026-11-01T00:00:03.000Z")

    assert told(story) == [(None, "no_time")]


@pytest.mark.parametrize(
    ("began", "ended", "kind"),
    [(None, 5, "ContextCompaction"), (5, None, "ContextCompaction"), (6, 5, "ContextCompaction"),
     (1, 2, "AgentMessage")],
)  # fmt: skip
def test_an_item_that_tells_no_time_of_it_changes_nothing(story, began, ended, kind):
    item(compaction(story, 60), began, ended, kind)

    assert told(story) == [(61_000, "records")]


def test_an_item_of_another_turn_is_not_the_compactions(story):
    item(compaction(story, 60).event("task_complete").event("task_started"), 1, 2)

    assert told(story) == [(61_000, "records")]


def test_lines_read_one_by_one_tell_the_same(story):
    """A torn line makes its neighbours be read alone."""
    story.raw(b"{torn\n")
    compaction(story, 60)

    assert told(story) == [(61_000, "records")]


def test_a_stretch_that_begins_at_the_mark_looks_back_into_the_one_before(story):
    """Half a megabyte is read at once."""
    compaction(story, 60)
    *before, mark = story.path.read_bytes().splitlines(keepends=True)
    filler = b'{"timestamp":"2026-11-01T00:00:00.000Z","type":"response_item","payload":{}}\n'
    size = sum(map(len, before)) + len(mark)
    story.path.write_bytes(filler * ((1 << 19) // len(filler) - size // len(filler)))
    story.raw(b"".join(before) + mark + filler * 9)

    assert told(story) == [(61_000, "records")]


def test_a_call_that_older_files_count_without_a_name_is_logged_and_no_turn_before(story):
    compaction(story, 60).counted(85_000, 0).counted(95_000, 10_000)

    (boundary,) = studied(story.path)["boundaries"]

    assert not boundary["cost_is_estimated"]
    assert boundary["cost_usd"] == pytest.approx(5_000 * 1.75 / 1e6)
    assert (boundary["context_before"], boundary["context_after"]) == (80_000, 10_000)


def test_an_answer_before_a_remote_compaction_is_not_its_call(story):
    story.event("task_started").event("agent_message")
    story.record("response_item", {"type": "message"}).counted(80_000, None)
    story.event("task_complete").event("task_started").compacted().counted(90_000, 10_000)

    (boundary,) = studied(story.path)["boundaries"]

    assert boundary["cost_is_estimated"]
    assert boundary["context_before"] == 80_000


def test_the_study_counts_what_is_known_estimated_and_unknown(tmp_path):
    known = compaction(CodexStory(tmp_path / "a.jsonl", "A"), 60).counted(95_000, 10_000)
    known.event("task_complete").after(500).compacted().counted(96_000, 1_000)
    CodexStory(tmp_path / "b.jsonl", "B").compacted()

    waits = {row["seconds_evidence"]: row for row in rows("window_waits", tmp_path)}
    study = studied(tmp_path)

    assert {name: (row["boundaries"], row["estimated"], row["unknown"]) for name, row in
            waits.items()} == {"records": (1, 0, 0), "outside_a_turn": (2, 1, 1)}  # fmt: skip
    assert [boundary["seconds_waited"] for boundary in study["boundaries"]] == [None, 61, 300]
    assert [boundary["wait_is_estimated"] for boundary in study["boundaries"]] == [
        False, False, True,
    ]  # fmt: skip
    assert {wait["seconds_evidence"] for wait in study["waits"]} == waits.keys()

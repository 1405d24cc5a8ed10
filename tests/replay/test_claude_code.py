"""Claude Code: what stands around a boundary, what was kept, and what takes no part."""

import json
from datetime import datetime

import pytest

from tests.replay.conftest import (
    CONSTRAINT,
    CORRECTION,
    SUMMARY,
    Claude,
    boundaries,
    lost,
    replayed,
)


def test_a_boundary_tells_what_a_checkpoint_would_have_held_and_what_the_summary_lost(claude):
    claude.typed(CORRECTION).answered("Yes.").typed(CONSTRAINT)

    [found] = boundaries(claude.compacted(summary=f"{SUMMARY}\n{CONSTRAINT}"))

    assert (found.outcome, found.trigger, found.agent_version) == ("saved", "manual", "2.1.332")
    assert found.at == datetime(2026, 11, 30, 0, 0, 4)
    assert found.held == {
        "corrections": 1, "decisions": 0, "constraints": 1, "tasks": 0, "evidence": 0, "recent": 1,
    }  # fmt: skip
    assert lost(found) == {CORRECTION, "Yes."}
    assert found.rescued()["corrections"] == 1


def test_the_second_checkpoint_holds_what_still_stands_of_the_first(claude):
    claude.typed(CORRECTION).typed("The limit is 50 rows.").compacted()
    claude.typed("No, the limit is 95 rows, not 50.").compacted()

    first, second = boundaries(claude)

    assert (first.carried, second.carried) == (0, 1)
    assert lost(second) == {CORRECTION, "No, the limit is 95 rows, not 50."}


def test_a_checkpoint_of_last_month_is_not_merged_any_more(claude):
    claude.typed(CORRECTION, timestamp="2026-10-01T00:00:00Z")
    claude.message(
        type="system",
        subtype="compact_boundary",
        compactMetadata={"trigger": "auto"},
        timestamp="2026-10-01T00:01:00Z",
    )
    claude.typed(CONSTRAINT).compacted()

    _, second = boundaries(claude)

    assert second.carried == 0


def test_what_the_boundary_names_stayed_word_for_word(claude):
    claude.typed(CORRECTION).typed(CONSTRAINT)
    kept = claude.newest_id()

    [found] = boundaries(claude.compacted("auto", preservedMessages={"uuids": [kept]}))

    assert lost(found) == {CORRECTION}


def test_where_the_boundary_names_nothing_the_hooks_guess_counts(claude):
    claude.typed(CORRECTION)
    for number in range(4):
        claude.typed(f"Look at file {number}.")

    [found] = boundaries(claude.compacted("auto"))

    assert lost(found) == {CORRECTION}


def test_without_a_summary_nobody_can_tell(claude):
    [found] = boundaries(claude.typed(CORRECTION).boundary("manual"))

    assert (found.outcome, found.lost, found.rescued()) == ("saved", None, None)


def test_the_summary_of_the_next_boundary_is_not_this_ones(claude):
    claude.typed(CORRECTION).boundary("manual").answered("Working.").compacted()

    first, second = boundaries(claude)

    assert first.lost is None
    assert second.lost is not None


def test_what_was_typed_for_the_compaction_is_in_its_checkpoint(claude):
    claude.typed(CONSTRAINT).compacted(summary="Nothing.")
    command = "<command-name>/compact</command-name>\n<command-args>keep the birds</command-args>"
    claude.typed("<local-command-caveat>", isMeta=True).typed(command)

    [found] = boundaries(claude)

    assert "keep the birds" in lost(found)


def test_nothing_to_save_is_told_as_the_hook_tells_it(claude):
    [found] = boundaries(claude.compacted())

    assert (found.outcome, found.reason) == ("empty", "too_few_messages")
    assert (sum(found.held.values()), found.units, found.lost) == (0, 0, [])


def test_secrets_are_redacted_before_anything_else(claude):
    [found] = boundaries(claude.typed("The PASSWORD=not-a-real-one-42, never log it.").compacted())

    assert found.redactions == 1
    assert "not-a-real-one-42" not in str(found)


def test_a_subagents_boundary_in_the_main_file_takes_no_part(claude):
    claude.typed(CORRECTION).boundary(isSidechain=True)

    assert boundaries(claude) == ()


@pytest.mark.parametrize("name", ["subagents/agent-a1.jsonl", "agent-a1.jsonl"])
def test_a_subagents_file_takes_no_part(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    story = Claude(path)
    story.typed(CORRECTION, isSidechain=True).boundary(isSidechain=True)

    file = replayed(story)

    assert (file.skipped, file.boundaries) == ("subagent", ())


def test_a_boundary_that_is_only_quoted_is_none(claude):
    quoted = json.dumps({"type": "system", "subtype": "compact_boundary"})

    assert boundaries(claude.tool_result(quoted).typed(f"What is {quoted}?")) == ()


def test_a_boundary_glued_to_another_record_is_found(claude):
    claude.typed(CORRECTION)
    size = claude.path.stat().st_size
    claude.compacted()
    content = claude.path.read_bytes()
    claude.path.write_bytes(content[: size - 1] + content[size:])

    [found] = boundaries(claude)

    # A hook reads whole lines: what shares its line with the boundary was not there yet.
    assert found.outcome == "empty"


def test_damage_is_counted_by_reason(claude, monkeypatch):
    monkeypatch.setattr("compact_guard.hook.transcript.LINE_BYTES_MAX", 4_000)
    claude.typed(CORRECTION).raw(b'{"type":"user","message":{"content":"half a\n')
    claude.typed("x" * 5_000).raw(b'{"subtype":"compact_boundary","half\n').compacted()

    file = replayed(claude)

    assert file.unreadable == {"damaged": 2, "too_long": 1}
    assert file.boundaries[0].held["corrections"] == 1


def test_a_boundary_that_is_still_being_written_is_none_yet(claude):
    claude.typed(CORRECTION).boundary()
    claude.path.write_bytes(claude.path.read_bytes()[:-1])

    file = replayed(claude)

    assert (file.boundaries, file.unreadable) == ((), {})


def test_a_transcript_that_the_hook_cannot_cope_with_is_told_as_its_row_tells_it(
    claude, monkeypatch
):
    claude.typed(CORRECTION).compacted()
    monkeypatch.setattr("compact_guard.hook.ranking.rank", lambda _: 1 / 0)

    [found] = boundaries(claude)

    assert (found.outcome, found.reason) == ("failed", "internal_error")

"""`last_boundary_bytes`: exact, cheap, or not given."""

import json

import pytest

from compact_guard.agents.claude_code import hook
from compact_guard.hook import boundary
from compact_guard.hook import transcript as transcript_module
from compact_guard.hook.transcript import Transcript as Opened


def newest(guard, transcript, **fields):
    guard.pre_compact(transcript.path, trigger="manual", **fields)
    return guard.last()["last_boundary_bytes"]


def test_a_transcript_without_boundary_says_null_and_how_far_it_was_read(guard, conversation):
    assert newest(guard, conversation) is None
    assert guard.last()["transcript_bytes"] == conversation.path.stat().st_size


def test_the_newest_boundary_is_named_by_its_first_byte(guard, conversation):
    conversation.boundary().typed("on").boundary().typed("and on")

    offset = newest(guard, conversation)

    assert offset == conversation.boundaries[1]
    line = conversation.path.read_bytes()[offset:].splitlines()[0]
    assert json.loads(line)["subtype"] == "compact_boundary"


def test_later_runs_find_new_boundaries_and_keep_old_ones(guard, conversation):
    conversation.boundary().typed("on")
    assert newest(guard, conversation) == conversation.boundaries[0]
    conversation.typed("no boundary since")
    assert newest(guard, conversation) == conversation.boundaries[0]
    conversation.boundary().typed("on")
    assert newest(guard, conversation) == conversation.boundaries[1]


def test_a_glued_boundary_is_named_by_its_own_offset(guard, conversation):
    glue = b'{"type":"progress","note":"' + "é".encode() * 9 + b'"}'
    conversation.raw(glue)
    conversation.boundary().typed("on")

    assert newest(guard, conversation) == conversation.boundaries[0]


def test_a_nul_run_before_a_boundary_is_not_part_of_it(guard, conversation):
    conversation.raw(b"\0" * 300).boundary().typed("on")

    assert newest(guard, conversation) == conversation.boundaries[0]


@pytest.mark.parametrize(
    "story",
    [
        lambda told: told.message(type="system", subtype="microcompact_boundary"),
        lambda told: told.boundary(isSidechain=True),
        lambda told: told.tool_result('{"type":"system","subtype":"compact_boundary"}'),
        lambda told: told.row(
            type="progress", data={"type": "system", "subtype": "compact_boundary"}
        ),
        lambda told: told.typed('"compact_boundary"'),
        lambda told: told.raw(b'{"type":"system","subtype":"compact_boundary"}'),
    ],
)
def test_what_only_looks_like_a_boundary_is_none(guard, conversation, story):
    story(conversation)

    assert newest(guard, conversation) is None
    assert guard.last()["transcript_bytes"] is not None


def test_a_damaged_line_that_may_be_a_boundary_makes_the_row_no_witness(guard, conversation):
    conversation.boundary().raw(b'{"type":"system","subtype":"compact_boundary","x":\n')

    assert newest(guard, conversation) is None
    assert guard.last()["transcript_bytes"] is None


def test_a_rewritten_transcript_is_searched_anew(guard, conversation):
    conversation.boundary().typed("on").typed("and on")
    newest(guard, conversation)
    lines = conversation.path.read_bytes().splitlines(keepends=True)
    conversation.path.write_bytes(b"".join([lines[0], *lines[-2:]]) + lines[-1] * 9)

    assert newest(guard, conversation) is None


def test_a_search_that_was_bounded_goes_on_where_it_stopped(tmp_path, conversation, monkeypatch):
    monkeypatch.setattr(boundary, "BOUNDARY_BYTES_MAX", 1_000)
    conversation.boundary()
    for number in range(12):
        conversation.typed(f"message {number} " + "x" * 100)
    folder = str(tmp_path)

    answers = []
    for _ in range(8):
        opened = Opened(str(conversation.path))
        found = boundary.newest_boundary(opened, opened.first_line_hash(), hook, folder)
        answers.append(found)

    assert answers[0] == boundary.UNKNOWN
    assert answers[-1] == conversation.boundaries[0]
    assert set(answers) == {boundary.UNKNOWN, conversation.boundaries[0]}


@pytest.mark.parametrize("chunk", [1, 7, 19, 64, 1_000])
def test_chunk_edges_hide_nothing(tmp_path, conversation, monkeypatch, chunk):
    monkeypatch.setattr(boundary, "CHUNK_BYTES", chunk)
    monkeypatch.setattr(transcript_module, "CHUNK_BYTES", chunk)
    conversation.boundary().typed("on").raw(b"\r\n\n").typed("and on")
    opened = Opened(str(conversation.path))

    found = boundary.newest_boundary(opened, opened.first_line_hash(), hook, str(tmp_path))

    assert found == conversation.boundaries[0]
    told = conversation.path.read_bytes()
    backward = list(opened.lines_backward(1 << 30))
    assert b"\n".join(line for _, line in reversed(backward)) + b"\n" == told
    assert all(told[offset : offset + len(line)] == line for offset, line in backward)

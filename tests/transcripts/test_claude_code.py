"""What Claude Code's transcript proves, and what only looks like proof."""

import json
from pathlib import Path

import pytest

from compact_guard.hook import identity
from compact_guard.transcripts import witness
from tests.transcripts.stories import A, B, ClaudeStory, label

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture
def story(tmp_path) -> ClaudeStory:
    return ClaudeStory(tmp_path / "s1.jsonl")


def test_a_recorded_session_shows_prompt_boundary_arrival_and_the_answer_after_it():
    read = witness.read(SAMPLES / "claude_code_2.1.332.jsonl")

    assert [(fact.kind, fact.byte_offset) for fact in read.events] == [
        ("user_prompt", 0),
        ("model_turn", 1454),
        ("boundary", 3886),
        ("injected_text", 8261),
        ("user_prompt", 8963),
        ("model_turn", 10763),
    ]
    boundary = read.events[2]
    assert (boundary.trigger, boundary.pre_tokens, boundary.post_tokens) == ("manual", 15, 2632)
    assert str(boundary.event_at) == "2026-11-30 16:17:48.922000"
    assert boundary.event_key == "912ce1cd-c9a2-4b04-83ab-cf7979bb65fb"
    assert read.file.records_hook_text


def test_an_old_recorded_session_shows_that_a_hook_ran_but_not_what_it_said():
    read = witness.read(SAMPLES / "claude_code_2.1.17.jsonl")

    assert [fact.byte_offset for fact in read.events if fact.kind == "boundary"] == [5256]
    assert read.file.records_hook_text is False


def test_the_file_is_named_by_its_session_and_its_first_line(story):
    story.row({"type": "mode", "mode": "normal", "sessionId": "s1"}).typed()

    file = story.read().file

    assert file.session_hash == identity.session_hash("claude-code", "s1")
    first_line = story.path.read_bytes().split(b"\n")[0]
    assert file.transcript_hash == identity.hash_bytes(first_line)
    assert (file.agent, file.agent_version, file.interface) == ("claude-code", "2.1.332", None)
    assert (file.is_subagent, file.is_slice) == (False, False)


def test_windows_line_ends_change_neither_the_hash_nor_the_facts(story, tmp_path):
    story.typed().answered("m1").boundary()
    windows = tmp_path / "windows.jsonl"
    windows.write_bytes(story.path.read_bytes().replace(b"\n", b"\r\n"))

    plain, ended = story.read(), witness.read(windows)

    assert ended.file.transcript_hash == plain.file.transcript_hash
    assert [fact.event_key for fact in ended.events] == [fact.event_key for fact in plain.events]


def test_a_boundary_counts_with_and_without_its_summary(story):
    summary = {"isCompactSummary": True, "isVisibleInTranscriptOnly": True}
    story.boundary().typed("This session is being continued", **summary).boundary("manual")

    assert story.kinds() == ["boundary", "boundary"]


@pytest.mark.parametrize(
    "row",
    [
        {"type": "system", "subtype": "microcompact_boundary"},
        {"type": "system", "subtype": "compact_boundary", "isSidechain": True},
        {"type": "user", "toolUseResult": {"type": "system", "subtype": "compact_boundary"}},
        {"type": "queue-operation", "content": '{"type":"system","subtype":"compact_boundary"}'},
    ],
    ids=lambda row: row["type"] + row.get("subtype", ""),
)
def test_what_is_no_compaction_of_the_session_is_no_boundary(story, row):
    story.row({"sessionId": "s1", "uuid": "u0", "parentUuid": None} | row)

    assert story.kinds() == []


def test_a_boundary_without_an_id_has_one_key_in_every_copy(story, tmp_path):
    story.typed().boundary(uuid=None)
    copy = ClaudeStory(tmp_path / "copy.jsonl").raw(story.path.read_bytes())

    (fact,) = story.facts("boundary")
    assert fact.event_key
    assert [fact] == copy.facts("boundary")


def test_a_glued_boundary_is_found_at_its_own_first_byte(story):
    story.typed()
    glued = story.path.read_bytes().rstrip(b"\n")
    story.path.write_bytes(glued)
    story.boundary()

    assert [fact.byte_offset for fact in story.facts("boundary")] == [len(glued)]
    assert story.read().file.glued_lines == 1


def test_one_response_is_one_turn_however_many_rows_it_stands_on(story):
    story.answered("m1").answered("m1").answered("m2")

    assert [fact.byte_offset for fact in story.facts("model_turn")] == [0, story.offsets[2]]


def test_an_old_response_written_again_after_a_boundary_is_no_later_turn(story):
    story.answered("m1").boundary().answered("m1")

    assert story.kinds() == ["model_turn", "boundary"]


def test_error_texts_of_the_program_and_answers_of_subagents_are_no_turns(story):
    story.answered("m1", model="<synthetic>").answered("m2", isApiErrorMessage=True)
    story.answered("m3", isSidechain=True)

    assert story.kinds() == []


@pytest.mark.parametrize(
    "content",
    [
        "Count the herons",
        [{"type": "text", "text": "Count the herons"}],
        [{"type": "image", "source": {}}],
        "<command-message>review</command-message>\n<command-name>/review</command-name>",
    ],
    ids=["text", "block", "image", "slash command"],
)
def test_what_somebody_typed_for_the_model_is_a_prompt(story, content):
    assert story.typed(content).kinds() == ["user_prompt"]


@pytest.mark.parametrize(
    "content",
    [
        "<command-name>/compact</command-name>",
        "<local-command-stdout>Compacted</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "<task-notification>done</task-notification>",
        "<system-reminder>hook</system-reminder>",
        "[Request interrupted by user]",
        [{"type": "tool_result", "content": "Count the herons"}],
        "",
        [],
        None,
    ],
    ids=str,
)
def test_what_the_program_wrote_in_the_users_name_is_no_prompt(story, content):
    assert story.typed(content).kinds() == []


@pytest.mark.parametrize(
    "fields",
    [{"isMeta": True}, {"isCompactSummary": True}, {"origin": {"kind": "task-notification"}}],
    ids=str,
)
def test_a_user_row_with_the_programs_mark_is_no_prompt(story, fields):
    assert story.typed(**fields).kinds() == []


def test_a_prompt_typed_while_the_model_works_is_recorded_as_an_attachment(story):
    story.message("attachment", attachment={"type": "queued_command", "prompt": "And ibises?"})
    story.message(
        "attachment",
        attachment={"type": "queued_command", "prompt": "x", "commandMode": "task-notification"},
    )

    assert [fact.byte_offset for fact in story.facts("user_prompt")] == [0]


def test_a_plain_hook_text_arrives_once_though_it_stands_in_content_and_stdout(story):
    assert [fact.event_key for fact in story.hook_said(label(A)).facts("injected_text")] == [A]


def test_a_json_hook_text_arrives_once_though_two_rows_tell_of_it(story):
    story.hook_said_in_json(label(A))

    (fact,) = story.facts("injected_text")
    assert (fact.event_key, fact.byte_offset) == (A, story.offsets[1])


def test_a_text_delivered_by_two_hooks_of_one_start_arrives_twice(story):
    story.hook_said_in_json(label(A), label(A))

    assert [fact.event_key for fact in story.facts("injected_text")] == [A, A]


def test_stdout_that_the_model_was_not_given_has_not_arrived(story):
    story.hook("SessionStart", content="", stdout=label(A))
    story.hook("SessionStart", "hook_cancelled", content=label(A))

    assert story.facts("injected_text") == []


def test_a_quoted_older_text_does_not_arrive_again(story):
    story.hook_said(label(B, quoted=f"user: what is this? {label(A)}"))

    assert [fact.event_key for fact in story.facts("injected_text")] == [B]


def test_another_tools_text_arrives_by_whatever_hash_it_holds(story):
    story.hook_said(f"context saved as {A}, then {B}, then {A}")

    assert [fact.event_key for fact in story.facts("injected_text")] == [A, B]


def test_a_copy_that_was_pasted_read_or_answered_is_no_arrival(story):
    story.typed(label(A)).typed([{"type": "tool_result", "content": label(A)}])
    story.hook("UserPromptSubmit", content=label(A))
    story.message("attachment", attachment={"type": "file", "content": label(A)})

    assert story.facts("injected_text") == []


@pytest.mark.parametrize(
    ("version", "is_recorded"),
    [("2.0.76", False), ("2.1.7", False), ("2.1.49", False), ("2.1.111", True), ("2.2.0", True)],
)
def test_whether_hook_texts_are_recorded_depends_on_the_version(tmp_path, version, is_recorded):
    story = ClaudeStory(tmp_path / "s.jsonl", version).typed().boundary()

    assert story.read().file.records_hook_text is is_recorded


def test_each_boundary_says_whether_its_own_version_recorded_hook_texts(story):
    story.version = "2.1.49"
    story.typed().boundary()
    story.version = "2.1.332"
    story.typed().boundary()

    assert [fact.records_hook_text for fact in story.facts("boundary")] == [False, True]
    assert story.read().file.records_hook_text is False
    assert story.read().file.agent_version == "2.1.332"


def test_a_hook_text_in_the_file_shows_that_its_version_records_them(story):
    story.version = "2.1.90"
    story.hook("SessionStart", content="Repository map").boundary()

    assert story.read().file.records_hook_text


@pytest.mark.parametrize(
    "parents", [{"parentUuid": "gone"}, {"parentUuid": None, "logicalParentUuid": "gone"}], ids=str
)
def test_a_file_whose_first_row_has_a_parent_begins_mid_session(tmp_path, parents):
    story = ClaudeStory(tmp_path / "s.jsonl")
    story.row({"type": "mode", "sessionId": "s1"}).boundary(**parents).typed()

    assert story.read().file.is_slice


BEFORE, AFTER = "2026-11-30T01:00:00.000Z", "2026-11-30T03:00:00.000Z"
COPIED = {"parentUuid": None, "logicalParentUuid": "gone"}


def begun_by_a_fork(story, opening: dict) -> None:
    """As `--fork-session` begins a file: its own first lines, then its parent's newest boundary."""
    story.row({"type": "mode", "mode": "normal", "sessionId": "s1"})
    story.row({"sessionId": "s1"} | opening)
    story.boundary(timestamp=BEFORE, **COPIED).answered("m1", timestamp=BEFORE)


@pytest.mark.parametrize(
    "opening",
    [
        {"type": "queue-operation", "operation": "enqueue", "timestamp": AFTER},
        {"type": "file-history-snapshot", "messageId": "u9", "snapshot": {"timestamp": AFTER}},
    ],
    ids=["print mode", "terminal"],
)
def test_a_boundary_older_than_the_lines_before_it_is_a_forks_copy_and_none_of_its_own(
    story, opening
):
    begun_by_a_fork(story, opening)
    story.typed(timestamp=AFTER).boundary(timestamp=AFTER)

    assert [fact.byte_offset for fact in story.facts("boundary")] == [story.offsets[-1]]
    assert not story.read().file.is_slice


def test_a_clock_that_steps_back_in_a_whole_session_takes_no_boundary_away(story):
    story.row({"type": "queue-operation", "timestamp": AFTER, "sessionId": "s1"})
    story.typed(timestamp=AFTER).boundary(timestamp=BEFORE, logicalParentUuid="u1")

    assert story.kinds() == ["user_prompt", "boundary"]


def test_a_slice_that_begins_at_a_boundary_is_no_fork_whatever_lines_stand_before_it(story):
    begun_by_a_fork(story, {"type": "queue-operation", "timestamp": "2026-11-30T00:59:00.000Z"})

    assert story.read().file.is_slice


@pytest.mark.parametrize("is_boundary_first", [False, True], ids=["whole", "from the boundary on"])
def test_what_a_branch_copied_says_so_and_is_no_boundary_of_its_own(story, is_boundary_first):
    told = {"forkedFrom": {"sessionId": "s0", "messageUuid": "u0"}}
    if not is_boundary_first:
        story.typed(**told)
    story.boundary(logicalParentUuid="u0", **told).answered("m1", **told).typed().boundary()

    assert [fact.byte_offset for fact in story.facts("boundary")] == [story.offsets[-1]]
    assert not story.read().file.is_slice


@pytest.mark.parametrize("name", ["s1/subagents/agent-a0.jsonl", "copied.jsonl"])
def test_a_file_of_side_rows_is_a_subagents_and_proves_nothing_of_the_session(tmp_path, name):
    story = ClaudeStory(tmp_path / name)
    story.typed(isSidechain=True).boundary(isSidechain=True).answered("m1", isSidechain=True)

    assert story.kinds() == []
    assert story.read().file.is_subagent


def test_a_torn_line_between_two_whole_ones_is_unreadable_there_and_only_there(story):
    story.typed()
    torn = story.path.stat().st_size
    story.raw(b'{"type":"assistant","mess\n').boundary()

    assert [(fact.kind, fact.byte_offset) for fact in story.read().events] == [
        ("user_prompt", 0),
        ("unreadable", torn),
        ("boundary", story.offsets[1]),
    ]


def test_a_last_line_that_is_still_being_written_is_no_damage(story):
    story.typed()
    complete = story.path.stat().st_size
    story.raw(b'{"type":"assistant","mess')

    file = story.read().file
    assert (file.unreadable_lines, file.complete_bytes) == (0, complete)
    assert file.file_bytes > complete


def test_a_whole_object_in_a_last_line_without_its_end_is_read(story):
    story.typed().boundary()
    story.path.write_bytes(story.path.read_bytes().rstrip(b"\n"))

    assert story.kinds() == ["user_prompt", "boundary"]
    assert story.read().file.complete_bytes == story.offsets[1]


STRANGE = (None, True, -1, 2**70, 0.5, "", "x" * 500, "\ud800", [], [[]], {}, {"type": []})


FIELDS = (
    "type",
    "subtype",
    "uuid",
    "parentUuid",
    "timestamp",
    "sessionId",
    "version",
    "isSidechain",
    "message",
    "attachment",
    "compactMetadata",
    "origin",
)


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: repr(value)[:12])
@pytest.mark.parametrize("field", FIELDS)
def test_no_value_of_a_field_stops_the_reader(story, field, value):
    story.typed().answered("m1").boundary().hook("SessionStart", content=label(A))
    for line in story.path.read_bytes().splitlines():
        record = json.loads(line)
        story.row(record | {field: value})
        story.row({name: {field: value} for name in ("message", "attachment")} | record)
        story.row({"type": record["type"], "uuid": "u", field: value})
    story.boundary()

    assert story.kinds()[-1] == "boundary"

"""What Codex's rollout files prove, legacy and paginated, and what only looks like proof."""

import re
from pathlib import Path

import pytest

from compact_guard.hook import identity
from compact_guard.transcripts import witness
from tests.transcripts.stories import A, B, CodexStory, label

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture
def story(tmp_path) -> CodexStory:
    return CodexStory(tmp_path / "rollout.jsonl")


@pytest.fixture
def legacy(tmp_path) -> CodexStory:
    return CodexStory(tmp_path / "legacy.jsonl", history_mode="legacy", cli_version="0.144.6")


def test_a_recorded_session_shows_one_automatic_and_two_queued_compactions():
    read = witness.read(SAMPLES / "codex_0.171.0.jsonl")

    after_the_prompt = ["model_turn", "model_turn", "model_turn"]
    assert [fact.kind for fact in read.events] == [
        "user_prompt", *after_the_prompt,
        "boundary", "injected_text", "model_turn", "model_turn",
        "boundary", "boundary", "injected_text", "injected_text", "user_prompt", "model_turn",
    ]  # fmt: skip
    boundaries = [fact for fact in read.events if fact.kind == "boundary"]
    assert [(fact.byte_offset, fact.trigger) for fact in boundaries] == [
        (7087, "auto"),
        (11227, "manual"),
        (13560, "manual"),
    ]
    assert boundaries[0].event_key == "01a22d44-a613-7540-afe2-399b036b7d3e"
    assert str(boundaries[0].event_at) == "2026-11-30 16:23:23.411000"


def test_a_recorded_legacy_file_shows_a_compaction_that_has_no_id():
    read = witness.read(SAMPLES / "codex_0.79.0.jsonl")

    assert [fact.kind for fact in read.events] == ["user_prompt", "model_turn", "boundary"]
    assert read.events[-1].event_key.endswith("#1")
    assert read.file.records_hook_text is False


@pytest.mark.parametrize(
    ("originator", "interface"),
    [
        ("codex-tui", "codex/cli"),
        ("codex_exec", "codex/cli"),
        ("codex_cli_rs", "codex/cli"),
        ("Codex Desktop", "codex/desktop"),
        ("somebody's editor", None),
        (None, None),
    ],
)
def test_the_file_names_its_interface_by_its_originator(tmp_path, originator, interface):
    story = CodexStory(tmp_path / "r.jsonl", originator=originator)

    assert story.read().file.interface == interface


def test_the_session_is_the_root_session_where_the_file_names_one(tmp_path):
    old = CodexStory(tmp_path / "old.jsonl")
    child = CodexStory(tmp_path / "child.jsonl", id="t2", session_id="t1")

    assert old.read().file.session_hash == identity.session_hash("codex", "t1")
    assert child.read().file.session_hash == identity.session_hash("codex", "t1")


@pytest.mark.parametrize(
    ("session", "is_subagent"),
    [
        ({"thread_source": "subagent"}, True),
        ({"thread_source": None, "parent_thread_id": "t0"}, True),
        ({"source": {"subagent": "review"}}, True),
        ({"thread_source": "user", "forked_from_id": "t0"}, False),
        ({"source": "cli"}, False),
    ],
    ids=str,
)
def test_a_spawned_thread_is_a_subagent_and_a_fork_is_none(tmp_path, session, is_subagent):
    assert CodexStory(tmp_path / "r.jsonl", **session).read().file.is_subagent is is_subagent


def test_a_file_that_does_not_begin_with_its_session_is_a_slice_of_nobody(story, tmp_path):
    story.typed().worked().boundary(window_id="w1")
    rest = tmp_path / "slice.jsonl"
    rest.write_bytes(story.path.read_bytes().partition(b"\n")[2])

    file = witness.read(rest).file

    assert file.is_slice
    assert (file.session_hash, file.interface) == (None, None)


FORKED = {"id": "t2", "forked_from_id": "t1"}


def stamped_alike(story) -> bytes:
    """The lines as a fork copies them: all with the time at which it began."""
    return re.sub(rb"02:\d\d:\d\d", b"02:00:00", story.path.read_bytes())


@pytest.mark.parametrize("told", [FORKED, {"id": "t2"}], ids=["named", "by the copied meta"])
def test_a_boundary_that_a_fork_copied_is_none_of_its_own(story, tmp_path, told):
    story.typed().boundary(window_id="w1")
    fork = CodexStory(tmp_path / "fork.jsonl", **told)
    fork.raw(stamped_alike(story)).typed().boundary(window_id="w2")

    assert [fact.event_key for fact in fork.facts("boundary")] == ["w2"]
    assert fork.read().file.session_hash == identity.session_hash("codex", "t2")


def test_ids_that_hold_a_time_tell_a_copied_boundary_whatever_time_its_line_has(story, tmp_path):
    parents, own, forks = (f"01a22ffb-{time:04}-7703-94a4-42f1d678ce97" for time in (1, 2, 3))
    story.typed().boundary(window_id=parents)
    fork = CodexStory(tmp_path / "fork.jsonl", id=own, forked_from_id="t1")
    fork.raw(story.path.read_bytes()).boundary(window_id=forks)

    assert [fact.event_key for fact in fork.facts("boundary")] == [forks]


def test_a_boundary_without_id_has_one_key_in_every_copy_and_its_own_in_its_file(legacy, tmp_path):
    for _ in range(2):
        legacy.typed().boundary(replacement_history=[{"type": "message"}])
    copy = CodexStory(tmp_path / "copy.jsonl").raw(legacy.path.read_bytes())

    keys = [fact.event_key for fact in legacy.facts("boundary")]
    assert len(set(keys)) == 2
    assert [fact.event_key for fact in copy.facts("boundary")] == keys


def test_what_only_tells_of_a_compaction_is_no_boundary(story):
    story.event("context_compacted").event("item_completed", item={"type": "ContextCompaction"})
    story.item("function_call_output", output='{"type":"compacted"}')

    assert story.facts("boundary") == []


@pytest.mark.parametrize("mode", ["paginated", "legacy"])
class TestTrigger:
    def test_a_compaction_in_the_middle_of_a_turn_was_automatic(self, tmp_path, mode):
        story = CodexStory(tmp_path / "r.jsonl", history_mode=mode)
        story.event("task_started").typed().worked().summary().boundary(window_id="w").worked()

        assert [fact.trigger for fact in story.facts("boundary")] == ["auto"]

    def test_a_compaction_before_the_prompt_of_its_turn_was_automatic(self, tmp_path, mode):
        story = CodexStory(tmp_path / "r.jsonl", history_mode=mode)
        story.event("task_started").summary().boundary(window_id="w").typed().worked()

        assert [fact.trigger for fact in story.facts("boundary")] == ["auto"]

    def test_a_compaction_that_is_a_turn_of_its_own_was_typed(self, tmp_path, mode):
        story = CodexStory(tmp_path / "r.jsonl", history_mode=mode)
        story.event("task_started").summary().boundary(window_id="w").event("task_complete")

        assert [fact.trigger for fact in story.facts("boundary")] == ["manual"]

    def test_where_the_turn_cannot_be_told_the_trigger_is_unknown(self, tmp_path, mode):
        story = CodexStory(tmp_path / "r.jsonl", history_mode=mode)
        story.summary().boundary(window_id="w1").event("task_started")
        story.boundary(window_id="w2").event("turn_aborted").typed()

        assert [fact.trigger for fact in story.facts("boundary")] == [None, None]

    def test_the_summary_is_no_turn_of_the_session(self, tmp_path, mode):
        story = CodexStory(tmp_path / "r.jsonl", history_mode=mode)
        story.boundary(window_id="w1").summary().boundary(window_id="w2")

        assert story.kinds() == ["boundary", "boundary"]


def test_one_response_is_one_turn_however_many_items_it_has(story):
    story.typed().worked().worked().said("assistant", "Fourteen.", "unknown")

    assert story.kinds() == ["user_prompt", "model_turn", "model_turn", "model_turn"]


@pytest.mark.parametrize("kind", ["reasoning", "function_call", "custom_tool_call",
                                  "local_shell_call", "web_search_call"])  # fmt: skip
def test_every_kind_of_answer_shows_that_the_model_was_asked(story, kind):
    assert story.item(kind).kinds() == ["model_turn"]


def test_token_counts_and_tool_outputs_do_not_show_that_the_model_was_asked(story):
    story.event("token_count", info={"last_token_usage": {"total_tokens": 9_000}})
    story.item("function_call_output").item("custom_tool_call_output")

    assert story.kinds() == []


def test_a_legacy_prompt_written_as_item_and_as_event_is_one_prompt(legacy):
    legacy.typed().event("user_message", message="first").said("user", "first")

    assert len(legacy.facts("user_prompt")) == 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<environment_context>\n", "environments.environment_context"),
        ("<turn_aborted>\n", "generic.turn_aborted"),
        ("<subagent_notification>\n", "multi_agent.subagent_notification"),
        ("# AGENTS.md instructions for /w", "agents_md.instructions"),
    ],
)
def test_what_the_program_wrote_in_the_users_name_is_no_prompt(story, legacy, text, kind):
    story.said("user", text, kind)
    legacy.said("user", text)

    assert story.kinds() == legacy.kinds() == []


def test_what_a_person_typed_is_a_prompt_even_if_it_looks_like_the_programs(story):
    assert story.typed("<environment_context> what is this?").kinds() == ["user_prompt"]


def test_hook_made_developer_messages_are_arrivals(story, legacy):
    for told in (story, legacy):
        told.hook_said(label(A)).hook_said(label(B, quoted=label(A)))

        assert [fact.event_key for fact in told.facts("injected_text")] == [A, B]


def test_a_copy_that_was_pasted_read_answered_or_carried_over_is_no_arrival(story, legacy):
    for told in (story, legacy):
        told.typed(label(A)).said("assistant", label(A))
        told.item("function_call_output", output=label(A))
        told.boundary(replacement_history=[{"role": "developer", "content": label(A)}])

        assert told.facts("injected_text") == []
    assert story.said("developer", label(A), "permissions.instructions").kinds()[-1] == "boundary"


@pytest.mark.parametrize(
    ("version", "is_recorded"), [("0.46.0", False), ("0.144.6", True), ("0.171.0", True)]
)
def test_whether_hook_texts_are_recorded_depends_on_the_version(tmp_path, version, is_recorded):
    story = CodexStory(tmp_path / "r.jsonl", cli_version=version).boundary(window_id="w")

    assert story.read().file.records_hook_text is is_recorded
    assert [fact.records_hook_text for fact in story.facts("boundary")] == [is_recorded]


STRANGE = (None, True, 2**70, "", "x" * 500, "\ud800", [], [[]], [None], {}, {"type": []})


FIELDS = (
    "type",
    "role",
    "content",
    "id",
    "originator",
    "session_id",
    "source",
    "window_id",
    "history_mode",
    "internal_chat_message_metadata_passthrough",
)


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: repr(value)[:12])
@pytest.mark.parametrize("field", FIELDS)
def test_no_value_of_a_field_stops_the_reader(tmp_path, field, value):
    story = CodexStory(tmp_path / "r.jsonl", **{field: value})
    for kind in ("response_item", "event_msg", "compacted", "session_meta", "turn_context"):
        story.line(kind, **{"type": "message", "role": "user", field: value})
    story.row({"type": "response_item", "payload": value, "timestamp": value, "metadata": value})
    story.row({"type": value, "payload": {}}).boundary(window_id="w")

    assert story.facts("boundary")[-1].event_key == "w"

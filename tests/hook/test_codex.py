"""The Codex adapter: what was said, which compaction a checkpoint belongs to, when it is due."""

import concurrent.futures
import json
import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compact_guard.agents.codex import hook
from compact_guard.agents.contract import HookAdapter
from compact_guard.hook import events
from tests.hook.codex import CodexGuard, Rollout
from tests.hook.conftest import HOOK, NAMES, PYTHON
from tests.hook.sweeping import sweep
from tests.hook.test_hot_path import ALLOWED, imported_by


@pytest.fixture
def guard(tmp_path, cuts) -> CodexGuard:
    return CodexGuard(tmp_path / "guard home", cuts)


@pytest.fixture(params=["paginated", "legacy"])
def mode(request) -> str:
    return request.param


@pytest.fixture
def story(tmp_path) -> Rollout:
    return Rollout(tmp_path / "rollout.jsonl").prompt("Keep the herons in DuckDB, never SQLite.")


def quoted(guard: CodexGuard) -> str:
    (file,) = guard.checkpoints()
    return file.read_text()


def test_the_adapter_keeps_the_contract():
    members = [name for name in HookAdapter.__dict__ if not name.startswith("_")]
    wanted = [*members, *HookAdapter.__annotations__]
    assert [name for name in wanted if not hasattr(hook, name)] == []


def test_only_what_was_typed_and_answered_is_kept(guard, tmp_path, mode):
    story = Rollout(tmp_path / "rollout.jsonl", history_mode=mode, base_instructions="INSTRUCTED")
    story.said("developer", "INSTRUCTED permissions", "permissions.instructions")
    story.said("user", "# AGENTS.md instructions INSTRUCTED", "agents.instructions")
    story.said("user", "<environment_context>INSTRUCTED", "environments.environment_context")
    story.prompt("We decided: keep whole cents, not floats.").reply("I will keep whole cents.")
    story.item("function_call_output", output="We decided: INSTRUCTED by a tool")
    story.event("item_completed", item={"type": "CommandExecution", "output": "INSTRUCTED"})
    story.hook_said("INSTRUCTED by a hook").summary().boundary(window_id="w1")
    story.prompt("The herons must never be counted twice.")

    guard.compact(story, "c1")

    text = quoted(guard)
    assert "whole cents, not floats" in text
    assert "never be counted twice" in text
    assert "INSTRUCTED" not in text
    assert "Herons were counted" not in text


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n"
         "## My request for Codex:\nCount the herons", "Count the herons"),
        ("# Files mentioned by the user:\n## a.png\n## My request for Codex:\n", ""),
        ("> ## My request for Codex: is a heading", "> ## My request for Codex: is a heading"),
        ("<environment_context>a</environment_context>", ""),
        ("<div>typed</div>", "<div>typed</div>"),
    ],
)  # fmt: skip
def test_what_desktop_and_editors_put_before_the_words_is_left_out(typed, kept):
    payload = {"type": "user_message", "message": typed}
    message = hook.message_in({"type": "event_msg", "payload": payload})
    assert (message.text if message else "") == kept


def test_old_files_tell_program_made_prompts_by_their_kind():
    payload = {"type": "user_message", "kind": "user_instructions", "message": "Be kind."}
    assert hook.message_in({"type": "event_msg", "payload": payload}) is None


def test_a_manual_compaction_is_delivered_with_the_next_turn(guard, story):
    own = guard.compact(story, "c1")
    outcome, printed = guard.restart(story)

    saved = guard.rows()[0]
    assert (saved["trigger"], saved["delivery"]) == ("manual", "next_turn")
    assert saved["last_boundary_bytes"] is None
    reply = json.loads(printed)["hookSpecificOutput"]
    assert (outcome, reply["hookEventName"]) == ("injected", "SessionStart")
    assert own in reply["additionalContext"]


@pytest.mark.parametrize(
    ("version", "delivery"),
    [("0.144.6", "next_turn"), ("0.145.0", "immediate"), (None, "immediate")],
)  # fmt: skip
def test_an_automatic_one_is_expected_at_once_from_0_145_on(guard, tmp_path, version, delivery):
    story = Rollout(tmp_path / "rollout.jsonl", cli_version=version).prompt("Count the herons.")
    guard.compact(story, "c1", trigger="auto")

    assert guard.rows()[0]["delivery"] == delivery
    assert guard.rows()[0]["agent_version"] == version


def test_a_file_that_a_newer_version_went_on_with_names_no_version(guard, tmp_path):
    story = Rollout(tmp_path / "rollout.jsonl", cli_version="0.144.6", history_mode="legacy")
    story.prompt("Count the herons.").event("task_started", root_turn_id="r1")
    guard.compact(story, "c1", trigger="auto")

    row = guard.rows()[0]
    assert (row["agent_version"], row["delivery"]) == (None, "immediate")


def test_the_boundary_is_where_its_row_begins(guard, story):
    guard.compact(story, "c1")
    boundary = story.offsets[-1]
    story.prompt("And the storks.")
    guard.compact(story, "c2")

    assert [
        row["last_boundary_bytes"] for row in guard.rows() if row["event"] == "pre_compact"
    ] == [
        None,
        boundary,
    ]


def test_eight_queued_starts_deliver_the_newest_once(guard, story):
    for number in range(8):
        newest = guard.compact(story, f"c{number}")
    answers = [guard.restart(story) for _ in range(8)]

    assert [outcome for outcome, _ in answers] == ["injected", *["already_used"] * 7]
    assert newest in answers[0][1]


def test_eight_starts_at_once_deliver_the_newest_once(guard, story):
    for number in range(8):
        guard.compact(story, f"c{number}")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        printed = list(pool.map(lambda _: guard.said("session_start", story.path), range(8)))

    assert sorted(bool(each) for each in printed) == [False] * 7 + [True]


def test_a_failed_compaction_does_not_hide_the_finished_one_before_it(guard, story):
    finished = guard.compact(story, "c1")
    guard.compact(story, "c2", finishes=False)

    outcome, printed = guard.restart(story)
    assert (outcome, guard.last()["checkpoint_hash"]) == ("injected", finished)
    assert finished in printed
    assert guard.restart(story) == ("already_used", "")


def test_without_a_receipt_the_boundary_in_the_rollout_counts(guard, story):
    """PostCompact may be killed, or not registered."""
    own = guard.compact(story, "c1", finishes=False)
    story.boundary(window_id="w1")

    outcome, printed = guard.restart(story)
    assert outcome == "injected"
    assert own in printed


def test_a_start_without_any_finished_compaction_finds_nothing(guard, story):
    guard.compact(story, "c1", finishes=False)
    assert guard.restart(story) == ("none", "")


class TestResume:
    def test_a_finished_and_unused_checkpoint_is_delivered_once(self, guard, story):
        own = guard.compact(story, "c1")

        outcome, printed = guard.restart(story, "resume")
        assert (outcome, guard.last()["source"]) == ("injected", "resume")
        assert own in printed
        assert guard.restart(story, "resume") == (None, "")
        assert guard.restart(story) == ("already_used", "")

    def test_an_unfinished_one_is_not(self, guard, story):
        guard.compact(story, "c1", finishes=False)
        assert guard.restart(story, "resume") == (None, "")

    def test_a_boundary_alone_is_not_enough(self, guard, story):
        guard.compact(story, "c1", finishes=False)
        story.boundary(window_id="w1")
        assert guard.restart(story, "resume") == (None, "")

    def test_the_receipt_of_another_turn_is_not_enough(self, guard, story):
        guard.compact(story, "c1", finishes=False)
        guard.said("post_compact", story.path, turn_id="c2")
        assert guard.restart(story, "resume") == (None, "")

    def test_nothing_older_than_a_delivered_one_comes_up_again(self, guard, story):
        guard.compact(story, "c1")
        guard.compact(story, "c2")
        guard.restart(story)
        assert guard.restart(story, "resume") == (None, "")

    @pytest.mark.parametrize("breakage", ["open to others", "garbage"])
    def test_a_broken_store_blames_no_resume(self, guard, story, breakage):
        guard.compact(story, "c1")
        (checkpoint,) = guard.checkpoints()
        if breakage == "garbage":
            checkpoint.write_bytes(b"{")
        else:
            checkpoint.chmod(0o644)
        assert guard.restart(story, "resume") == (None, "")

    def test_a_fork_with_the_same_words_gets_nothing(self, guard, story, tmp_path):
        guard.compact(story, "c1")
        fork = Rollout(tmp_path / "fork.jsonl", id="t2").prompt("Keep the herons in DuckDB.")
        assert guard.said("session_start", fork.path, session_id="t2", source="resume") == b""

    @pytest.mark.parametrize("source", ["startup", "clear"])
    def test_other_starts_leave_no_row(self, guard, story, source):
        guard.compact(story, "c1")
        assert guard.restart(story, source) == (None, "")


def test_a_developer_message_of_a_hook_that_died_is_not_given_again(guard, story):
    own = guard.compact(story, "c1")
    (saved,) = guard.checkpoints()
    saved.with_name(f"{saved.name}.claim").touch(0o600)
    story.prompt(f"What is checkpoint {own}?")
    story.hook_said(f"Evidence\ncheckpoint {own}\n")

    assert guard.restart(story) == ("already_used", "")
    assert guard.restart(story, "resume") == (None, "")


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_a_resume_delivers_once_wherever_it_is_cut(guard, story, kind):
    guard.compact(story, "c1")
    resume = guard.payload("session_start", story.path, source="resume")
    written = story.path.read_bytes()
    for cut in sweep(guard, kind, calls_min=20):
        story.path.write_bytes(written)
        ended = cut("session_start", resume)
        injected = [row for row in guard.rows() if row["outcome"] == "injected"]
        assert len(injected) <= ended.is_whole, "a row for a text not out"

        is_heard = ended.is_whole and ended.is_clean
        if is_heard:
            story.hook_said(json.loads(ended.stdout)["hookSpecificOutput"]["additionalContext"])
        # Killed between its row and its exit it takes the text away, and nobody can tell.
        again = guard.cut("session_start", resume)
        assert again.is_whole != (is_heard or bool(injected)), "delivered twice or never"


@pytest.mark.parametrize("event", NAMES)
def test_hooks_import_the_allowed_modules_and_no_others(guard, story, event):
    python = [PYTHON, "-I", "-S", "-X", "importtime"]
    bare = imported_by([*python, "-c", "pass"], guard, b"")
    hot = imported_by([*python, str(HOOK), "codex", event], guard, guard.payload(event, story.path))

    extra = {name.decode() for name in hot - bare}
    assert extra - ALLOWED == {name for name in extra if name.startswith("compact_guard")}


@pytest.mark.parametrize(
    ("payload", "session"),
    [
        ({"agent_id": "a1"}, {}),
        ({}, {"thread_source": "subagent"}),
        ({}, {"source": {"subagent": {"thread_spawn": {"depth": 1}}}, "thread_source": None}),
    ],
)
@pytest.mark.parametrize("event", NAMES)
def test_a_subagent_saves_receives_and_marks_nothing(guard, tmp_path, event, payload, session):
    story = Rollout(tmp_path / "rollout.jsonl", **session).prompt("Count the herons.")
    assert guard.said(event, story.path, **payload) == b""

    row = guard.last()
    assert (row["outcome"], row["reason"], row["subagent"]) == ("skipped", "subagent", True)
    assert guard.checkpoints() == []


def test_without_a_rollout_there_is_nothing_to_save(guard):
    """`codex exec --ephemeral`."""
    assert guard.said("pre_compact", None) == b""
    assert (guard.last()["outcome"], guard.last()["reason"]) == ("failed", "no_transcript")


@pytest.mark.parametrize("event", NAMES)
def test_a_silent_open_stdin_is_not_waited_for_for_ever(guard, event):
    reading, writing = os.pipe()
    answer = guard.run(event, b"", stdin=reading)

    assert (answer.returncode, answer.stdout) == (0, b"")
    assert (guard.last()["outcome"], guard.last()["reason"]) == ("failed", "deadline")
    os.close(writing)
    os.close(reading)


def test_an_injection_of_chinese_fits_the_limit_in_bytes(guard, story):
    characters = [chr(point) for point in range(0x4E00, 0x5E00)]
    for number in range(80):
        words = "".join(random.Random(number).choices(characters, k=80))
        story.prompt(f"我们决定第{number}个方案：{words}。")
    guard.compact(story, "c1")

    _, printed = guard.restart(story)
    text = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert 8_000 < len(text.encode()) <= hook.INJECTION_UNITS_MAX


def test_a_payload_of_another_event_is_no_payload():
    with pytest.raises(events.PayloadError):
        hook.parse("pre_compact", {"session_id": "t1", "hook_event_name": "Stop"}, {})


NAMES_IN_RECORDS = [
    "type", "payload", "event_msg", "item_completed", "user_message", "message", "item",
    "content", "text", "UserMessage", "kind", "plain", "compacted",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(NAMES_IN_RECORDS),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(NAMES_IN_RECORDS), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(NAMES_IN_RECORDS), JSON))
def test_no_record_makes_the_adapter_stumble(record):
    message = hook.message_in(record)
    assert message is None or message.text.strip()
    assert hook.is_boundary(record) in (True, False)


FIELDS = ["session_id", "transcript_path", "source", "turn_id", "trigger", "agent_id", "model"]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON), st.sampled_from(sorted(NAMES)))
def test_a_payload_is_an_event_or_none_of_ours_or_invalid(payload, event):
    try:
        parsed = hook.parse(event, payload, {})
    except events.PayloadError:
        return
    assert parsed is None or parsed.name == event

"""PreCompact: what is kept, what is never kept, and what the row says."""

import hashlib
import json
from types import SimpleNamespace

import pytest

from compact_guard.hook import conversation as conversation_module
from compact_guard.hook import limits, saving
from compact_guard.hook.conversation import Patience
from tests.hook.conftest import in_this_process, payload_of


def texts(guard) -> list[str]:
    (checkpoint,) = guard.checkpoints()
    return [item["text"] for item in json.loads(checkpoint.read_bytes())["items"]]


def test_words_of_user_and_model_are_saved_oldest_first_in_a_private_file(guard, conversation):
    answer = guard.pre_compact(conversation.path)

    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")
    assert texts(guard) == ["Use DuckDB, never SQLite.", "Understood: DuckDB."]
    (file,) = guard.checkpoints()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == file.parent.parent.stat().st_mode & 0o777 == 0o700


def test_the_file_is_named_by_its_own_hash_and_the_row_announces_it(guard, conversation):
    guard.pre_compact(conversation.path)

    (file,) = guard.checkpoints()
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    row = guard.last()
    assert file.name == f"000001-{digest}.json"
    assert (row["outcome"], row["checkpoint_hash"]) == ("saved", digest)
    assert row["delivery"] == "immediate"
    assert row["session_hash"] == hashlib.sha256(b"claude-code:s1").hexdigest()
    first_line = conversation.path.read_bytes().splitlines()[0]
    assert row["transcript_hash"] == hashlib.sha256(first_line).hexdigest()
    assert row["transcript_bytes"] == conversation.path.stat().st_size
    assert row["agent_version"] == "2.1.332"
    assert row["model"] == "claude-opus-5-5"


def test_equal_conversations_give_different_hashes(guard, conversation):
    guard.pre_compact(conversation.path)
    guard.pre_compact(conversation.path)

    first, second = (row["checkpoint_hash"] for row in guard.rows())
    assert first != second


def test_nothing_that_the_program_wrote_is_kept(guard, conversation):
    conversation.tool_result("TOOL")
    conversation.typed("META", isMeta=True).typed("SUBAGENT", isSidechain=True)
    conversation.typed("SUMMARY", isCompactSummary=True, isVisibleInTranscriptOnly=True)
    conversation.typed("<command-name>/clear</command-name><command-args></command-args>")
    conversation.typed("<local-command-stdout>STDOUT</local-command-stdout>")
    conversation.typed("<task-notification>TASK</task-notification>")
    conversation.typed("<bash-stdout>SHELL</bash-stdout>")
    conversation.typed("[Request interrupted by user for tool use]")
    conversation.typed("QUEUED BY THE PROGRAM", origin={"kind": "task-notification"})
    conversation.answered("API Error: 500", model="<synthetic>")
    conversation.answered("API Error: 529", isApiErrorMessage=True)
    conversation.blocks({"type": "thinking", "thinking": "THOUGHT"})
    conversation.message(
        type="attachment",
        attachment={"type": "hook_additional_context", "content": ["EARLIER INJECTION"]},
    )
    conversation.typed("kept<system-reminder>\nREMINDER</system-reminder>")

    guard.pre_compact(conversation.path)

    assert texts(guard) == ["Use DuckDB, never SQLite.", "Understood: DuckDB.", "kept"]


def test_words_typed_behind_a_command_or_while_the_model_worked_are_the_users(guard, conversation):
    conversation.typed(
        "<command-name>/compact</command-name><command-args>keep the ids</command-args>"
    )
    queued = {"type": "queued_command", "prompt": "and the tests", "commandMode": "prompt"}
    conversation.message(type="attachment", attachment=queued)
    conversation.typed([{"type": "image", "source": {}}, {"type": "text", "text": "this one"}])

    guard.pre_compact(conversation.path, trigger="manual", custom_instructions="keep the numbers")

    assert {"/compact keep the ids", "and the tests", "this one", "keep the numbers"} < set(
        texts(guard)
    )
    assert "keep the numbers" not in json.dumps(guard.rows())


def test_copies_of_one_message_are_kept_once(guard, conversation):
    conversation.raw(conversation.path.read_bytes().splitlines(keepends=True)[1])

    guard.pre_compact(conversation.path)

    assert texts(guard) == ["Use DuckDB, never SQLite.", "Understood: DuckDB."]


def test_a_subagents_compaction_saves_nothing(guard, conversation):
    guard.pre_compact(conversation.path, agent_id="a1", agent_type="general-purpose")

    row = guard.last()
    assert (row["outcome"], row["reason"], row["subagent"]) == ("skipped", "subagent", True)
    assert guard.checkpoints() == []


def test_a_session_without_words_is_empty(guard, transcript):
    guard.pre_compact(transcript.path)

    row = guard.last()
    assert (row["outcome"], row["reason"]) == ("empty", "too_few_messages")
    assert row["transcript_bytes"] == transcript.path.stat().st_size
    assert guard.checkpoints() == []


@pytest.mark.parametrize("path", [None, "/nowhere/at/all/s1.jsonl", "", "/a\0b", "\ud83d.jsonl"])
def test_without_a_transcript_the_row_says_so(guard, path):
    answer = guard.pre_compact(path)

    row = guard.last()
    assert answer.returncode == 0
    assert (row["outcome"], row["reason"]) == ("failed", "no_transcript")
    assert row["transcript_hash"] is row["transcript_bytes"] is row["last_boundary_bytes"] is None


def test_a_folder_in_the_transcripts_place_is_unreadable(guard, tmp_path):
    guard.pre_compact(tmp_path)

    assert guard.last()["reason"] == "unreadable_transcript"


def test_a_stale_path_leads_to_the_same_file_under_a_sibling_project(guard, tmp_path, conversation):
    project = tmp_path / "projects" / "-w"
    project.mkdir(parents=True)
    conversation.path.rename(project / "s1.jsonl")

    guard.pre_compact(tmp_path / "projects" / "-w--claude-worktrees-b" / "s1.jsonl")

    assert guard.last()["outcome"] == "saved"


@pytest.fixture
def said_late(guard, transcript, monkeypatch):
    """A hook's run in whose second nap the agent writes these words."""

    def run(words: str, **fields) -> None:
        naps = iter([lambda: None, lambda: transcript.typed(words, promptId="p9")])
        monkeypatch.setattr(conversation_module.time, "sleep", lambda _: next(naps)())
        in_this_process(
            guard, "pre_compact", payload_of("pre_compact", transcript.path, **fields), monkeypatch
        )

    return run


def test_the_newest_prompt_is_waited_for_while_it_is_being_flushed(guard, conversation, said_late):
    said_late("the newest", prompt_id="p9")

    assert texts(guard)[-1] == "the newest"
    assert guard.last()["counts"]["waited_ms"] == sum(limits.FLUSH_STEPS_MS[:2])


def test_a_prompt_that_never_comes_costs_a_quarter_of_a_second(guard, conversation):
    guard.pre_compact(conversation.path, prompt_id="p9")

    assert guard.last()["counts"]["waited_ms"] == 250


def test_a_manual_compaction_does_not_wait(guard, conversation):
    guard.pre_compact(conversation.path, prompt_id="p9", trigger="manual")

    assert "waited_ms" not in guard.last()["counts"]


def test_a_secret_reaches_no_file_of_ours_even_where_it_stands_bare(guard, conversation):
    secret = "sk-ant-api03-" + "Ab1" * 14
    password = "Violet7609mango"
    conversation.typed(f"my key is {secret} and DB_PASSWORD={password}")
    conversation.answered(f"I will try {password} now, commit {'0a' * 20} stays")

    guard.pre_compact(conversation.path)

    written = b"".join(file.read_bytes() for file in guard.home.rglob("*") if file.is_file())
    assert secret.encode() not in written
    assert password.encode() not in written
    assert ("0a" * 20).encode() in written
    assert guard.last()["counts"]["redactions"] == 3


def test_a_secret_is_not_cut_in_half_before_it_is_redacted(guard, conversation):
    secret = "ghp_" + "a1B2" * 9
    conversation.typed("x" * 2_930 + " " + secret + " " + "y" * 5_000)

    guard.pre_compact(conversation.path)

    assert not any("ghp_" in text or "a1B2" in text for text in texts(guard))


def test_what_cannot_be_redacted_is_not_saved(guard, conversation, monkeypatch):
    from compact_guard.agents.claude_code import hook
    from compact_guard.hook import audit, redaction, run, saving

    def failing(text):
        raise RuntimeError(text)

    monkeypatch.setattr(redaction, "find_spans", failing)
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(guard.home))
    payload = {"session_id": "s1", "transcript_path": str(conversation.path), "trigger": "manual"}
    event = hook.parse("pre_compact", payload, {})
    row = audit.new_row("claude-code", "claude-code/anthropic", "pre_compact", False)
    run._describe(event, "claude-code", row)

    with pytest.raises(saving.NothingSaved, match="redaction_failed"):
        saving.take(event, hook, row)
    assert guard.checkpoints() == []


class LateTranscript:
    """An adapter whose transcript is found only after so many looks."""

    def __init__(self, path, looks):
        self.found = iter([None] * looks + [str(path)] * 20)

    def find_transcript(self, _event):
        return next(self.found)


def test_a_transcript_that_is_not_there_yet_is_waited_for(conversation, monkeypatch):
    naps, patience = [], Patience()
    monkeypatch.setattr(saving.time, "sleep", naps.append)
    event = SimpleNamespace(transcript_path=str(conversation.path))

    saving._opened(event, LateTranscript(conversation.path, looks=3), patience)

    assert patience.waited_ms == 60
    assert sum(naps) == pytest.approx(0.06)


def test_a_transcript_that_never_comes_costs_a_quarter_of_a_second(conversation, monkeypatch):
    patience = Patience()
    monkeypatch.setattr(saving.time, "sleep", lambda _: None)
    event = SimpleNamespace(transcript_path=str(conversation.path))

    with pytest.raises(saving.NothingSaved):
        saving._opened(event, LateTranscript(conversation.path, looks=9), patience)
    assert patience.waited_ms == 250


def test_the_first_words_are_waited_for_whoever_compacts(guard, transcript, said_late):
    """The file is there, with a title in it, before anything that was said."""
    said_late("Never use floats.", trigger="manual", custom_instructions="keep the names")

    assert texts(guard) == ["Never use floats.", "keep the names"]
    assert guard.last()["counts"]["waited_ms"] == sum(limits.FLUSH_STEPS_MS[:2])
    assert guard.last()["transcript_bytes"] == transcript.path.stat().st_size


def test_all_waiting_together_costs_a_quarter_of_a_second(guard, transcript):
    guard.pre_compact(transcript.path, prompt_id="p9")

    assert guard.last()["counts"]["waited_ms"] == 250


def test_the_running_version_counts_more_than_that_of_the_newest_row(guard, conversation):
    payload = payload_of("pre_compact", conversation.path)
    guard.run("pre_compact", payload, {"AI_AGENT": "claude-code_2-1-400_harness"})

    assert guard.last()["agent_version"] == "2.1.400"

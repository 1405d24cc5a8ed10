"""`compact-guard last`: rows written by the real hooks, told as what happened."""

import json

import pytest

from compact_guard import cli
from tests.hook.codex import CodexGuard, Rollout
from tests.hook.conftest import Guard
from tests.hook.transcripts import Transcript

CORRECTION = "No, not the heron table: use the kingfisher table instead."
CONSTRAINT = "Never deploy on Fridays."


@pytest.fixture
def guard(tmp_path, monkeypatch) -> Guard:
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path / "home"))
    return Guard(tmp_path / "home")


@pytest.fixture
def story(tmp_path) -> Transcript:
    return Transcript(tmp_path / "s1.jsonl").typed(CORRECTION).typed(CONSTRAINT)


@pytest.fixture
def last(capsys):
    def told() -> dict | None:
        status = cli.main(["last", "--json"])
        answer = json.loads(capsys.readouterr().out)
        assert status == (0 if answer else 1)
        return answer

    return told


@pytest.fixture
def said(capsys):
    def printed() -> str:
        cli.main(["last"])
        return capsys.readouterr().out

    return printed


def finish(guard: Guard, story: Transcript, summary: str = CONSTRAINT) -> None:
    """A manual compaction, of which the agent itself keeps nothing verbatim."""
    guard.pre_compact(story.path, trigger="manual")
    guard.session_start(story.path)
    guard.post_compact(story.path, trigger="manual", compact_summary=summary)


def test_without_a_compaction_there_is_nothing_to_tell(guard, last, said):
    assert last() is None
    assert said() == (
        "No compaction of real work is in the audit log.\n"
        "Are the hooks in place? See `compact-guard doctor`.\n"
    )


def test_it_tells_what_was_given_back_and_what_the_summary_had_lost(guard, story, last, said):
    finish(guard, story)

    told = last()
    assert (told["interface"], told["trigger"]) == ("claude-code/anthropic", "manual")
    assert (told["saved"], told["delivery"], told["is_finished"]) == ("saved", "injected", True)
    assert (told["items"]["corrections"], told["items"]["constraints"]) == (1, 1)
    assert told["rescued"] == {"corrections": 1, "constraints": 0}
    assert told["checkpoint_hash"] == guard.rows()[0]["checkpoint_hash"]
    assert "saved       1 correction, 1 constraint\ndelivered   yes" in said()
    assert "rescued     1 of 2 are not in the summary: 1 correction\n" in said()


def test_a_summary_that_lost_nothing(guard, story, said):
    finish(guard, story, f"{CORRECTION}\n{CONSTRAINT}")
    assert "nothing: the summary holds all 2" in said()


def test_it_never_says_a_word_of_the_conversation(guard, story, last, said):
    finish(guard, story)
    assert "kingfisher" not in said() + json.dumps(last())


def test_only_the_newest_counts(guard, story, last):
    finish(guard, story)
    story.boundary().typed("No, not Redis: use Postgres.")
    guard.pre_compact(story.path)

    told = last()
    assert (told["delivery"], told["rescued"], told["is_finished"]) == (None, None, False)
    assert told["trigger"] == "auto"


def test_a_second_restart_does_not_hide_the_delivery(guard, story, last):
    finish(guard, story)
    guard.session_start(story.path)
    assert last()["delivery"] == "injected"


def test_rows_of_other_sessions_are_not_mixed_in(guard, story, tmp_path, last):
    guard.pre_compact(story.path)
    other = Transcript(tmp_path / "s2.jsonl", "s2").typed(CORRECTION)
    guard.session_start(other.path, session_id="s2")
    guard.post_compact(other.path, session_id="s2")

    told = last()
    assert (told["delivery"], told["rescued"]) == (None, None)


def test_tests_and_subagents_are_no_real_work(guard, story, last):
    guard.run("pre_compact", b"{}", {"COMPACT_GUARD_SYNTHETIC": "1"})
    guard.pre_compact(story.path, agent_id="a1")
    assert last() is None


def test_a_checkpoint_that_could_not_be_saved_is_told_with_its_reason(guard, tmp_path, said):
    guard.pre_compact(tmp_path / "nowhere.jsonl")
    assert "saved       nothing: failed (no_transcript)" in said()


def test_a_checkpoint_that_was_refused_is_told_with_its_reason(guard, story, said):
    guard.pre_compact(story.path)
    guard.checkpoints()[0].chmod(0o644)
    guard.session_start(story.path)
    assert "delivered   no: refused (permissions)" in said()


def test_codex_delivers_with_the_next_prompt_and_may_hide_its_summary(tmp_path, guard, last, said):
    codex = CodexGuard(guard.home)
    story = Rollout(tmp_path / "rollout-t1.jsonl").prompt(CORRECTION)
    codex.compact(story, "c1")

    assert last()["interface"] == "codex/cli"
    assert "delivered   not yet: it comes with your next prompt" in said()
    assert set(last()["rescued"].values()) == {None}
    assert "rescued     unknown: the agent keeps its summary to itself" in said()


def test_damaged_logs_are_read_as_far_as_they_go(guard, story, last):
    finish(guard, story)
    (log,) = (guard.home / "audit").glob("*.jsonl")
    with log.open("ab") as file:
        file.write(b'\xff\n[]\n{"event": 3}\n{"event": "pre_compact"')

    assert last()["delivery"] == "injected"


def test_a_compaction_that_began_yesterday_is_told_whole(guard, story, last):
    finish(guard, story)
    (log,) = (guard.home / "audit").glob("*.jsonl")
    first, *later = log.read_bytes().splitlines(keepends=True)
    log.with_name("2000-01-01.jsonl").write_bytes(first)
    log.write_bytes(b"".join(later))

    assert last()["delivery"] == "injected"
    assert last()["rescued"]["corrections"] == 1

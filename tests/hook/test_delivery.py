"""SessionStart: the newest checkpoint, once, and never a row that claims more than happened."""

import concurrent.futures
import json
import os
import signal
import subprocess

import pytest

from compact_guard.hook import limits


@pytest.fixture
def saved(guard, conversation):
    guard.pre_compact(conversation.path, trigger="manual")
    (checkpoint,) = guard.checkpoints()
    return checkpoint


def outcomes(guard) -> list[tuple]:
    rows = guard.rows()
    return [(row["outcome"], row["reason"]) for row in rows if row["event"] == "session_start"]


def test_the_text_names_the_checkpoint_and_quotes_who_said_what_when(guard, conversation, saved):
    text = guard.injected_text(conversation.path)

    row = guard.last()
    assert row["checkpoint_hash"] in text
    assert row["checkpoint_hash"] == saved.name[7:-5]
    assert "- user, 2026-11-30 00:00: Use DuckDB, never SQLite.\n" in text
    assert "not instructions" in text.split("Use DuckDB")[0]
    assert (row["outcome"], row["source"]) == ("injected", "compact")


def test_eight_starts_at_once_deliver_one_copy(guard, conversation, saved):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: guard.session_start(conversation.path), range(8)))

    assert sorted(bool(answer.stdout) for answer in answers) == [False] * 7 + [True]
    assert sorted(outcome for outcome, _ in outcomes(guard)) == ["already_used"] * 7 + ["injected"]
    assert {row["checkpoint_hash"] for row in guard.rows()} == {saved.name[7:-5]}


def test_without_a_checkpoint_there_is_nothing_to_say(guard, conversation):
    assert guard.session_start(conversation.path).stdout == b""
    assert outcomes(guard) == [("none", None)]


def test_only_a_compaction_is_answered(guard, conversation, saved):
    for source in ("startup", "resume", "clear"):
        assert guard.session_start(conversation.path, source=source).stdout == b""

    assert outcomes(guard) == []


def test_a_subagent_receives_nothing_and_uses_nothing_up(guard, conversation, saved):
    assert guard.session_start(conversation.path, agent_id="a1").stdout == b""
    assert guard.injected_text(conversation.path)
    assert outcomes(guard) == [("skipped", "subagent"), ("injected", None)]


def test_another_sessions_checkpoint_is_never_delivered(guard, conversation, saved):
    assert guard.session_start(conversation.path, session_id="s2").stdout == b""
    assert outcomes(guard) == [("none", None)]


def test_another_transcripts_checkpoint_is_refused(guard, tmp_path, conversation, saved):
    other = tmp_path / "other.jsonl"
    other.write_text('{"type":"mode"}\n')

    assert guard.session_start(other).stdout == b""
    assert outcomes(guard) == [("refused", "wrong_transcript")]


def spoil_content(file):
    file.write_bytes(file.read_bytes().replace(b"DuckDB", b"SQLite"))


def spoil_link(file):
    file.rename(file.with_suffix(".moved"))
    file.symlink_to(file.with_suffix(".moved"))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (spoil_content, "hash_mismatch"),
        (spoil_link, "permissions"),
        (lambda file: file.chmod(0o640), "permissions"),
        (lambda file: file.parent.chmod(0o750), "permissions"),
        (lambda file: file.parent.parent.chmod(0o701), "permissions"),
        pytest.param(
            lambda file: os.chown(file, 12_345, -1),
            "owner",
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away"),
        ),
    ],
)
def test_a_checkpoint_that_others_could_have_changed_is_refused(
    guard, conversation, saved, spoil, reason
):
    spoil(saved)

    assert guard.session_start(conversation.path).stdout == b""
    assert outcomes(guard) == [("refused", reason)]
    assert guard.last()["checkpoint_hash"] == saved.name[7:-5]


def test_a_closed_stdout_is_a_failure_and_the_text_goes_to_the_next_start(
    guard, conversation, saved
):
    command = " ".join(guard.command("session_start"))
    payload = json.dumps(
        {"session_id": "s1", "transcript_path": str(conversation.path), "source": "compact"}
    )
    for closing in (">&-", ">/dev/full"):
        ended = subprocess.run(
            ["sh", "-c", f"{command} {closing}"],
            input=payload.encode(),
            env=guard.environment(),
            check=False,
        )
        assert ended.returncode == 0
    reading, writing = os.pipe()
    os.close(reading)
    assert guard.run("session_start", b"", input=payload.encode(), stdout=writing).returncode == 0
    os.close(writing)

    assert guard.injected_text(conversation.path)
    assert [outcome for outcome, _ in outcomes(guard)] == ["failed"] * 3 + ["injected"]


def test_a_claim_whose_process_died_is_taken_over(guard, conversation, saved):
    claimer = (
        "import fcntl,os,sys,time;"
        "f=os.open(sys.argv[1]+'.claim',os.O_RDWR|os.O_CREAT,0o600);"
        "fcntl.flock(f,fcntl.LOCK_EX);print('held',flush=True);time.sleep(60)"
    )
    python = guard.command("session_start")[0]
    with subprocess.Popen([python, "-c", claimer, str(saved)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        assert guard.session_start(conversation.path).stdout == b""
        holder.send_signal(signal.SIGKILL)

    assert guard.injected_text(conversation.path)
    assert outcomes(guard) == [("already_used", "claimed_elsewhere"), ("injected", None)]


def leave_a_claim(saved) -> None:
    saved.with_name(f"{saved.name}.claim").touch(0o600)


def test_a_text_in_the_transcript_whose_hook_died_is_not_given_again(guard, conversation, saved):
    leave_a_claim(saved)
    conversation.boundary().injected(f"Evidence\ncheckpoint {saved.name[7:-5]}\n")

    assert guard.session_start(conversation.path).stdout == b""
    assert guard.session_start(conversation.path).stdout == b""
    assert outcomes(guard) == [("already_used", None)] * 2


def test_a_text_that_others_quoted_did_not_arrive(guard, conversation, saved):
    leave_a_claim(saved)
    quoted = f"checkpoint {saved.name[7:-5]}"
    conversation.typed(quoted).tool_result(quoted).injected(quoted, "UserPromptSubmit")
    conversation.injected("checkpoint " + "0" * 64)

    assert guard.injected_text(conversation.path)


def test_without_a_claim_nobody_looks_for_the_text(guard, conversation, saved):
    """Another tool may print our text; a claim is what one of our own runs leaves."""
    conversation.injected(f"checkpoint {saved.name[7:-5]}")

    assert guard.injected_text(conversation.path)


def test_an_old_checkpoint_is_expired(guard, conversation, saved, monkeypatch):
    from compact_guard.hook import checkpoint

    monkeypatch.setenv("COMPACT_GUARD_HOME", str(guard.home))
    monkeypatch.setattr(checkpoint, "DELIVERY_AGE_SECONDS_MAX", -1)
    (found,) = checkpoint.all_saved(str(saved.parent))

    with pytest.raises(checkpoint.Refused, match="expired"):
        checkpoint.load(found, "claude-code", saved.parent.name)
    assert limits.DELIVERY_AGE_SECONDS_MAX < limits.CHECKPOINT_AGE_SECONDS_MAX


def test_the_receipt_counts_and_quotes_nothing(guard, conversation):
    answer = guard.post_compact(conversation.path, compact_summary="SUMMARY" * 3)

    row = guard.last()
    assert answer.stdout == b""
    assert (row["outcome"], row["counts"]) == ("recorded", {"summary_characters": 21})
    assert "SUMMARY" not in json.dumps(row)


def test_a_subagents_receipt_is_skipped(guard, conversation):
    guard.post_compact(conversation.path, agent_id="a1")

    assert (guard.last()["outcome"], guard.last()["reason"]) == ("skipped", "subagent")

"""What was said before the first compaction is there after the eighth, as long as it holds."""

import json

import pytest

RULE = "Never write to the ledger table."


def texts(checkpoint) -> list[str]:
    return [item["text"] for item in json.loads(checkpoint.read_bytes())["items"]]


def compacted(guard, transcript, **fields) -> str:
    guard.pre_compact(transcript.path, **fields)
    text = guard.injected_text(transcript.path, **fields)
    transcript.boundary()
    return text


def worked_on(transcript, number: int):
    for turn in range(30):
        transcript.typed(f"look at part {number} step {turn}").answered(f"Step {turn} is done.")


def test_a_rule_of_the_first_hour_survives_eight_compactions(guard, transcript):
    transcript.typed(RULE).answered("Understood.")
    injected = []
    for number in range(8):
        worked_on(transcript, number)
        injected.append(compacted(guard, transcript))

    assert all(RULE in text for text in injected)
    assert guard.rows()[-2]["counts"]["items_carried"] >= 1
    assert guard.rows()[-2]["counts"]["messages_read"] == 60


def test_a_correction_takes_a_carried_statement_out_for_good(guard, transcript):
    transcript.typed("The upload limit is 30 MB.").answered("Fine.")
    assert "30 MB" in compacted(guard, transcript)
    transcript.typed("The upload limit is 50 MB now.").answered("Fine.")

    for _ in range(3):
        text = compacted(guard, transcript)
        transcript.typed("go on").answered("On it.")
        assert "limit is 30 MB" not in text
        assert "limit is 50 MB" in text


def test_a_compaction_with_nothing_new_carries_all_on(guard, transcript):
    transcript.typed(RULE).answered("Understood.")
    first, second = compacted(guard, transcript), compacted(guard, transcript)

    assert RULE in first
    assert RULE in second


@pytest.mark.parametrize("session_id", ["s2", "s1x"])
def test_another_sessions_items_are_never_carried(guard, transcript, session_id):
    transcript.typed(RULE).answered("Understood.")
    compacted(guard, transcript)
    whole = transcript.path.read_bytes()
    transcript.path.write_bytes(whole[: whole.index(b"Never write")].rpartition(b"\n")[0] + b"\n")
    transcript.typed("something else entirely happens here").answered("Yes.")

    assert RULE not in compacted(guard, transcript, session_id=session_id)


def test_a_checkpoint_that_was_tampered_with_is_not_carried(guard, transcript):
    transcript.typed(RULE).answered("Understood.")
    compacted(guard, transcript)
    (saved,) = guard.checkpoints()
    saved.write_bytes(saved.read_bytes().replace(b"Never write", b"Please drop"))
    guard.pre_compact(transcript.path)

    newest = texts(guard.checkpoints()[-1])
    assert RULE in newest  # read anew from the transcript
    assert not any("Please drop" in text for text in newest)


def test_a_rewritten_transcript_is_read_anew(guard, transcript):
    transcript.typed(RULE).answered("Understood.").typed("x" * 500)
    compacted(guard, transcript)
    lines = transcript.path.read_bytes().splitlines(keepends=True)
    transcript.path.write_bytes(lines[0])
    transcript.typed("The importer runs at night in Frankfurt.").answered("Yes.")
    guard.pre_compact(transcript.path)

    assert RULE not in texts(guard.checkpoints()[-1])


def test_counts_per_rank_add_up(guard, transcript):
    transcript.typed(RULE).answered("Understood.")
    transcript.typed("No, that's wrong: the tax goes on top.").answered("I see.")
    guard.pre_compact(transcript.path)

    counts = guard.last()["counts"]
    ranks = ("corrections", "decisions", "constraints", "tasks", "evidence", "recent")
    assert counts["corrections"] == 1
    assert sum(counts[rank] for rank in ranks) == counts["items_kept"]


def test_rules_come_before_what_was_said_last(guard, transcript):
    transcript.typed(RULE).answered("Understood.")
    for number in range(200):
        transcript.answered(f"Paragraph {number}: " + "all is well in this part of the work. " * 9)
    guard.pre_compact(transcript.path, trigger="manual")

    text = guard.injected_text(transcript.path)
    assert text.index(RULE) < text.index("Said last:")
    assert guard.rows()[0]["counts"]["items_dropped"] > 100

"""Compactions that failed, or only seem to, each with the whole answer worked out by hand."""

import pytest

from tests.builders import Session, digest
from tests.evaluator.by_hand import holds, judged, told


def test_without_transcripts_an_abort_is_only_the_absence_of_every_sign(tmp_path):
    session = Session("s1", has_transcript=False)
    session.pre("aa").pre("bb").pre("cc").finish().start("cc").receipt()

    answer = judged(tmp_path, session)

    assert told(answer, "aa", "bb", "cc") == [
        ("aa", "aborted", "absence"),
        ("bb", "aborted", "absence"),
        ("cc", "injected", "session_start"),
    ]
    holds(answer, unresolved=2, eligible=1, coverage=1.0, keep_still_possible=True)


def test_the_next_row_proves_that_two_in_a_row_came_to_nothing(tmp_path):
    session = Session("s1").delivered("aa").aborted("bb").aborted("cc").delivered("dd")

    answer = judged(tmp_path, session)

    assert told(answer, "aa", "bb", "cc", "dd") == [
        ("aa", "injected", "session_start"),
        ("bb", "aborted", "next_row"),
        ("cc", "aborted", "next_row"),
        ("dd", "injected", "session_start"),
    ]
    holds(answer, unresolved=0, eligible=2, natural_events=8, sessions=1)


def test_a_receipt_without_a_start_is_a_miss_once_the_session_is_seen_to_go_on(tmp_path):
    quiet = Session("quiet").pre("aa").finish().receipt()
    goes_on = Session("goes on").pre("bb").finish().receipt().delivered("cc")
    nameless = Session("nameless", has_transcript=False).pre("dd").receipt().pre("ee").receipt()

    answer = judged(tmp_path, quiet, goes_on, nameless)

    assert told(answer, "aa", "bb", "cc", "dd", "ee") == [
        ("aa", "deferred", "receipt"),
        ("bb", "missed", "next_row"),
        ("cc", "injected", "session_start"),
        ("dd", "missed", "receipt"),
        ("ee", "deferred", "receipt"),
    ]
    holds(answer, unresolved=2, eligible=3, coverage=1.0, outcomes={
        "injected": 1, "missed": 2, "deferred": 2,
    })  # fmt: skip


def test_a_failed_save_is_a_miss_only_where_its_compaction_finished(tmp_path):
    session = Session("s1").pre(None, outcome="failed", reason="disk_full")
    session.pre("bb").finish().start("bb").receipt()
    session.pre(None, outcome="failed", reason="deadline").finish().start(None, "none").receipt()
    session.delivered("dd")

    answer = judged(tmp_path, session)

    assert told(answer, "bb", "dd") == [
        ("", "aborted", "next_row"),
        ("", "missed", "session_start"),
        ("bb", "injected", "session_start"),
        ("dd", "injected", "session_start"),
    ]
    holds(answer, eligible=3, eligible_counted=3, unresolved=0, keep_still_possible=False)


def test_a_failed_save_without_an_offset_before_any_boundary_is_no_miss(tmp_path):
    """An older agent told a subagent's compaction under the main identity; the save failed before
    it could measure. That no boundary stands before the next row is proof enough."""
    session = Session("s1")
    session.pre(None, outcome="failed", reason="deadline")
    session.rows[-1] |= {"transcript_bytes": None, "last_boundary_bytes": None}
    session.start(None, "none").receipt().delivered("bb")

    answer = judged(tmp_path, session)

    assert told(answer, "bb") == [
        ("", "unconfirmed", "next_row"),
        ("bb", "injected", "session_start"),
    ]
    holds(answer, eligible=1, keep_still_possible=True)


@pytest.mark.parametrize("reason", ["expired", "hash_mismatch", "permissions", "owner"])
def test_a_refusal_of_its_own_checkpoint_is_a_miss_however_it_is_worded(tmp_path, reason):
    session = Session("s1").pre("aa").finish().start("aa", "refused", reason=reason).receipt()

    answer = judged(tmp_path, session)

    assert told(answer, "aa") == [("aa", "missed", "session_start")]
    holds(answer, eligible=1, coverage=1.0, unresolved=0)


@pytest.mark.parametrize("reason", ["wrong_session", "wrong_transcript"])
def test_a_refusal_of_somebody_elses_checkpoint_speaks_of_the_compaction_at_hand(tmp_path, reason):
    session = Session("s1").pre(None, outcome="failed").finish()
    session.start("foreign", "refused", reason=reason).receipt()
    forgotten = Session("s2").start("foreign", "refused", reason=reason).receipt()

    answer = judged(tmp_path, session, forgotten)

    assert told(answer, "foreign") == [
        ("", "missed", "session_start"),
        ("", "uncovered", "session_start"),
    ]
    holds(answer, coverage=0.5, orphan_injections=0)


def test_starts_and_receipts_that_nobody_announced(tmp_path):
    forgotten = Session("s1").start(None, "none").receipt()
    silent = Session("s2").receipt()
    twice = Session("s3").delivered("aa").start(None, "none").receipt()
    orphan = Session("s4").start("stranger").receipt().delivered("bb")

    answer = judged(tmp_path, forgotten, silent, twice, orphan)

    assert told(answer, "aa", "bb") == [
        ("", "uncovered", "receipt"),
        ("", "uncovered", "session_start"),
        ("", "uncovered", "session_start"),
        ("aa", "injected", "session_start"),
        ("bb", "injected", "session_start"),
    ]
    holds(answer, coverage=0.4, orphan_injections=1, keep_still_possible=False, unresolved=0)
    holds(answer, natural_events=13, sessions=2)


@pytest.mark.parametrize("is_reversed", [False, True])
def test_two_turns_of_one_session_at_once_are_each_given_their_own(tmp_path, is_reversed):
    session = Session("s1", "codex/cli")
    for turn, label in enumerate(("aa", "bb")):
        session.pre(label, turn_hash=digest(f"turn {turn}")).finish()
        session.receipt(turn_hash=digest(f"turn {turn}"))
    for label in ("bb", "aa") if is_reversed else ("aa", "bb"):
        session.start(label)

    answer = judged(tmp_path, session)

    assert told(answer, "aa", "bb") == [
        ("aa", "injected", "session_start"),
        ("bb", "injected", "session_start"),
    ]
    holds(answer, eligible=2, coverage=1.0, unresolved=0, natural_events=6)

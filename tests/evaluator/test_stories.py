"""Stories in which several rules of design.md section 4 meet, each answer worked out by hand."""

from datetime import timedelta

import pytest

from tests.evaluator.answers import answer, of_folder
from tests.simulator.guard import Truth
from tests.simulator.tales import (
    CODEX,
    OLD_CODEX,
    a_session,
    arrives,
    asked,
    begun,
    compacted,
    delivered,
    start,
)
from tests.simulator.world import NIGHT, UPGRADE, Session

BEFORE_THE_UPGRADE = UPGRADE - timedelta(minutes=30)


def queued(session: Session, trigger: str = "auto") -> Truth:
    """A compaction of Codex whose delivery waits; an automatic one's model works on."""
    truth = compacted(session, "next_turn", trigger)
    session.guard.receipt()
    if trigger == "auto":
        session.work()
    return truth


def test_a_queue_that_an_upgrade_outlives_belongs_to_the_period_in_which_it_began(tmp_path):
    session = a_session("s1", OLD_CODEX, at=BEFORE_THE_UPGRADE)
    a, b, c = (queued(session) for _ in range(3))
    session.pass_time(hours=1)
    arrives(session, c, "resume")

    found = answer(tmp_path, session)

    assert found.told(a=a, b=b, c=c) == [
        ("a", "deferred", "transcript"),
        ("b", "deferred", "transcript"),
        ("c", "deferred", "transcript"),
    ]
    # The resume's row was written by the new guard, and belongs to no compaction of it.
    found.has(guard_fingerprint="a" * 12, natural_events=6, orphan_injections=0)
    found.has(eligible=0, unresolved=0, coverage=1.0)


def test_what_a_new_guard_delivers_is_credited_to_the_one_that_saved_it(tmp_path):
    session = a_session("s1", CODEX, at=BEFORE_THE_UPGRADE)
    a = queued(session, "manual")
    session.pass_time(hours=1)
    arrives(session, a)
    b = compacted(session)
    session.guard.receipt()
    arrives(session, b)

    found = answer(tmp_path, session)

    assert found.told(a=a, b=b) == [("b", "injected", "transcript")]
    found.has(guard_fingerprint="b" * 12, natural_events=4, orphan_injections=0, eligible=1)
    earlier = [row for row in found.evaluation.periods if not row["is_current"]]
    assert [(row["guard_fingerprint"], row["injected"]) for row in earlier] == [("a" * 12, 1)]


def test_a_fingerprint_that_changes_under_a_compaction_leaves_it_to_the_old_one(tmp_path):
    session = a_session("s1", at=BEFORE_THE_UPGRADE)
    a = begun(session)
    session.pass_time(hours=1)
    start(session, a)
    session.guard.receipt()
    session.finish(a, "auto")
    session.tell("hook_text", a.checkpoint_hash)

    found = answer(tmp_path, session)

    assert found.told(a=a) == [("a", "injected", "transcript")]
    found.has(guard_fingerprint="a" * 12, natural_events=1)


@pytest.mark.parametrize(
    ("has_transcripts", "evidence"), [(True, "transcript"), (False, "session_start")]
)
def test_a_text_that_a_resume_brings_after_a_prompt_counts_all_the_same(
    tmp_path, has_transcripts, evidence
):
    session = a_session("s1", CODEX)
    a = queued(session, "manual")
    asked(session)
    session.pass_time(hours=2)
    arrives(session, a, "resume")

    found = answer(tmp_path, session, has_transcripts=has_transcripts)

    assert found.told(a=a) == [("a", "injected", evidence)]


@pytest.mark.parametrize(
    ("has_transcripts", "unresolved", "evidence"),
    [(True, 0, ("transcript", "transcript")), (False, 2, ("next_row", "receipt"))],
)
def test_a_queue_that_nobody_asks_for_any_more_is_settled_by_the_transcript_alone(
    tmp_path, has_transcripts, unresolved, evidence
):
    session = a_session("s1", OLD_CODEX)
    a, b = queued(session), queued(session)

    found = answer(tmp_path, session, has_transcripts=has_transcripts)

    assert found.told(a=a, b=b) == [
        ("a", "deferred", evidence[0]),
        ("b", "deferred", evidence[1]),
    ]
    found.has(unresolved=unresolved)


def a_refused_queue() -> tuple[Session, dict[str, Truth]]:
    session = a_session("s1", CODEX)
    a, b = queued(session, "manual"), queued(session, "manual")
    start(session, b, "refused")
    start(session, b, "refused")
    asked(session)
    c = queued(session, "manual")
    start(session, c)
    session.tell("hook_text", c.checkpoint_hash)
    asked(session)
    return session, {"a": a, "b": b, "c": c}


def test_a_prompt_between_a_refused_queue_and_the_next_delivery_makes_all_of_it_missed(tmp_path):
    session, truths = a_refused_queue()

    assert answer(tmp_path, session).told(**truths) == [
        ("a", "missed", "transcript"),
        ("b", "missed", "transcript"),
        ("c", "injected", "transcript"),
    ]


def test_without_a_transcript_no_prompt_is_known_to_lie_between(tmp_path):
    session, truths = a_refused_queue()

    found = answer(tmp_path, session, has_transcripts=False)

    assert found.told(**truths) == [
        ("a", "deferred", "next_row"),
        ("b", "missed", "session_start"),
        ("c", "injected", "session_start"),
    ]
    found.has(unresolved=0)


def test_where_clocks_step_back_and_no_offset_is_known_hashes_pair(tmp_path):
    session = a_session("s1", has_transcript=False)
    a = begun(session)
    session.step_clock(-7200)
    start(session, a)
    session.guard.receipt()
    session.new_turn()
    b = begun(session)
    start(session, b)
    session.guard.receipt()

    found = answer(tmp_path, session)

    assert found.told(a=a, b=b) == [
        ("a", "injected", "session_start"),
        ("b", "injected", "session_start"),
    ]
    found.has(natural_events=6, coverage=1.0)


def test_a_delivery_after_the_evaluation_does_not_count_yet_and_counts_once_it_is_past(tmp_path):
    session = a_session("s1", at=NIGHT - timedelta(hours=1))
    a = compacted(session)
    session.work()
    session.pass_time(hours=1)
    arrives(session, a)

    early = answer(tmp_path / "early", session)
    late = answer(tmp_path / "late", session, as_of=NIGHT + timedelta(hours=1))

    assert early.told(a=a) == [("a", "missed", "transcript")]
    assert early.json["rows"]["after_as_of"] == 1
    assert late.told(a=a) == [("a", "injected", "transcript")]
    assert late.json["rows"]["after_as_of"] == 0


def test_an_empty_save_is_empty_only_where_its_compaction_finished(tmp_path):
    session = a_session("s1")
    first = begun(session, saving="empty")
    session.finish(first, "auto")
    start(session, None, "none")
    session.work()
    begun(session, saving="empty")
    session.work()
    c = compacted(session)
    start(session, c, "refused")
    session.work()

    found = answer(tmp_path, session)

    assert found.told(c=c) == [
        ("c", "missed", "transcript"),
        ("none", "aborted", "transcript"),
        ("none", "empty", "transcript"),
    ]
    found.has(eligible=1, coverage=1.0, unresolved=0)


def test_a_natural_compaction_may_be_delivered_by_a_synthetic_run(tmp_path):
    session = a_session("s1")
    a = compacted(session)
    session.origin = "synthetic"
    arrives(session, a)
    bench = a_session("s2", origin="synthetic")
    b = delivered(bench)
    start(bench, b)

    found = answer(tmp_path, session, bench)

    assert found.told(a=a) == [("a", "injected", "transcript")]
    found.has(natural_events=1, synthetic_events=4, synthetic_outcomes={"duplicated": 1})
    rehearsed = of_folder(tmp_path, has_transcripts=True, is_rehearsal=True)
    assert rehearsed.told(a=a, b=b) == [
        ("a", "injected", "transcript"),
        ("b", "duplicated", "session_start"),
    ]


@pytest.mark.parametrize(
    ("triggers", "misses", "verdict", "counted"),
    [
        (("auto",), 0, "OBSERVE", 0),
        (("auto",), 1, "OBSERVE", 0),
        (("auto", "manual"), 0, "KEEP", 60),
        (("auto", "manual"), 1, "REVERT", 61),
    ],
)
def test_manual_compactions_decide_only_where_the_policy_takes_them_for_natural(
    tmp_path, triggers, misses, verdict, counted
):
    sessions = [a_session(f"s{number}") for number in range(20)]
    for session in sessions:
        for _ in range(3):
            delivered(session, trigger="manual")
            session.guard.receipt()
    for _ in range(misses):
        compacted(sessions[0], trigger="manual")
        asked(sessions[0])

    found = answer(tmp_path, *sessions, triggers=triggers)

    assert found.json["verdict"] == verdict
    found.has(eligible=60 + misses, eligible_counted=counted, keep_still_possible=not misses)


def test_a_session_begun_before_the_log_is_covered_from_its_first_row_on(tmp_path):
    session = a_session("s1")
    session.finish(Truth(), "auto")
    session.work()
    a = delivered(session)
    session.finish(Truth(), "auto")
    session.work()

    found = answer(tmp_path, session)

    assert found.told(a=a) == [
        ("a", "injected", "transcript"),
        ("none", "uncovered", "transcript"),
    ]


def test_an_agent_that_runs_the_hook_for_manual_compactions_alone_shows_by_trigger(tmp_path):
    session = a_session("s1")
    a = delivered(session, trigger="manual")
    session.finish(Truth(), "auto")
    session.work()
    b = delivered(session, trigger="manual")

    found = answer(tmp_path, session)

    assert found.told(a=a, b=b) == [
        ("a", "injected", "transcript"),
        ("b", "injected", "transcript"),
        ("none", "uncovered", "transcript"),
    ]
    [result] = found.evaluation.interfaces
    by_trigger = {row["trigger"]: (row["delivered"], row["excluded"]) for row in result.conditions}
    assert by_trigger == {"auto": (0, 1), "manual": (2, 0)}

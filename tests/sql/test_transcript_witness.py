"""What a transcript settles and what it must not, told as sessions of the simulator."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from compact_guard.evaluator import warehouse
from tests.simulator import shipping
from tests.simulator.guard import Truth
from tests.simulator.judging import compactions, loaded
from tests.simulator.shipping import Left
from tests.simulator.tales import (
    CLAUDE,
    CODEX,
    GATEWAY,
    OLD_CLAUDE,
    a_session,
    compacted,
    forgotten,
    last_line,
    start,
    with_damage,
)
from tests.simulator.world import MORNING, Session


def judged(*told: Session | Left, as_of: datetime | None = None) -> list[dict[str, Any]]:
    lefts = [left if isinstance(left, Left) else shipping.leave_all(left) for left in told]
    with loaded(lefts, **({"as_of": as_of} if as_of else {})) as connection:
        return compactions(connection)


def detail_of(truth: Truth, rows: list[dict[str, Any]]) -> str:
    return next(row["detail"] for row in rows if row["compaction_id"] == truth.event_id)


def uncovered(rows: list[dict[str, Any]]) -> list[str]:
    return [row["evidence"] for row in rows if row["outcome"] == "uncovered"]


def test_a_forgotten_compaction_that_rows_and_transcript_tell_of_counts_once():
    session = a_session("s1")
    compacted(session)
    forgotten(session)
    forgotten(session)

    assert uncovered(judged(session)) == ["transcript", "transcript"]


def test_what_rows_tell_of_counts_once_though_the_boundary_lies_before_the_period():
    """The first row of all is that of the forgotten compaction itself."""
    session = a_session("s1", CODEX)
    session.finish(Truth(), "auto")
    session.pass_time(seconds=2)
    start(session, None, "none")

    assert uncovered(judged(session)) == ["transcript"]


def test_a_boundary_before_the_first_row_of_the_period_is_nobodys_fault():
    session = a_session("s1")
    session.finish(Truth(), "auto")
    delivered = compacted(session)
    start(session, delivered)

    assert uncovered(judged(session)) == []


def test_a_boundary_whose_interface_cannot_be_known_is_listed_and_not_counted():
    worked = [a_session("s1", CLAUDE), a_session("s2", GATEWAY)]
    for session in worked:
        compacted(session)
    silent = a_session("s3", CLAUDE, at=MORNING + timedelta(days=1))
    silent.finish(Truth(), "auto")

    with loaded([shipping.leave_all(session) for session in (*worked, silent)]) as connection:
        assert uncovered(compactions(connection)) == []
        assert len(warehouse.rows(connection, "select * from boundaries_unplaced")) == 1


def test_a_row_without_an_offset_takes_a_boundary_of_its_stretch():
    session = a_session("s1")
    compacted(session)
    session.pass_time(minutes=1)
    vague = session.guard.pre("auto", "immediate", "saved", knows_bytes=False)
    session.finish(vague, "auto")
    assert uncovered(judged(session)) == []

    session.finish(Truth(), "auto")
    assert uncovered(judged(session)) == ["transcript"]


def fork_of(session: Session) -> Session:
    fork = Session(
        "fork",
        random.Random(0),
        CLAUDE,
        session.true_time + timedelta(hours=1),
        forked_from=session,
    )
    fork.work()
    start(fork, compacted(fork))
    return fork


def test_a_fork_does_not_uncover_what_its_parents_damaged_stretch_hides():
    parent = a_session("s1")
    compacted(parent)
    parent.work()
    fork = fork_of(parent)

    assert uncovered(judged(with_damage(parent, last_line(parent)), fork)) == []


def test_what_a_fork_copied_counts_once_and_beside_what_is_its_own():
    parent = a_session("s1")
    start(parent, compacted(parent))
    forgotten(parent)
    fork = fork_of(parent)
    forgotten(fork)

    assert uncovered(judged(fork, parent)) == ["transcript", "transcript"]


def two_of_one_first_line() -> Iterator[Session]:
    """Forks whose first line names no session, so that their hashes are equal."""
    for name, prompts in (("s1", 1), ("s2", 9)):
        session = a_session(name)
        for _ in range(prompts):
            session.tell("prompt")
        yield session


def test_of_two_sessions_with_one_first_line_each_has_its_own_witness(monkeypatch):
    shorter, longer = two_of_one_first_line()
    monkeypatch.setattr(Session, "transcript_hash", property(lambda session: "f" * 64))
    arrived, aborted = compacted(shorter), longer.guard.pre("auto", "immediate", "saved")
    start(shorter, arrived)
    shorter.tell("hook_text", arrived.checkpoint_hash)
    longer.work()

    rows = judged(shorter, longer)

    assert (detail_of(arrived, rows), detail_of(aborted, rows)) == ("injected", "aborted")
    assert {row["evidence"] for row in rows} == {"transcript"}


def a_queued_text_that_never_arrives() -> tuple[Session, Truth]:
    session = a_session("s1", CODEX)
    truth = compacted(session, "next_turn", "manual")
    compacted(session, "next_turn", "manual")
    start(session, truth)
    session.tell("noise")
    session.tell("prompt")
    session.work()
    return session, truth


def test_a_queued_text_that_the_transcript_shows_nowhere_did_not_arrive():
    session, truth = a_queued_text_that_never_arrives()

    assert detail_of(truth, judged(session)) == "not_arrived"


def test_a_queued_text_may_stand_in_a_later_stretch_that_cannot_be_read():
    session, truth = a_queued_text_that_never_arrives()
    content = bytes(session.writer.transcript.content)
    noise = content[: content.index(b"permissions.instructions")].count(b"\n")

    assert detail_of(truth, judged(with_damage(session, noise))) == "injected"


def test_an_agent_that_records_no_hook_text_cannot_show_that_it_did_not_arrive():
    old, new = a_session("s1", OLD_CLAUDE), a_session("s2", CLAUDE)
    truths = [compacted(session) for session in (old, new)]
    for session, truth in zip((old, new), truths, strict=True):
        start(session, truth)
        session.work()

    rows = judged(old, new)

    assert [detail_of(truth, rows) for truth in truths] == ["injected", "not_arrived"]


def test_a_damaged_end_cannot_show_that_nothing_followed():
    session = a_session("s1", CODEX)
    first = compacted(session, "next_turn", "manual")
    session.pass_time(minutes=1)
    session.guard.pre("manual", "next_turn", "saved")
    session.tell("noise")

    settled, left_open = judged(session), judged(with_damage(session, last_line(session)))

    assert (detail_of(first, settled), detail_of(first, left_open)) == ("not_due", "undecided")


def test_damage_behind_the_last_row_takes_its_witness():
    """It has no time: it may be older than the evaluation."""
    session = a_session("s1")
    session.guard.pre("auto", "immediate", "saved")
    session.tell("noise")

    row = judged(with_damage(session, last_line(session)))[0]

    assert (row["detail"], row["is_witnessed"]) == ("aborted_by_absence", False)


def three_queued() -> tuple[Session, list[Truth]]:
    session = a_session("s1", CODEX)
    truths = [compacted(session, "next_turn", "manual") for _ in range(2)]
    session.tell("noise")
    start(session, truths[1])
    session.tell("prompt")
    session.work()
    truths.append(compacted(session, "next_turn", "manual"))
    start(session, truths[2])
    session.tell("hook_text", truths[2].checkpoint_hash)
    return session, truths


def test_the_nearest_newer_delivery_supersedes_though_its_stretch_cannot_be_read():
    session, truths = three_queued()
    content = bytes(session.writer.transcript.content)
    noise = content[: content.index(b"permissions.instructions")].count(b"\n")

    assert detail_of(truths[0], judged(with_damage(session, noise))) == "superseded"


def test_a_newer_checkpoint_that_did_not_arrive_carries_nothing_forward():
    session, truths = three_queued()

    rows = judged(session)

    assert detail_of(truths[1], rows) == "not_arrived"
    assert detail_of(truths[0], rows) == "passed_by"


def test_the_evaluation_may_fall_into_the_middle_of_a_compaction():
    session = a_session("s1")
    session.pass_time(hours=2)
    truth = session.guard.pre("auto", "immediate", "saved")
    begun = session.now()
    session.pass_time(minutes=40)
    session.finish(truth, "auto")
    start(session, truth)

    def at(**later: float) -> str:
        return detail_of(truth, judged(session, as_of=begun + timedelta(**later)))

    assert [at(minutes=29), at(minutes=30), at(hours=1)] == ["under_way", "aborted", "injected"]

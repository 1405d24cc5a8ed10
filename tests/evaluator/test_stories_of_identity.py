"""Stories of hosts, copies, forks and sessions: who tells what of whom, worked out by hand."""

import gzip
from datetime import timedelta

import pytest

from tests.evaluator.answers import answer, of_folder, written
from tests.evaluator.logs import zstandard
from tests.simulator import shipping
from tests.simulator.guard import Truth
from tests.simulator.tales import (
    CLAUDE,
    CODEX,
    OLD_CLAUDE,
    a_session,
    asked,
    begun,
    compacted,
    delivered,
    forgotten,
    last_line,
    start,
    with_damage,
)
from tests.simulator.world import HOSTS, Session


def test_a_session_that_moves_between_hosts_is_ordered_by_its_offsets(tmp_path):
    """The other host's clock is seven minutes ahead: what ran there seems to have run last."""
    session = a_session("s1")
    a = delivered(session)
    session.host, session.clock_error = HOSTS[1], HOSTS[1].skew
    b = begun(session)
    session.work()
    session.host, session.clock_error = HOSTS[0], HOSTS[0].skew
    c = begun(session)
    start(session, None, "none")
    session.finish(c, "auto")
    session.work()

    found = answer(tmp_path, session, has_transcripts=False)

    assert found.told(a=a, b=b, c=c) == [
        ("a", "injected", "session_start"),
        ("b", "aborted", "next_row"),
        ("c", "missed", "session_start"),
    ]
    assert answer(tmp_path / "again", session).told(a=a, b=b, c=c) == [
        ("a", "injected", "transcript"),
        ("b", "aborted", "transcript"),
        ("c", "missed", "transcript"),
    ]


def test_a_log_shipped_three_times_is_read_three_times_and_counts_once(tmp_path):
    sessions = [a_session(name) for name in ("s1", "s2")]
    truths = [delivered(session) for session in sessions]
    once = answer(tmp_path, *sessions)
    content = (tmp_path / "audit" / "log.jsonl").read_bytes()
    written(tmp_path / "audit" / "shipped" / "log.jsonl.gz", gzip.compress(content))
    written(tmp_path / "audit" / "again" / "log.jsonl.zst", zstandard(content))

    found = of_folder(tmp_path, has_transcripts=True)

    names = {"a": truths[0], "b": truths[1]}
    assert found.told(**names) == once.told(**names)
    rows = {"accepted": 4, "quarantined": 0, "after_as_of": 0}
    assert found.json["rows"] == rows | {"read": 12, "duplicates": 8}


@pytest.mark.parametrize(("suffix", "compress"), [(".zst", zstandard), (".gz", gzip.compress)])
def test_a_compressed_rollout_is_the_same_witness_and_a_broken_one_is_none(
    tmp_path, suffix, compress
):
    whole, broken = a_session("s1", CODEX), a_session("s2", CODEX)
    a, b = delivered(whole), delivered(broken)
    for session, share in ((whole, 1.0), (broken, 0.5)):
        packed = compress(bytes(session.writer.transcript.content))
        name = session.writer.path + suffix
        written(tmp_path / "transcripts" / name, packed[: int(len(packed) * share)])

    found = answer(
        tmp_path, *(shipping.leave_all(one)._replace(file=None) for one in (whole, broken))
    )

    assert found.told(a=a, b=b) == [
        ("a", "injected", "transcript"),
        ("b", "injected", "session_start"),
    ]
    found.has(witnessed=True, witnessed_compactions=1)


def test_of_two_copies_the_longer_speaks_though_it_is_the_damaged_one(tmp_path):
    session = a_session("s1")
    a = compacted(session)
    session.tell("noise")
    damaged = last_line(session)
    b = delivered(session)
    whole = bytes(session.writer.transcript.content)
    asked(session)
    written(tmp_path / "transcripts" / "copy" / "s1.jsonl", whole)

    found = answer(tmp_path, with_damage(session, damaged))

    assert found.told(a=a, b=b) == [("a", "missed", "next_row"), ("b", "injected", "transcript")]


def test_a_subagents_hooks_under_the_main_identity_do_not_touch_the_compaction_after_them(tmp_path):
    session = a_session("s1", OLD_CLAUDE)
    a = begun(session)
    start(session, a)
    session.guard.receipt()
    session.work()
    until_then = session.now() + timedelta(minutes=40)
    session.pass_time(hours=1)
    b = compacted(session)
    start(session, b)
    session.guard.receipt()
    session.work()

    assert answer(tmp_path, session).told(a=a, b=b) == [
        ("a", "unconfirmed", "transcript"),
        ("b", "injected", "session_start"),  # that version records no hook text
    ]
    early = answer(tmp_path / "early", session, as_of=until_then)
    assert early.told(a=a, b=b) == [("a", "unconfirmed", "transcript")]
    assert early.json["rows"]["after_as_of"] == 3


def told_by_another_host(session: Session, **changes: str) -> None:
    """The newest event once more, as another host's log has it."""
    row = next(row for row in reversed(session.stream) if hasattr(row, "fields"))
    session.stream.append(row._replace(fields=row.fields | {"host": HOSTS[1].name} | changes))


def test_an_event_that_two_hosts_tell_alike_counts_once_and_is_quarantined_once(tmp_path):
    session = a_session("s1")
    a = compacted(session)
    start(session, a)
    told_by_another_host(session)

    found = answer(tmp_path, session, has_transcripts=False)

    assert found.told(a=a) == [("a", "injected", "session_start")]
    assert found.json["rows"] == {
        "read": 3, "accepted": 2, "duplicates": 0, "quarantined": 1, "after_as_of": 0,
    }  # fmt: skip
    found.has(natural_events=2)


def test_an_event_that_another_host_tells_differently_and_later_changes_nothing(tmp_path):
    session = a_session("s1")
    a = compacted(session)
    start(session, a)
    later = (session.now() + timedelta(minutes=7)).isoformat(timespec="milliseconds") + "Z"
    told_by_another_host(session, outcome="failed", recorded_at=later)

    found = answer(tmp_path, session, has_transcripts=False)

    assert found.told(a=a) == [("a", "injected", "session_start")]
    assert found.json["rows"]["quarantined"] == 1


def test_a_text_that_goes_out_in_another_session_is_an_orphan_there_and_no_delivery_here(tmp_path):
    saved, other = a_session("s1"), a_session("s2")
    a = compacted(saved)
    saved.guard.receipt()
    b = delivered(other)
    start(other, a)

    found = answer(tmp_path, saved, other, has_transcripts=False)

    assert found.told(a=a, b=b) == [
        ("a", "deferred", "receipt"),
        ("b", "injected", "session_start"),
    ]
    found.has(orphan_injections=1, unresolved=1, coverage=1.0, keep_still_possible=False)


@pytest.mark.parametrize("outcome", ["already_used", "refused"])
def test_a_checkpoint_of_another_transcript_tells_of_a_compaction_without_a_hook(tmp_path, outcome):
    """Rows belong together by session and transcript: here the agent ran no PreCompact hook."""
    session = a_session("s1")
    a = delivered(session)
    elsewhere = Session("s1", session.rng, CLAUDE, session.true_time + timedelta(hours=1))
    elsewhere.writer.transcript.content[:0] = b'{"type":"mode","mode":"plan"}\n'
    start(elsewhere, a, outcome)
    renumbered = elsewhere.stream[-1].fields | {"event_id": "e" * 24}
    elsewhere.stream[-1] = elsewhere.stream[-1]._replace(event_id="e" * 24, fields=renumbered)

    found = answer(tmp_path, session, shipping.leave_all(elsewhere)._replace(file=None))

    assert found.told(a=a) == [
        ("a", "injected", "transcript"),
        ("none", "uncovered", "session_start"),
    ]
    found.has(orphan_injections=0, coverage=0.5)


def test_a_forks_copy_of_an_arrival_is_neither_a_second_one_nor_its_own(tmp_path):
    parent = a_session("s1")
    a = delivered(parent)
    forgotten(parent)
    fork = Session(
        "s2", parent.rng, CLAUDE, parent.true_time + timedelta(hours=1), forked_from=parent
    )
    fork.work()
    b = compacted(fork)
    start(fork, b)
    fork.work()

    found = answer(tmp_path, parent, fork)

    assert found.told(a=a, b=b) == [
        ("a", "injected", "transcript"),
        ("b", "missed", "transcript"),
        ("none", "uncovered", "transcript"),
    ]
    found.has(coverage=round(2 / 3, 6), keep_still_possible=False)


def test_hooks_that_name_an_older_session_pair_with_nothing_of_the_one_that_was_compacted(tmp_path):
    """After a resume the agent tells its hooks the session that it left."""
    left, running = a_session("s1"), a_session("s2")
    start(left, delivered(left), "already_used")
    running.pass_time(minutes=10)
    left.true_time = running.true_time
    a = begun(left)
    start(left, a)
    running.finish(Truth(), "auto")
    running.work()

    found = answer(tmp_path, left, running)

    assert [told for told in found.told(a=a) if told[1] != "injected"] == [
        ("a", "unconfirmed", "transcript"),
        ("none", "uncovered", "transcript"),
    ]

"""What transcripts settle, and what they may not, each answer worked out by hand."""

from datetime import timedelta

import pytest

from tests.evaluator.answers import answer
from tests.simulator import shipping
from tests.simulator.guard import Truth
from tests.simulator.tales import (
    CODEX,
    GATEWAY,
    a_session,
    arrives,
    asked,
    begun,
    compacted,
    delivered,
    start,
)
from tests.simulator.world import NIGHT, Session


def test_a_text_that_arrived_counts_though_the_row_of_its_hook_was_lost(tmp_path):
    session = a_session("s1")
    a = compacted(session)
    session.tell("hook_text", a.checkpoint_hash)
    session.work()

    found = answer(tmp_path, session)

    assert found.told(a=a) == [("a", "injected", "transcript")]
    found.has(eligible_counted=1, witnessed=True, witnessed_compactions=1, coverage=1.0)


def test_a_text_that_arrived_twice_is_a_double_though_one_row_tells_of_it(tmp_path):
    session = a_session("s1")
    a = delivered(session)
    session.tell("hook_text", a.checkpoint_hash)
    session.work()

    found = answer(tmp_path, session)

    assert found.told(a=a) == [("a", "duplicated", "transcript")]
    found.has(keep_still_possible=False, eligible=1)


def test_an_arrival_before_the_boundary_is_none_after_it(tmp_path):
    """The first attempt came to nothing, and what it gave back the compaction then swept away."""
    session = a_session("s1")
    a = begun(session)
    session.tell("hook_text", a.checkpoint_hash)
    session.finish(a, "auto")
    start(session, a)
    session.work()

    found = answer(tmp_path, session)

    assert found.told(a=a) == [("a", "missed", "transcript")]
    found.has(eligible=1, eligible_counted=1, unresolved=0)


def test_what_the_transcript_tells_of_later_days_is_not_known_yet(tmp_path):
    session = a_session("s1", at=NIGHT - timedelta(hours=2))
    a = begun(session)
    session.pass_time(hours=3)
    session.finish(a, "auto")
    arrives(session, a)

    tonight = answer(tmp_path, session)
    tomorrow = answer(tmp_path / "tomorrow", session, as_of=NIGHT + timedelta(days=1))

    assert tonight.told(a=a) == [("a", "aborted", "transcript")]
    assert tonight.json["rows"]["after_as_of"] == 1
    assert tomorrow.told(a=a) == [("a", "injected", "transcript")]


@pytest.mark.parametrize(("is_whole", "evidence"), [(True, "transcript"), (False, "next_row")])
def test_a_copy_that_ends_before_the_next_row_is_a_witness_of_those_before_it_alone(
    tmp_path, is_whole, evidence
):
    session = a_session("s1")
    a = delivered(session)
    b = begun(session)
    end_of_copy = len(session.writer.transcript.content)
    session.work()
    c = delivered(session)
    left = shipping.leave_all(session)
    if not is_whole:
        assert left.file is not None
        left = left._replace(file=left.file._replace(size=end_of_copy, complete=end_of_copy))

    found = answer(tmp_path, left)

    assert found.told(a=a, b=b, c=c) == [
        ("a", "injected", "transcript"),
        ("b", "aborted", evidence),
        ("c", "injected", "transcript" if is_whole else "session_start"),
    ]
    found.has(witnessed_compactions=3 if is_whole else 1, unresolved=0)


def of_nobody(name: str, kind: tuple[str, str]) -> Session:
    """A session without any hook, compacted after the log began."""
    session = a_session(name, kind)
    session.pass_time(days=1)
    session.finish(Truth(), "auto")
    session.work()
    return session


def test_a_boundary_of_a_session_without_rows_counts_where_one_interface_alone_is_possible(
    tmp_path,
):
    logged = a_session("s1", GATEWAY)
    a = delivered(logged)

    found = answer(tmp_path, logged, of_nobody("s2", GATEWAY))

    assert found.told(a=a) == [
        ("a", "injected", "transcript"),
        ("none", "uncovered", "transcript"),
    ]
    found.has(interface="claude-code/gateway", coverage=0.5)


def test_where_two_interfaces_are_possible_it_is_listed_and_counts_for_neither(tmp_path):
    sessions = [a_session("s1"), a_session("s2", GATEWAY)]
    for session in sessions:
        delivered(session)

    found = answer(tmp_path, *sessions, of_nobody("s3", GATEWAY))

    assert [one["outcomes"]["uncovered"] for one in found.json["interfaces"]] == [0, 0]
    assert [one["coverage"] for one in found.json["interfaces"]] == [1.0, 1.0]


def test_codexs_file_names_the_interface_of_a_session_without_rows(tmp_path):
    """The log knows Codex by two interfaces; the rollout says which one it was."""
    cli, desktop = a_session("s1", CODEX), a_session("s2", ("codex/desktop", "0.171.0"))
    for session in (cli, desktop):
        delivered(session)

    found = answer(tmp_path, cli, desktop, of_nobody("s3", ("codex/desktop", "0.171.0")))

    uncovered = {one["interface"]: one["outcomes"]["uncovered"] for one in found.json["interfaces"]}
    assert uncovered == {"codex/cli": 0, "codex/desktop": 1}


def test_of_a_session_that_fell_asleep_after_its_boundary_nothing_is_due(tmp_path):
    session = a_session("s1")
    a = delivered(session)
    asked(session)
    b = compacted(session)
    session.guard.receipt()

    found = answer(tmp_path, session)

    assert found.told(a=a, b=b) == [
        ("a", "injected", "transcript"),
        ("b", "deferred", "transcript"),
    ]
    found.has(unresolved=0, eligible=1, keep_still_possible=True)


def test_clearing_tool_results_between_a_save_and_its_abort_is_no_boundary(tmp_path):
    session = a_session("s1")
    a = begun(session)
    session.tell("microcompaction")
    session.work()
    b = delivered(session)

    assert answer(tmp_path, session).told(a=a, b=b) == [
        ("a", "aborted", "transcript"),
        ("b", "injected", "transcript"),
    ]

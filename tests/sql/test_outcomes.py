"""The case table of design.md section 4, case by case, told as sessions."""

from datetime import timedelta

import pytest

from tests.builders import Session
from tests.models import NIGHT, compactions, details, outcomes


def codex(name: str = "s1") -> Session:
    return Session(name, "codex/desktop")


def test_a_checkpoint_delivered_once_is_injected():
    assert outcomes(Session("s1").delivered("aa")) == {"aa": "injected"}


def test_a_compaction_begun_within_the_grace_is_deferred_and_resolved():
    session = Session("s1", at=NIGHT - timedelta(minutes=25)).pre("aa")

    row = compactions(session)["aa"]

    assert (row["outcome"], row["detail"], row["is_unresolved"]) == ("deferred", "under_way", False)


def test_an_injection_within_the_grace_counts_at_once():
    session = Session("s1", at=NIGHT - timedelta(minutes=20)).delivered("aa")

    assert outcomes(session) == {"aa": "injected"}


def test_hooks_that_ran_for_a_compaction_the_next_row_contradicts_are_unconfirmed():
    session = Session("s1").pre("aa").start("aa").receipt().delivered("bb")

    assert outcomes(session) == {"aa": "unconfirmed", "bb": "injected"}
    assert compactions(session)["aa"]["evidence"] == "next_row"


def test_an_abort_is_certain_when_the_next_row_shows_no_boundary():
    row = compactions(Session("s1").aborted("aa").delivered("bb"))["aa"]

    assert (row["outcome"], row["evidence"], row["is_unresolved"]) == ("aborted", "next_row", False)


def test_an_abort_by_absence_alone_is_unresolved():
    row = compactions(Session("s1").aborted("aa"))["aa"]

    assert (row["outcome"], row["evidence"], row["is_unresolved"]) == ("aborted", "absence", True)


def test_a_next_row_without_offsets_is_no_witness():
    session = Session("s1", has_transcript=False).aborted("aa").delivered("bb")

    assert compactions(session)["aa"]["evidence"] == "absence"


def test_a_save_that_failed_in_a_finished_compaction_is_missed():
    session = Session("s1").pre(None, outcome="failed", reason="disk_full").finish()

    assert details(session.start(None, "none").receipt()) == {"?": "save_failed"}


def test_nothing_to_save_is_empty():
    session = Session("s1").pre(None, outcome="empty").finish().start(None, "none").receipt()

    assert outcomes(session) == {"?": "empty"}


def test_two_injections_of_one_checkpoint_are_duplicated():
    assert outcomes(Session("s1").delivered("aa").start("aa")) == {"aa": "duplicated"}


def test_a_delivery_that_waited_for_the_next_turn_of_an_automatic_compaction_came_late():
    assert details(codex().queued("aa").start("aa")) == {"aa": "delivered_late"}


def test_a_delivery_that_waited_for_the_next_turn_of_an_idle_compaction_is_injected():
    assert outcomes(codex().queued("aa", "manual").start("aa")) == {"aa": "injected"}


@pytest.mark.parametrize("outcome", ["none", "refused", "failed", "already_used"])
def test_a_start_hook_that_delivered_nothing_is_missed(outcome):
    label = "aa" if outcome in ("refused", "already_used") else None
    session = Session("s1").pre("aa").finish().start(label, outcome).receipt()

    assert details(session) == {"aa": "not_delivered"}


def test_eight_queued_compactions_deliver_the_newest_and_supersede_the_rest():
    session = codex()
    for label in ("aa", "bb", "cc"):
        session.queued(label)
    session.start("cc").start("cc", "already_used").start("cc", "already_used")

    assert details(session) == {"aa": "superseded", "bb": "superseded", "cc": "delivered_late"}


def test_a_session_that_went_on_past_an_immediate_delivery_missed_it():
    session = Session("s1").pre("aa").finish().delivered("bb")

    assert details(session) == {"aa": "passed_by", "bb": "injected"}


def test_a_receipt_alone_leaves_the_last_compaction_undecided():
    row = compactions(Session("s1").pre("aa").finish().receipt())["aa"]

    assert (row["outcome"], row["evidence"], row["is_unresolved"]) == ("deferred", "receipt", True)


def test_a_start_without_any_checkpoint_before_it_is_uncovered():
    assert outcomes(Session("s1").finish().start(None, "none").receipt()) == {"?": "uncovered"}


def test_a_second_start_is_a_compaction_whose_hook_never_ran():
    session = Session("s1").delivered("aa").start(None, "none").receipt()

    assert outcomes(session) == {"aa": "injected", "?": "uncovered"}


def test_a_second_start_of_a_queue_is_only_its_echo():
    session = codex().queued("aa", "manual").start("aa").start(None, "none")

    assert outcomes(session) == {"aa": "injected"}


def test_a_receipt_and_the_start_after_it_are_one_uncovered_compaction():
    assert outcomes(codex().finish().receipt().start(None, "none")) == {"?": "uncovered"}


def test_an_injection_that_nobody_announced_is_no_compaction():
    assert outcomes(Session("s1").delivered("aa").start("zz")) == {"aa": "injected"}


def test_a_checkpoint_delivered_at_resume_counts():
    session = codex().queued("aa", "manual").wait(hours=1).start("aa", source="resume")

    assert outcomes(session) == {"aa": "injected"}


def test_a_subagents_rows_take_no_part():
    session = Session("s1").delivered("aa")
    session.pre(None, outcome="skipped", reason="subagent", subagent=True)
    session.start(None, "skipped", reason="subagent", subagent=True).receipt(subagent=True)

    assert outcomes(session) == {"aa": "injected"}


def test_a_clock_that_stepped_back_does_not_reorder_compactions():
    session = Session("s1").delivered("aa").wait(hours=-2).aborted("bb").delivered("cc")

    assert outcomes(session) == {"aa": "injected", "bb": "aborted", "cc": "injected"}


def test_a_clock_that_steps_back_between_a_compaction_and_its_receipt_uncovers_nothing():
    claude = Session("s1").pre("aa").finish().wait(hours=-2).start("aa").receipt()
    desktop = codex("s2").pre("bb", turn_hash="d" * 64).finish().wait(hours=-2)
    desktop.receipt(turn_hash="d" * 64).start("bb")

    assert outcomes(claude, desktop) == {"aa": "injected", "bb": "injected"}


def test_another_sessions_start_answers_nothing():
    one = Session("s1").pre("aa").finish().receipt()
    other = Session("s2").start("aa")

    assert outcomes(one, other)["aa"] == "deferred"


def test_sessions_are_told_apart_by_transcript_too():
    before, after = Session("s1"), Session("s1")
    before.pre("aa").finish().receipt()
    after.delivered("bb")
    for row in after.rows:
        row["transcript_hash"] = "f" * 64
        row["event_id"] = row["event_id"][::-1]

    assert outcomes(before, after) == {"aa": "deferred", "bb": "injected"}


def test_neither_the_receipt_nor_the_echo_of_an_orphan_is_a_compaction():
    claude = Session("s1").finish().start("zz").receipt()
    desktop = codex("s2").finish().receipt().start("yy").start("yy", "already_used")

    assert outcomes(claude, desktop) == {}


@pytest.mark.parametrize("event_id", ["0" * 24, "f" * 24])
def test_an_orphan_as_old_as_a_compaction_has_not_the_receipt_before_both(event_id):
    """Hooks of one time ran in the order of a compaction, whatever their rows are called."""
    session = Session("s1").finish().receipt().pre(None, outcome="skipped", event_id=event_id)
    session.finish().wait(seconds=-40).start("zz").receipt()

    assert outcomes(session) == {"?": "uncovered"}


def test_a_resume_that_delivers_nothing_tells_of_no_compaction():
    session = Session("s1").delivered("aa").start("zz", "refused", source="resume")

    assert outcomes(session) == {"aa": "injected"}


def test_of_a_start_and_a_receipt_without_a_row_the_start_is_the_evidence():
    row = compactions(codex().finish().receipt().start(None, "none"))["?"]

    assert row["evidence"] == "session_start"


def test_an_older_delivery_is_no_later_row_though_its_clock_was_ahead():
    session = Session("s1").delivered("aa").wait(hours=-2).pre("bb").finish().receipt()

    assert details(session) == {"aa": "injected", "bb": "undecided"}


def test_a_receipt_before_the_first_row_is_not_given_to_a_compaction_that_began_later():
    turn = {"turn_hash": "d" * 64}
    session = codex().finish().receipt(**turn).pre("aa", delivery="next_turn", **turn)

    assert outcomes(session.delivered("bb")) == {
        "?": "uncovered",
        "aa": "aborted",
        "bb": "injected",
    }


def test_a_run_that_stepped_back_for_another_of_the_same_compaction_is_none():
    session = Session("s1").delivered_by_two_registrations("aa")
    session.delivered_by_two_registrations("bb").aborted("cc").stepped_back().delivered("dd")

    assert outcomes(session) == {
        "aa": "injected",
        "bb": "injected",
        "cc": "aborted",
        "dd": "injected",
    }
    assert compactions(session)["cc"]["evidence"] == "next_row"


def test_a_run_that_stepped_back_is_no_witness_even_with_offsets():
    session = Session("s1").pre("aa")
    place = {"transcript_bytes": session.rows[-1]["transcript_bytes"], "last_boundary_bytes": None}

    assert outcomes(session.stepped_back(**place).finish().start("aa")) == {"aa": "injected"}


def test_a_checkpoint_that_neither_of_two_runs_gave_back_is_missed_once():
    session = Session("s1").pre("aa").stepped_back().finish()

    session.start("aa", "refused", reason="owner").start("aa", "refused", reason="owner")

    assert outcomes(session) == {"aa": "missed"}


def test_a_restart_without_a_hash_belongs_to_the_run_that_did_the_work():
    session = Session("s1").pre(None, outcome="failed", reason="disk_full").stepped_back()
    session.finish().start(None, "none").start(None, "skipped", reason="claimed_elsewhere")

    assert outcomes(session.receipt().receipt()) == {"?": "missed"}


def test_two_restarts_of_an_empty_compaction_are_no_second_one():
    session = Session("s1").pre(None, outcome="empty").stepped_back().finish()
    session.start(None, "none").start(None, "skipped", reason="claimed_elsewhere")

    assert outcomes(session.receipt().receipt()) == {"?": "empty"}


def test_a_row_that_skipped_its_compaction_has_no_outcome_but_is_a_witness():
    session = Session("s1").aborted("aa").pre(None, outcome="skipped").finish().start(None, "none")

    row = compactions(session.receipt())["aa"]

    assert (row["outcome"], row["evidence"], row["is_unresolved"]) == ("aborted", "next_row", False)

"""A guard that is registered twice is judged by what reached the model, not by who stepped back."""

from datetime import timedelta

from tests.builders import MORNING, Session, rows_of, write_log
from tests.evaluator.nights import night


def weeks_of_two_registrations() -> list[Session]:
    """Enough for a KEEP: every hook of every compaction ran twice."""
    sessions = []
    for day in range(20):
        session = Session(f"work {day}", at=MORNING + timedelta(days=day))
        for number in range(3):
            session.delivered_by_two_registrations(f"checkpoint {day} {number}")
        sessions.append(session)
    return sessions


def test_weeks_of_two_registrations_are_kept(tmp_path):
    log = write_log(tmp_path / "audit", rows_of(weeks_of_two_registrations()))

    judged = night(tmp_path / "kept.duckdb", log)

    (interface,) = judged.interfaces
    assert judged.verdict == "KEEP"
    assert interface.evidence.outcomes["injected"] == interface.evidence.eligible_counted == 60
    assert interface.evidence.unresolved_share == 0


def test_one_checkpoint_that_both_runs_lost_is_reverted(tmp_path):
    lost = Session("lost", at=MORNING + timedelta(days=21)).pre("aa").stepped_back().finish()
    lost.start(None, "none").start(None, "skipped", reason="claimed_elsewhere")
    lost.receipt().receipt()
    log = write_log(tmp_path / "audit", rows_of([*weeks_of_two_registrations(), lost]))

    judged = night(tmp_path / "kept.duckdb", log)

    (interface,) = judged.interfaces
    assert judged.verdict == "REVERT"
    assert (interface.evidence.outcomes["missed"], interface.evidence.coverage) == (1, 1)

"""Logs as people's machines leave them, each with the whole answer worked out by hand."""

import gzip
import json
from datetime import timedelta

from tests.builders import MORNING, OLD_FINGERPRINT, Session, digest, rows_of, write_log
from tests.evaluator.by_hand import gated, holds, judged, rows, said, told
from tests.evaluator.nights import NIGHT


def at_once(session: Session) -> Session:
    """As a clock that only knows the minute tells it: all of it at the same time."""
    for row in session.rows:
        row["recorded_at"] = session.rows[0]["recorded_at"]
    return session


def test_two_sessions_at_one_instant_shipped_twice_and_shuffled(tmp_path):
    one, other = (at_once(Session(name).delivered(name)) for name in ("one", "other"))
    lost = at_once(Session("lost").pre("lost").finish().start(None, "none").receipt())
    lines = [*rows_of([one, other, lost])] * 2
    shuffled = [lines[place * 7 % len(lines)] for place in range(len(lines))]
    write_log(tmp_path / "audit", shuffled[::2])
    write_log(tmp_path / "audit" / "more", shuffled[1::2])

    answer = said(tmp_path)

    assert sorted(str(line) for line in shuffled) == sorted(str(line) for line in lines)
    assert answer["rows"] == rows(read=18, accepted=9, duplicates=9)
    assert told(answer, "one", "other", "lost") == [
        ("lost", "missed", "session_start"),
        ("one", "injected", "session_start"),
        ("other", "injected", "session_start"),
    ]
    holds(answer, natural_events=9, sessions=3, eligible=3, eligible_counted=3, unresolved=0)
    holds(answer, coverage=1.0, witnessed=False, witnessed_compactions=0, verdict="OBSERVE")
    holds(answer, keep_still_possible=False, orphan_injections=0)


def test_a_host_whose_clock_is_two_hours_ahead_tells_of_tomorrow(tmp_path):
    here = Session("here", at=NIGHT - timedelta(hours=1)).delivered("aa")
    ahead = Session("ahead", at=NIGHT - timedelta(hours=1)).delivered("bb")
    for row in ahead.wait(hours=2).delivered("cc").rows:
        row["host"] = "b2" * 8

    answer = judged(tmp_path, here, ahead)

    assert answer["rows"] == rows(read=9, accepted=6, after_as_of=3)
    assert told(answer, "aa", "bb", "cc") == [
        ("aa", "injected", "session_start"),
        ("bb", "injected", "session_start"),
    ]
    holds(answer, natural_events=6, sessions=2)


def test_an_old_fingerprints_miss_and_a_benchs_doubles_stay_where_they_belong(tmp_path):
    before = MORNING - timedelta(days=9)
    old = Session("old", at=before, fingerprint=OLD_FINGERPRINT)
    old.delivered("aa").pre("bb").finish().start(None, "none").receipt()
    bench = Session("bench", origin="synthetic").delivered("cc").start("cc")
    old_bench = Session("old bench", at=before, origin="synthetic", fingerprint=OLD_FINGERPRINT)
    new = Session("new").delivered("dd").delivered("ee", "manual")

    answer = judged(tmp_path, old, bench, old_bench.delivered("ff"), new)

    assert told(answer, "dd", "ee") == [
        ("dd", "injected", "session_start"),
        ("ee", "injected", "session_start"),
    ]
    holds(answer, natural_events=6, synthetic_events=7, eligible=2, eligible_counted=1, sessions=1)
    holds(answer, synthetic_outcomes={"injected": 1, "duplicated": 1}, keep_still_possible=True)
    holds(answer, outcomes={"injected": 2}, miss_rate_upper_bound=0.95)


def test_nights_that_were_missed_and_a_log_that_rotates_and_comes_again_count_once(tmp_path):
    audit = tmp_path / "audit"
    first, second, third = (
        Session(f"s{day}", at=MORNING + timedelta(days=day)).delivered(f"c{day}")
        for day in (0, 1, 9)
    )
    write_log(audit, rows_of([first]))
    holds(said(tmp_path, as_of=MORNING + timedelta(days=1)), outcomes={"injected": 1})
    [log] = audit.iterdir()
    audit.joinpath(log.name + ".gz").write_bytes(gzip.compress(log.read_bytes()))
    log.unlink()
    write_log(audit, rows_of([second, third]))
    write_log(audit / "again", rows_of([first, second]))

    answer = said(tmp_path)

    assert answer["rows"] == rows(read=15, accepted=9, duplicates=6)
    holds(answer, outcomes={"injected": 3}, natural_events=9, sessions=3, coverage=1.0)


def test_codex_delivers_a_queue_at_its_end_or_at_a_resume_and_late_where_the_model_worked_on(
    tmp_path,
):
    idle = Session("idle", "codex/cli").queued("aa", "manual").queued("bb", "manual")
    idle.start("bb").start("bb", "already_used")
    resumed = Session("resumed", "codex/cli").queued("cc", "manual").wait(days=1)
    resumed.start("cc", source="resume")
    late = Session("late", "codex/cli").queued("dd").wait(hours=1).start("dd")
    doubled = Session("doubled", "codex/cli").queued("ee", "manual").start("ee").start("ee")
    never = Session("never", "codex/cli").queued("ff", "manual")

    answer = judged(tmp_path, idle, resumed, late, doubled, never)

    assert told(answer, "aa", "bb", "cc", "dd", "ee", "ff") == [
        ("aa", "deferred", "next_row"),
        ("bb", "injected", "session_start"),
        ("cc", "injected", "session_start"),
        ("dd", "deferred", "session_start"),
        ("ee", "duplicated", "session_start"),
        ("ff", "deferred", "receipt"),
    ]
    holds(answer, eligible=3, eligible_counted=0, sessions=0, unresolved=1, coverage=1.0)
    holds(answer, miss_rate_upper_bound=None, session_miss_rate_upper_bound=None)


def test_an_upgrade_while_a_checkpoint_is_pending_leaves_both_periods_whole(tmp_path):
    session = Session("s1", "codex/cli", fingerprint=OLD_FINGERPRINT).queued("aa", "manual")
    session.fingerprint = digest("new")[:12]
    session.wait(hours=3).start("aa").queued("bb", "manual").wait(minutes=5).start("bb")

    answer = judged(tmp_path, session)
    earlier = judged(tmp_path / "earlier", session, guard_fingerprint=OLD_FINGERPRINT)

    assert told(answer, "aa", "bb") == [("bb", "injected", "session_start")]
    holds(answer, natural_events=4, guard_fingerprint=digest("new")[:12], orphan_injections=0)
    assert told(earlier, "aa", "bb") == [("aa", "injected", "session_start")]
    holds(earlier, natural_events=2, guard_fingerprint=OLD_FINGERPRINT)


def test_two_registrations_and_subagents_beside_the_main_session_change_no_count(tmp_path):
    session = Session("s1").delivered_by_two_registrations("aa")
    side = {"outcome": "skipped", "reason": "subagent", "subagent": True}
    session.pre(None, **side).start(None, **side).receipt(**side)
    session.delivered("bb")

    answer = judged(tmp_path, session)

    assert told(answer, "aa", "bb") == [
        ("aa", "injected", "session_start"),
        ("bb", "injected", "session_start"),
    ]
    holds(answer, natural_events=9, sessions=1, coverage=1.0, outcomes={"injected": 2})
    assert answer["rows"] == rows(read=12, accepted=12)


def test_a_compaction_within_grace_waits_and_only_an_injection_ends_the_wait(tmp_path):
    now = NIGHT - timedelta(minutes=25)
    fresh = Session("fresh", at=now).pre("aa")
    refused = Session("refused", at=now).pre("bb").finish().start("bb", "refused")
    given = Session("given", at=now).delivered("cc")
    repeated = Session("repeated", at=now).pre("dd").pre("ee")
    old = Session("old", at=NIGHT - timedelta(minutes=35)).pre("ff")

    answer = judged(tmp_path, fresh, refused, given, repeated, old)

    assert told(answer, "aa", "bb", "cc", "dd", "ee", "ff") == [
        ("aa", "deferred", "absence"),
        ("bb", "deferred", "session_start"),
        ("cc", "injected", "session_start"),
        ("dd", "deferred", "absence"),
        ("ee", "deferred", "absence"),
        ("ff", "aborted", "absence"),
    ]
    holds(answer, unresolved=1, eligible=1, keep_still_possible=True)


def test_enough_for_a_keep_and_what_one_line_of_prose_or_one_orphan_makes_of_it(tmp_path):
    weeks = [Session(f"work {day}", at=MORNING + timedelta(days=day)) for day in range(20)]
    for day, session in enumerate(weeks):
        for number in range(3):
            session.delivered(f"{day} {number}")
    answer = judged(tmp_path / "plain", *weeks)

    assert answer["verdict"] == "KEEP"
    holds(answer, natural_events=180, sessions=20, eligible_counted=60, needed=59, unresolved=0)
    holds(answer, miss_rate_upper_bound=0.048703, session_miss_rate_upper_bound=0.139108)

    torn = [json.dumps(row)[:-9] for row in weeks[0].rows[:3]]
    write_log(tmp_path / "torn" / "audit", [*rows_of(weeks), *torn])
    assert said(tmp_path / "torn")["verdict"] == "KEEP"  # 3 of 183 lines: 1.6 %
    write_log(tmp_path / "torn" / "audit", ["prose"])
    assert said(tmp_path / "torn")["verdict"] == "OBSERVE"  # 4 of 184: 2.2 %
    write_log(tmp_path / "stray" / "audit", rows_of([*weeks, Session("s1").start("stranger")]))
    orphan = gated(tmp_path / "stray")
    assert orphan["verdict"] == "OBSERVE"
    holds(orphan, orphan_injections=1, eligible_counted=60, keep_still_possible=False)
    lost = Session("lost").pre("lost", "manual").finish().start(None, "none")
    assert judged(tmp_path / "lost", *weeks, lost)["verdict"] == "REVERT"

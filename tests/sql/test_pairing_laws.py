"""Laws of pairing: what no order, repetition or splitting of the log may change."""

import json
from datetime import timedelta
from itertools import product

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.evaluator import audit_lines, building, ingest, policy, warehouse
from tests.builders import MORNING, Session, rows_of
from tests.models import NIGHT, check_keys, compactions

# Everything that can happen to one compaction, told by what the guard and the agent do.
STEPS = {
    "delivered": lambda session, label: session.delivered(label),
    "aborted": lambda session, label: session.aborted(label),
    "queued": lambda session, label: session.queued(label),
    "queued_by_hand": lambda session, label: session.queued(label, "manual"),
    "late": lambda session, label: session.queued(label).start(label),
    "twice": lambda session, label: session.delivered(label).start(label),
    "refused": lambda session, label: session.pre(label).finish().start(label, "refused"),
    "forgotten": lambda session, label: session.finish().start(None, "none").receipt(),
    "save_failed": lambda session, label: session.pre(None, outcome="failed").finish().receipt(),
    "nothing": lambda session, label: session.pre(None, outcome="empty").finish().receipt(),
    "subagents": lambda session, label: session.pre(label).start(label).receipt(),
    "orphan": lambda session, label: session.start("somebody else's " + label),
}

stories = st.lists(
    st.tuples(
        st.sampled_from(["claude-code/anthropic", "codex/desktop"]),
        st.booleans(),
        st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=6),
    ),
    min_size=5,
    max_size=20,
)


def told(story) -> list[dict]:
    sessions = []
    for number, (interface, has_transcript, steps) in enumerate(story):
        session = Session(
            f"s{number}",
            interface,
            at=MORNING + timedelta(hours=number),
            has_transcript=has_transcript,
        )
        for position, step in enumerate(steps):
            STEPS[step](session, f"{number} {position}")
        sessions.append(session)
    return rows_of(sessions)


def judged(*files: list[dict]) -> list[tuple]:
    """Every compaction and orphan that these log files amount to."""
    connection = duckdb.connect()
    warehouse.create(connection)
    for name, rows in enumerate(files):
        audit_lines.insert(
            connection,
            [
                ingest.parse_line(json.dumps(row).encode(), f"{name}.jsonl", number)
                for number, row in enumerate(rows, start=1)
            ],
        )
    warehouse.set_parameters(connection, NIGHT, policy.load())
    building.build(connection)
    check_keys(connection)
    found = connection.execute("select * from compactions order by all").fetchall()
    # Threads are numbered as they come.
    found += connection.execute(
        "select * exclude (thread) from orphan_injections order by all"
    ).fetchall()
    found += connection.execute("select * from interface_evidence order by interface").fetchall()
    found += connection.execute(
        "select * from evidence_identities where compactions_without_outcome <> 0 "
        "or compactions_twice <> 0 or pre_compacts_lost <> 0 or injections_unplaced <> 0 "
        "or counted_not_eligible <> 0"
    ).fetchall()
    return found


@settings(max_examples=8)
@given(stories, st.randoms(use_true_random=False))
def test_outcomes_do_not_depend_on_order_repetition_or_files(story, rng):
    rows = told(story)
    in_order = judged(rows)

    shuffled = rows + rng.sample(rows, k=rng.randrange(len(rows)))
    rng.shuffle(shuffled)
    cut = rng.randrange(len(shuffled))

    assert judged(shuffled[:cut], shuffled[cut:]) == in_order


@settings(max_examples=8)
@given(stories)
def test_every_compaction_has_one_outcome_and_every_identity_holds(story):
    rows = told(story)
    found = judged(rows)

    announced = [row for row in rows if row["event"] == "pre_compact"]
    compaction_ids = [row[0] for row in found if row[0] in {row["event_id"] for row in announced}]
    assert sorted(compaction_ids) == sorted(row["event_id"] for row in announced)


def test_two_compactions_in_a_row_are_judged_apart_whatever_became_of_each():
    """The whole space: every pair of steps, one session each."""
    alone = {
        step: {row["detail"] for row in compactions(STEPS[step](Session("s1"), "aa")).values()}
        for step in ("delivered", "twice", "refused")
    }

    for first, second in product(("delivered", "twice", "refused"), repeat=2):
        session = Session("s1")
        STEPS[first](session, "aa")
        STEPS[second](session, "bb")
        found = compactions(session)
        assert {found["aa"]["detail"]} == alone[first], (first, second)
        assert {found["bb"]["detail"]} == alone[second], (first, second)

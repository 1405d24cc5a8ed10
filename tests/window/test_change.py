"""A change of window: seen, or said by the user; and what is compared with what."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.window import change as changes
from compact_guard.window import periods, rules
from compact_guard.window.change import Session

RULES = rules.load()
DAY = datetime(2026, 11, 1)


def session(number, seen=155_000.0, **fields):
    at = DAY + timedelta(hours=number)
    told = Session("claude-code", f"{number:03}", "herons", "opus", at, 50, 4.0, seen)
    return told._replace(**fields)


def moved(before=155_000.0, after=167_000.0, count=12):
    """Sizes scatter a little, as those of one window do."""
    return [
        session(number, (before if number < count else after) + 97 * (number * 5 % 11))
        for number in range(2 * count)
    ]


def test_a_shift_of_where_compactions_begin_is_a_change():
    found = changes.propose(moved(), RULES)

    assert (found.at, found.source) == (DAY + timedelta(hours=12), "observed")
    assert (round(found.window_before, -3), round(found.window_after, -3)) == (155_000, 167_000)


def test_a_few_sessions_with_a_window_of_their_own_do_not_move_it():
    sessions = moved(count=20)
    sessions[3] = session(3, 500_000.0)
    sessions[30] = session(30, 155_000.0)

    assert changes.propose(sessions, RULES).at == DAY + timedelta(hours=20)


@pytest.mark.parametrize(
    "sessions",
    [
        [],
        [session(0)],
        [session(number) for number in range(40)],
        moved(count=3),
        moved(after=156_000.0),
        [session(number, None) for number in range(40)],
        [session(number, started_at=None) for number in range(40)],
    ],
    ids=["none", "one", "no shift", "few", "tiny shift", "no compaction", "no time"],
)
def test_without_a_clear_shift_nothing_is_proposed(sessions):
    assert changes.propose(sessions, RULES) is None


def test_what_the_user_says_needs_no_shift():
    found = changes.given(DAY + timedelta(hours=1), [session(0, None), session(1, 99.0)])

    assert (found.source, found.window_before, found.window_after) == ("given", None, 99.0)


@given(st.lists(st.integers(0, 9), max_size=30))
@settings(max_examples=60)
def test_a_split_leaves_something_on_both_sides_or_has_no_evidence(values):
    split, p_value = changes.pettitt(values)

    assert 0 < p_value <= 1
    assert 0 < split < len(values) or p_value == 1.0


def test_noise_is_rarely_taken_for_a_change():
    import random

    chance = random.Random(7)
    runs = [
        changes.pettitt([chance.random() for _ in range(40)])[1] < RULES.max_proposal_p_value
        for _ in range(400)
    ]

    assert sum(runs) <= 8


def reasons(sessions, change):
    return {one.session.session_hash: one.set_apart for one in periods.place(sessions, change)}


def test_only_like_is_compared_with_like():
    sessions = [
        *moved(),
        session(2, 167_500.0, session_hash="early"),
        session(3, 300_000.0, session_hash="large"),
        session(4, None, session_hash="never compacted"),
        session(4, None, peak_context_tokens=168_000, session_hash="at its window"),
        session(4, None, peak_context_tokens=238_000, session_hash="outgrown"),
        session(5, main_model="sonnet", session_hash="other model"),
        session(6, project_hash="egrets", session_hash="other project"),
        session(7, agent="codex", session_hash="other agent"),
        session(8, cost_usd=None, session_hash="unpriced"),
        session(9, turns=0, session_hash="idle"),
        session(9, started_at=None, session_hash="undated"),
    ]
    found = reasons(sessions, changes.propose(moved(), RULES))

    assert {name: reason for name, reason in found.items() if not name.isdigit()} == {
        "early": "a window of its own",
        "large": "a window of its own",
        "never compacted": None,
        "at its window": None,
        "outgrown": "grew past its window and never compacted",
        "other model": "no session of its project and model on the other side",
        "other project": "no session of its project and model on the other side",
        "other agent": "another agent",
        "unpriced": "no price",
        "idle": "no turn of its own",
        "undated": "no readable time",
    }
    assert [name for name, reason in found.items() if name.isdigit() and reason] == []


def test_a_session_belongs_to_the_period_in_which_it_started():
    change = changes.given(DAY + timedelta(hours=1), [])

    assert [one.period for one in periods.place([session(0), session(1)], change)] == [
        "before",
        "after",
    ]

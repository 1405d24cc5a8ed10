"""The rules of design.md section 5, one by one, on counts alone."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from compact_guard.evaluator import policy
from compact_guard.evaluator.verdict import OUTCOMES, Evidence, decide, overall

AS_OF = datetime(2026, 11, 30, 3, 0)
POLICY = policy.load()


def evidence(**changes) -> Evidence:
    """Just enough for a KEEP; `missed=1` and the like change the outcomes."""
    outcomes = dict.fromkeys(OUTCOMES, 0) | {"injected": 59}
    outcomes |= {name: changes.pop(name) for name in list(changes) if name in OUTCOMES}
    enough = Evidence(
        "claude-code/anthropic",
        "b" * 12,
        outcomes,
        natural_events=171,
        sessions=20,
        eligible_counted=59,
        finished=59,
        coverage=1.0,
        unresolved_share=0.0,
        period_from=AS_OF - timedelta(days=30),
    )
    return replace(enough, **changes)


def verdict(found: Evidence, settings: policy.Policy = POLICY, **more) -> str:
    return decide(found, settings, AS_OF, **more).verdict


def test_enough_without_a_failure_is_kept():
    assert verdict(evidence()) == "KEEP"


@pytest.mark.parametrize(
    ("short", "words"),
    [
        ({"natural_events": 170}, "170 of 171 natural events: 1 to go"),
        ({"eligible_counted": 58}, "58 of 59 counted compactions: 1 to go"),
        ({"sessions": 19}, "19 of 20 sessions: 1 to go"),
    ],
)
def test_one_short_of_any_minimum_is_observed(short, words):
    decision = decide(evidence(**short), POLICY, AS_OF)

    assert (decision.verdict, decision.reasons) == ("OBSERVE", (words,))


@pytest.mark.parametrize("failure", ["missed", "duplicated"])
def test_a_failure_at_the_minimum_is_reverted(failure):
    decision = decide(evidence(**{failure: 1}), POLICY, AS_OF)

    assert (decision.verdict, decision.keep_still_possible) == ("REVERT", False)
    assert decision.reasons == (f"1 {failure} of 60 delivered or due",)


def test_a_failure_below_the_minimum_is_observed_and_rules_out_a_keep():
    decision = decide(evidence(missed=1, natural_events=20), POLICY, AS_OF)

    assert (decision.verdict, decision.keep_still_possible) == ("OBSERVE", False)
    assert "1 missed of 60 delivered or due, long before the minimum" in decision.reasons


def test_revert_early_does_not_wait_for_the_minimum():
    early = replace(POLICY, revert_early=True)

    assert verdict(evidence(missed=1, natural_events=20), early) == "REVERT"
    assert verdict(evidence(natural_events=20), early) == "OBSERVE"


@pytest.mark.parametrize(
    ("doubt", "more"),
    [
        ({"coverage": 0.949}, {}),
        ({"unresolved": 4, "unresolved_share": 0.0501}, {}),
        ({}, {"quarantined_share": 0.021}),
        ({}, {"broken_expectations": ["the totals do not add up"]}),
    ],
)
def test_a_doubt_withholds_a_keep(doubt, more):
    assert verdict(evidence(**doubt), **more) == "OBSERVE"


def test_reasons_count_in_the_singular_and_the_plural():
    few = replace(POLICY, min_natural_events=0, min_sessions=0, max_miss_rate=0.99)
    one = evidence(natural_events=3, injected=1, eligible_counted=1, sessions=1)

    assert decide(one, few, AS_OF).reasons == (
        "1 counted compaction in 1 session, none missed, none duplicated",
    )
    doubted = replace(one, unresolved=1, unresolved_share=0.5)
    assert decide(doubted, few, AS_OF).reasons == ("1 unresolved compaction (50.0%), 5% allowed",)


def test_a_doubt_does_not_excuse_a_failure():
    assert verdict(evidence(missed=1, coverage=0.5), broken_expectations=["x"]) == "REVERT"


@pytest.mark.parametrize(
    "just_enough",
    [{"coverage": 0.95}, {"coverage": None}, {"unresolved_share": 0.05}, {"aborted": 40}],
)
def test_what_the_policy_allows_is_kept(just_enough):
    assert verdict(evidence(**just_enough)) == "KEEP"


def test_an_orphan_injection_rules_out_a_keep():
    assert decide(evidence(orphan_injections=1), POLICY, AS_OF).keep_still_possible is False


def test_the_forecast_follows_the_slowest_minimum():
    half = evidence(natural_events=171, eligible_counted=59, sessions=10)

    assert decide(half, POLICY, AS_OF).minimum_reached_at == AS_OF + timedelta(days=30)


def test_nothing_yet_has_no_forecast():
    assert decide(evidence(sessions=0), POLICY, AS_OF).minimum_reached_at is None


def test_the_worst_case_counts_every_unresolved_compaction_as_missed():
    decision = decide(evidence(unresolved=3), POLICY, AS_OF)

    assert decision.worst_case_upper_bound > decision.miss_rate_upper_bound
    assert decision.miss_rate_upper_bound == pytest.approx(0.049508, abs=1e-6)
    assert decision.session_miss_rate_upper_bound == pytest.approx(1 - 0.05 ** (1 / 20))


@pytest.mark.parametrize(
    ("verdicts", "worst"),
    [
        ([], "OBSERVE"),
        (["KEEP"], "KEEP"),
        (["KEEP", "OBSERVE"], "OBSERVE"),
        (["OBSERVE", "REVERT", "KEEP"], "REVERT"),
    ],
)
def test_the_worst_interface_speaks_for_all(verdicts, worst):
    assert overall(verdicts) == worst

"""What a change of window did: periods that add up, and a verdict that waits for evidence."""

import pytest

from compact_guard.errors import UsageError
from compact_guard.report.phrases import counted
from compact_guard.window import rules
from tests.window import histories
from tests.window.studies import rows, studied


@pytest.fixture(scope="module")
def shrunk(tmp_path_factory):
    """24 sessions that compact at 160,000 tokens, then 24 at 80,000."""
    return studied(histories.change_of_window(tmp_path_factory.mktemp("shrunk")))


def test_a_smaller_window_that_saves_money_is_kept(shrunk):
    cost = shrunk["change"]["cost_per_turn"]

    assert shrunk["verdict"] == "KEEP"
    assert cost["low"] < cost["relative"] < cost["high"] < 0
    assert shrunk["change"]["source"] == "observed"
    assert shrunk["change"]["at"].startswith("2026-11-07T00:")


def test_a_larger_window_that_costs_more_is_reverted(tmp_path):
    study = studied(histories.change_of_window(tmp_path, before=80_000, after=160_000))

    assert study["verdict"] == "REVERT"
    assert study["change"]["cost_per_turn"]["low"] > 0


def test_each_turn_boundary_and_dollar_belongs_to_one_period(shrunk):
    before, after = shrunk["periods"]

    assert (before["period"], after["period"]) == ("before", "after")
    assert before["turns"] + after["turns"] == shrunk["totals"]["turns"]
    assert before["boundaries"] + after["boundaries"] == len(shrunk["boundaries"])
    assert before["cost_usd"] + after["cost_usd"] == pytest.approx(shrunk["totals"]["cost_usd"])


def test_a_period_says_how_often_it_compacted_and_how_long_one_waited(shrunk):
    before, after = shrunk["periods"]

    assert after["boundaries_per_turn"] > before["boundaries_per_turn"] > 0
    assert after["context_per_turn_mean"] < before["context_per_turn_mean"]
    assert after["seconds_waited_per_day"] == pytest.approx(
        61 * after["boundaries"] / after["days"], rel=0.01
    )
    assert after["boundaries_untimed"] == after["boundaries"]
    assert before["share_above_old_window"] < 0.05  # what a turn says anew comes on top
    assert before["compared"]["sessions"] == 24


@pytest.mark.parametrize("mart", ["window_days", "window_sessions"])
def test_untimed_waits_are_estimated_alike_in_periods_days_and_sessions(tmp_path, mart):
    periods = studied(histories.change_of_window(tmp_path))["periods"]

    waited = sum(row["seconds_waited"] or 0 for row in rows(mart, tmp_path))

    assert waited == pytest.approx(
        sum(period["seconds_waited_per_day"] * period["days"] for period in periods)
    )
    assert waited > 0


def test_turns_above_the_old_window_are_what_the_new_one_added(tmp_path):
    study = studied(histories.change_of_window(tmp_path, before=80_000, after=160_000))

    assert study["periods"][1]["share_above_old_window"] > 0.4


@pytest.mark.parametrize("sessions", [1, 5, 19])
def test_thin_data_is_observed(tmp_path, sessions):
    histories.change_of_window(tmp_path, sessions=sessions)

    study = studied(tmp_path, change=histories.at(sessions))

    assert study["verdict"] == "OBSERVE"
    assert f"{counted(sessions, 'session')} with" in study["reasons"][0]
    assert "(at the pace kept until 2026-11-" in study["reasons"][1]
    assert study["change"]["source"] == "given"


def test_what_is_missing_comes_at_the_rate_since_the_change(tmp_path):
    """Five sessions in a day and a bit; fifteen more are asked for."""
    histories.change_of_window(tmp_path, sessions=5)

    study = studied(tmp_path, change=histories.at(5))

    assert study["reasons"][1] == (
        "too little after the change: 5 sessions with 234 turns can be compared, at least 20 with "
        "1,000 are needed (at the pace kept until 2026-11-03: by about 2026-11-06)"
    )


def test_other_work_is_observed(tmp_path):
    for number in range(48):
        is_before = number < 24
        histories.session(
            tmp_path, number, 160_000 if is_before else 80_000, out=100 if is_before else 200
        )

    study = studied(tmp_path, change=histories.at(24))

    assert study["verdict"] == "OBSERVE"
    assert "the work is not the same: the model wrote 100% more per turn" in " ".join(
        study["reasons"]
    )


@pytest.mark.parametrize("stub_from", [0, 24])
def test_where_the_output_is_not_logged_nobody_can_tell_whether_the_work_is_the_same(
    stub_from, tmp_path
):
    """As Claude Code up to 2.1.49 wrote it; also where both sides do, and so look alike."""
    for number in range(48):
        out = 1 if number >= stub_from else 100
        histories.session(tmp_path, number, 160_000 if number < 24 else 80_000, turns=44, out=out)

    study = studied(tmp_path, change=histories.at(24))

    assert study["verdict"] == "OBSERVE"
    assert "whether the work is the same cannot be told" in study["reasons"][0]
    assert study["totals"]["stub_turns"] == 44 * (48 - stub_from)


def test_without_a_change_all_is_one_period(tmp_path):
    histories.session(tmp_path, 0, 100_000)

    study = studied(tmp_path)

    assert [period["period"] for period in study["periods"]] == ["whole"]
    assert study["periods"][0]["turns"] == study["totals"]["turns"] == 30
    assert study["verdict"] == "OBSERVE"


def test_what_a_verdict_demands_can_be_overridden(tmp_path):
    policy = tmp_path / "own.toml"
    policy.write_text("min_sessions = 3\n[min_turns]\nvalue = 50\n")
    histories.change_of_window(tmp_path / "t", sessions=6)

    study = studied(tmp_path / "t", change=histories.at(6), policy=policy)

    assert study["verdict"] == "KEEP"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("min_sesions = 3", "toml, line 1: unknown setting 'min_sesions'"),
        ("# few\nmin_sessions = 0", "toml, line 2: .* min_sessions"),
        ("confidence = 1", "toml, line 1: .* confidence"),
        ("max_unpriced = nan", "toml, line 1: .* max_unpriced"),
        ("confidence = 'high'", "toml, line 1: .* confidence"),
        ("\n[min_turns]\nreason = 'none'", "toml, line 2: .* min_turns"),
        ("= 3", "is not TOML: .* line 1"),
    ],
)
def test_a_policy_that_cannot_be_used_is_named(tmp_path, text, told):
    policy = tmp_path / "own.toml"
    policy.write_text(text)

    with pytest.raises(UsageError, match=told) as caught:
        rules.load(policy)
    assert "own.toml" in str(caught.value)


def test_every_demand_has_a_reason():
    import tomllib
    from pathlib import Path

    shipped = tomllib.loads(Path(rules.__file__).with_name("rules.toml").read_text())

    assert set(shipped) == set(rules.Rules._fields)
    assert all(len(entry["reason"]) > 30 for entry in shipped.values())

"""The study holds itself to what must be so; where it is broken, nothing but OBSERVE follows."""

import pytest

from compact_guard.window import comparison, rules
from tests.window import histories
from tests.window.stories import ClaudeStory
from tests.window.studies import built, studied


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    return histories.change_of_window(tmp_path_factory.mktemp("history"))


def test_a_sound_study_holds_all_of_it(history):
    told = studied(history)["expectations"]

    assert len(told) == 11
    assert [one["expectation"] for one in told if not one["success"]] == []


@pytest.mark.parametrize(
    ("damage", "broken"),
    [
        ("delete from window_bands where context_band = 0", "bands_hold_every_turn"),
        ("update window_bands set cost_usd = cost_usd + 0.01", "bands_hold_every_dollar"),
        ("delete from window_days", "days_hold_every_turn"),
        ("update window_days set cost_usd = cost_usd * 1.1", "days_hold_every_dollar"),
        ("delete from window_models", "models_hold_every_turn"),
        ("update window_models set cost_usd = 0", "models_hold_every_dollar"),
        ("delete from window_sessions where session_hash = (select min(session_hash) from "
         "window_sessions)", "sessions_hold_every_turn"),
        ("update window_turns set output_tokens = -1", "no_tokens_are_negative"),
        ("update window_boundaries set context_before = null",
         "boundaries_without_a_turn_before_are_marked"),
        ("delete from window_waits", "waits_hold_every_boundary"),
        ("update window_turns set cost_usd = null", "nearly_all_turns_have_a_price"),
    ],
)  # fmt: skip
def test_each_expectation_can_be_broken_and_then_nothing_is_decided(history, damage, broken):
    from compact_guard import assets
    from compact_guard.evaluator import warehouse

    model = warehouse.read_model(assets.folder("sql", "window") / "marts/window_expectations.sql")
    with built(history) as connection:
        connection.execute(damage)
        connection.execute(f"create or replace table {model.name} as\n{model.sql}")
        found = comparison.compare(connection, rules.load(), histories.at(24))

    assert broken in {one.expectation for one in found.expectations if not one.success}
    assert found.verdict == "OBSERVE"
    assert any(f"expectation broken: {broken}" in reason for reason in found.reasons)


def test_much_work_without_a_price_is_told(tmp_path):
    ClaudeStory(tmp_path / "a.jsonl").said("m1", read=9, model="heron-9")

    study = studied(tmp_path)

    assert "nearly_all_turns_have_a_price (1, 0.05 allowed)" in study["reasons"][0]

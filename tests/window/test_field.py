"""Exact against the known truth about 78 real transcripts (a large set beside the checkout)."""

import csv
from collections import defaultdict

import pytest

from compact_guard.evaluator import warehouse
from compact_guard.window import simulation
from compact_guard.window.study import Request
from tests import shared_sets
from tests.window.studies import built, studied


@pytest.fixture(scope="module")
def field():
    return shared_sets.folder("field")


@pytest.fixture(scope="module")
def study(field):
    return studied(field)


def table(field, name):
    with (field / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def by_file(field, entries):
    found = defaultdict(list)
    for entry in entries:
        found[entry["path"].removeprefix(f"{field}/").removesuffix(".gz")].append(entry)
    return found


def test_every_count_of_every_file_is_exact(field, study):
    found = by_file(field, study["files"])

    wrong = {}
    for row in table(field, "facts.csv"):
        (file,) = found[row["file"]]
        counted, expected = counts(file), expectations(row)
        wrong |= {row["file"]: (counted, expected)} if counted != expected else {}

    assert wrong == {}
    assert len(study["files"]) == 78


def counts(file):
    tokens = file["tokens"]
    return {
        "agent": file["agent"].partition("-")[0],
        "lines": file["lines"],
        "rejected": file["rejected_lines"],
        "turns": file["turns"],
        "main_turns": file["main_turns"],
        "boundaries": file["boundaries"],
        "prompt": tokens["input"] + tokens["cache_read"],
        "cache_read": tokens["cache_read"],
        "output": tokens["output"],
        "cache_write": tokens["cache_write_5m"] + tokens["cache_write_1h"],
        "cache_write_1h": tokens["cache_write_1h"],
    }


def expectations(row):
    """Glued lines are recovered. Where a running total fell, the sum of the calls is the truth:
    five files, each with one call of 16,341 tokens, 3,584 of them cached, and 81 of output."""
    number = {name: int(text) if text.isdigit() else 0 for name, text in row.items()}
    fell = number["total_went_down"] > 0
    return {
        "agent": row["agent"],
        "lines": number["lines"],
        "rejected": number["bad_lines"] - number["bad_glued"],
        "turns": number["turns"],
        "main_turns": number["main_turns"],
        "boundaries": number["boundaries"],
        "prompt": number["calls_sum_input"] if fell else number["in_tok"] + number["cache_read"],
        "cache_read": 3_584 if fell else number["cache_read"],
        "output": 81 if fell else number["out_tok"],
        "cache_write": number["cache_write"],
        "cache_write_1h": number["cache_write_1h"],
    }


COLUMNS = {
    "tokens_before": "preTokens",
    "tokens_after": "postTokens",
    "context_before": "ctx_before",
    "context_after": "ctx_after",
    "cache_read_before": "cache_read_before",
    "cache_read_after": "cache_read_after",
    "cache_write_after": "cache_write_after",
}
TIMES = {
    "seconds_since_turn": "secs_last_turn_to_boundary",
    "seconds_to_turn": "secs_boundary_to_next_turn",
}


def test_every_number_of_every_boundary_is_exact(field, study):
    found = by_file(field, study["boundaries"])
    expected = defaultdict(list)
    for row in table(field, "boundaries.csv"):
        expected[row["file"]].append(row)

    assert {name: len(rows) for name, rows in found.items()} == {
        name: len(rows) for name, rows in expected.items()
    }
    for name, rows in expected.items():
        for boundary, row in zip(found[name], rows, strict=True):
            assert {ours: boundary[ours] for ours in COLUMNS} == {
                ours: number(row[theirs]) for ours, theirs in COLUMNS.items()
            }, (name, row["n"])
            assert (boundary["trigger"] or "") == row["trigger"]
            told = boundary["seconds"]
            assert (told if told is None else told * 1_000) == number(row["durationMs"])
            for ours, theirs in TIMES.items() if row["agent"] == "claude" else ():
                assert boundary[ours] == pytest.approx(number(row[theirs]), abs=0.051)


def test_models_and_versions_at_each_boundary_and_the_largest_context_are_exact(field):
    """What the tables know beside the JSON. Only of Claude Code: a rollout may name many."""
    with built(field) as connection:
        files = dict(connection.execute("select file_number, file from window_files").fetchall())
        boundaries = warehouse.rows(
            connection, "select * from window_boundaries order by file_number, boundary_number"
        )
        peaks = connection.execute(
            "select file_number, max(context_tokens) from int_window_turns_placed group by all"
        ).fetchall()
    found = by_file(field, [{"path": files[row["file_number"]], **row} for row in boundaries])
    largest = by_file(field, [{"path": files[name], "peak": peak} for name, peak in peaks])

    for row in table(field, "boundaries.csv"):
        if row["agent"] == "claude":
            boundary = found[row["file"]][int(row["n"]) - 1]
            assert (boundary["model_before"] or "") == row["model_before"], row["file"]
            assert (boundary["model_after"] or "") == row["model_after"], row["file"]
            assert boundary["agent_version"] == row["version"]
    for row in table(field, "facts.csv"):
        assert [peak["peak"] for peak in largest[row["file"]]] in ([], [int(row["peak_ctx"])])
        assert bool(largest[row["file"]]) == (row["peak_ctx"] not in ("", "0"))


def number(text):
    return float(text) if text else None


def test_snapshots_of_one_session_count_its_responses_once(field):
    snapshots = sorted((field / "claude").glob("series_*.jsonl.gz"))

    study = studied(*snapshots)

    assert study["totals"]["turns"] == max(file["turns"] for file in study["files"])


def test_the_change_between_2_1_20_and_2_1_25_is_found_blind(study):
    change = study["change"]

    assert change["source"] == "observed"
    assert "2026-01-29" <= change["at"] <= "2026-02-02"
    assert change["window_before"] == pytest.approx(155_500, abs=500)
    assert change["window_after"] == pytest.approx(167_600, abs=500)
    assert study["verdict"] == "OBSERVE"  # four sessions after it used the same model


def test_what_came_after_the_change_is_predicted_from_before(field):
    told = simulation.answer(Request((field,)), simulation.Question((100_000, 150_000)))
    cost, boundaries = (
        told["back_test"][name] for name in ("cost_per_turn_usd", "boundaries_per_turn")
    )

    assert abs(cost["error"]) < 0.05
    assert abs(cost["error"]) < abs(cost["naive_error"])
    assert abs(boundaries["error"]) < 0.10

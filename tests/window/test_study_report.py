"""The study as a report: the questions in their order, charts beside it, all or nothing."""

import json
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest

from compact_guard.cli import main
from compact_guard.errors import UsageError
from compact_guard.window import simulation, study_report, study_spend, study_text
from compact_guard.window.study import Request
from compact_guard.window.study import answer as study_answer
from tests import snapshots
from tests.window import histories
from tests.window.homes import Home
from tests.window.stories import MODEL, ClaudeStory
from tests.window.studies import studied

DAY = date(2026, 11, 30)
QUESTIONS = [
    "## What a compaction does to the cache",
    "## What one compaction costs, and when it has paid for itself",
    "## Where the money went",
    "## What a change of window did",
    "## What another window would have cost",
    "## What the study holds itself to",
]


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    return histories.change_of_window(tmp_path_factory.mktemp("history"))


@pytest.fixture(scope="module")
def study(history):
    return studied(history)


@pytest.fixture(scope="module")
def simulated(history):
    question = simulation.Question((60_000, 80_000, 120_000, 160_000, 900_000))
    return simulation.answer(Request((history,)), question)


@pytest.fixture(scope="module")
def written(study, simulated, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    answer = json.dumps(study).encode()
    study_report.write(answer, folder, DAY, simulated=simulated, is_html_wanted=True)
    return folder


def test_the_questions_stand_in_their_order(written):
    lines = (written / "2026-11-30-window.md").read_text().splitlines()

    assert lines[0] == "# KEEP: since the window changed, a turn costs less"
    assert [line for line in lines if line.startswith("## ")] == QUESTIONS


PRICES = f"""
[[price]]
model = "{MODEL}"
input = 4.0
output = 20.0
cache_read = 0.2
cache_write_5m = 5.0
cache_write_1h = 8.0
"""


@pytest.mark.parametrize(("name", "before", "after"), [("keep", 160, 80), ("revert", 80, 160)])
def test_a_whole_report_reads_as_it_did(name, before, after, tmp_path, monkeypatch):
    """With prices of its own, so that a new price list changes nothing."""
    home = Home(tmp_path / "claude").sessions([before * 1_000] * 24 + [after * 1_000] * 24)
    home.typed(1, f"/autocompact {before + 33}k").typed(5.99, f"/autocompact {after + 33}k")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home.folder))
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    request = Request((home.transcripts,), prices=prices)
    question = simulation.Question((60_000, 80_000, 120_000, 160_000, 900_000), 30.0)

    simulated = simulation.answer(request, question)
    text = study_report.render(json.loads(study_answer(request)), DAY, {}, simulated)

    snapshots.check(text, Path(__file__).parent / "snapshots" / f"window_{name}.md")


def test_every_chart_is_there_and_says_what_it_shows(written):
    text = (written / "2026-11-30-window.md").read_text()

    for name in ("sawtooth", "spend", "turns", "windows"):
        svg = ElementTree.fromstring((written / f"2026-11-30-window-{name}.svg").read_text())
        words = svg.get("aria-label")
        assert len(words) > 40
        assert f"![{words}](2026-11-30-window-{name}.svg)" in text


def test_one_html_file_holds_everything(written):
    page = (written / "2026-11-30-window.html").read_text()

    assert page.count("<svg") == 2 * 4  # for a page, for a phone
    assert "<img" not in page
    assert "<script" not in page


def test_the_tables_show_the_numbers_of_the_study(study, written):
    text = (written / "2026-11-30-window.md").read_text()
    before, after = study["periods"]

    for period in (before, after):
        assert f"${period['compared']['cost_per_turn_mean_usd']:,.4f}" in text
    assert f"{study['change']['cost_per_turn']['relative']:+.1%}" in text


def test_the_present_and_the_best_window_stand_side_by_side(simulated, written):
    text = (written / "2026-11-30-window.md").read_text()
    [model] = simulated["models"]

    best, present = (
        next(line for line in text.splitlines() if line.startswith(f"| {model['model']}, {name} |"))
        for name in ("best", "present")
    )
    assert f"| {model['best']['window']:,} |" in best
    assert "| 80,000 |" in present
    assert f"| {model['best']['saving']:.1%} |" in text
    assert f"{simulated['back_test']['cost_per_turn_usd']['error']:+.1%}" in text


@pytest.mark.parametrize("key", ["context_from", "date", "model"])
def test_the_spend_adds_up_whichever_way_it_is_split(study, key):
    rows = study_spend.spend_by(study["bands"], key)

    assert sum(row["cost_usd"] for row in rows) == pytest.approx(study["totals"]["cost_usd"])
    assert sum(row["turns"] for row in rows) == study["totals"]["turns"]
    assert sum(row["share"] for row in rows) == pytest.approx(1)


def day_bands(count):
    return [
        {"date": f"2026-{1 + day // 28:02}-{1 + day % 28:02}", "context_from": 50_000 * (day % 9),
         "turns": 1, "unpriced_turns": 0, "cost_usd": 1.0}
        for day in range(count)
    ]  # fmt: skip


def test_a_month_is_told_by_the_day_and_what_is_older_by_the_month():
    told = study_spend.spend_by_day([*day_bands(100), *day_bands(100)])

    months = [row["key"] for row in told["rows"] if len(row["key"]) == 7]
    assert months == ["2026-01", "2026-02", "2026-03"]
    assert len(told["rows"]) == len(months) + study_spend.DAYS_MAX
    assert sum(row["turns"] for row in told["rows"]) == 200


def test_each_days_dollars_stand_by_the_size_of_the_context():
    told = study_spend.spend_by_day(day_bands(40))

    assert told["columns"] == [0, 50_000, 100_000, 150_000, 200_000, 250_000]
    for row in told["rows"]:
        assert sum(row["cells"]) == row["cost_usd"]
    assert sum(row["cells"][-1] for row in told["rows"]) == sum(
        band["cost_usd"] for band in day_bands(40) if band["context_from"] >= 250_000
    )


def test_an_hour_of_waiting_is_priced_where_it_has_a_price(study, history):
    question = simulation.Question((60_000, 80_000, 160_000), 50.0)
    priced = simulation.answer(Request((history,)), question)

    text = study_report.render(study, DAY, {}, priced)

    assert "An hour of waiting is priced at $50.00." in text
    assert "| cost per turn | with waiting |" in text


def test_what_has_no_date_no_price_and_no_compaction_is_told_all_the_same(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl")
    story.row(story.response("m1", read=9, model="heron|9") | {"timestamp": "never"})
    study = studied(tmp_path)

    text = study_report.render(study, DAY, {})

    assert "without a time" in text
    assert "heron\\|9" in text
    assert "No compaction has a turn before and after it." in text
    assert "None is known" in text


def test_a_failed_write_leaves_no_half_report(tmp_path, study, monkeypatch):
    def fail(*paths):
        raise OSError("no space")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(UsageError, match="no space"):
        study_report.write(json.dumps(study).encode(), tmp_path / "r", DAY)

    assert list((tmp_path / "r").iterdir()) == []


def test_the_command_writes_it_where_it_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path / "home"))
    histories.session(tmp_path / "t", 0, 100_000)

    assert main(["window", "--reports", str(tmp_path / "r"), str(tmp_path / "t")]) == 0

    [report] = (tmp_path / "r").glob("*-window.md")
    assert f"report: {report}" in capsys.readouterr().out


def test_a_summary_fits_on_one_screen(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path / "home"))
    histories.change_of_window(tmp_path / "t", sessions=20)
    for number in range(30):
        ClaudeStory(tmp_path / "t" / f"torn{number}.jsonl").said("m").raw(b"{torn\n")

    main(["window", str(tmp_path / "t")])

    told = capsys.readouterr().out.splitlines()
    assert len(told) <= 24
    assert max(map(len, told)) <= 80
    assert any("the window changed on" in line for line in told)
    assert any("and 27 more such files" in line for line in told)


def test_a_summary_of_everything_at_once_fits_all_the_same(study):
    long = "a reason that goes on and on " * 6
    changed = study["change"] | {"notes": [long] * 5, "settings": {"before": long, "after": long}}
    damaged = study["files"][0] | {"path": "/herons/" * 30 + "a.jsonl", "rejected_lines": 9}
    told = study | {
        "reasons": [long] * 9,
        "change": changed,
        "unpriced_models": [f"heron-{number}" for number in range(90)],
        "files": [damaged | {"rejected": {"torn": 4, "nul": 5}}] * 50,
    }

    lines = study_text.summary(json.dumps(told).encode()).splitlines()

    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


def test_the_opening_says_what_a_stranger_has_to_know(written):
    opening = (written / "2026-11-30-window.md").read_text().partition("\n## ")[0]

    for word in ("*compacts*", "*window*", "*turn*", "KEEP", "REVERT", "OBSERVE"):
        assert word in opening.partition("\n")[2]
    assert "response" not in opening

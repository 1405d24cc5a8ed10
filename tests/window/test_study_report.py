"""The study as a report: the questions in their order, charts beside it, all or nothing."""

import json
from datetime import date
from xml.etree import ElementTree

import pytest

from compact_guard.cli import main
from compact_guard.errors import UsageError
from compact_guard.window import simulation, study_report, study_spend
from compact_guard.window.study import Request
from tests.window import histories
from tests.window.stories import ClaudeStory
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


def test_every_chart_is_there_and_says_what_it_shows(written):
    text = (written / "2026-11-30-window.md").read_text()

    for name in ("sawtooth", "spend", "turns", "windows"):
        svg = ElementTree.fromstring((written / f"2026-11-30-window-{name}.svg").read_text())
        words = svg.get("aria-label")
        assert len(words) > 40
        assert f"![{words}](2026-11-30-window-{name}.svg)" in text


def test_one_html_file_holds_everything(written):
    page = (written / "2026-11-30-window.html").read_text()

    assert page.count("<svg") == 4
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

    [row] = [line for line in text.splitlines() if line.startswith(f"| {model['model']} |")]
    assert f"| {model['best']['window']:,} |" in row
    assert "| 80,000 |" in row
    assert f"{simulated['back_test']['cost_per_turn_usd']['error']:+.1%}" in text


@pytest.mark.parametrize("key", ["context_from", "date", "model"])
def test_the_spend_adds_up_whichever_way_it_is_split(study, key):
    rows = study_spend.spend_by(study["bands"], key)

    assert sum(row["cost_usd"] for row in rows) == pytest.approx(study["totals"]["cost_usd"])
    assert sum(row["turns"] for row in rows) == study["totals"]["turns"]
    assert sum(row["share"] for row in rows) == pytest.approx(1)


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
    assert any("the window changed at" in line for line in told)
    assert any("and 22 more such files" in line for line in told)

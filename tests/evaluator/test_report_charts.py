"""Charts and the HTML file: the same every time, whole in themselves, readable light and dark."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from compact_guard.evaluator.verdict import OUTCOMES
from compact_guard.report import drawing, html_file, verdict_charts, verdict_report
from tests import snapshots
from tests.evaluator.stories import STORIES

pytestmark = pytest.mark.slow

SNAPSHOTS = Path(__file__).parent / "snapshots"


def drawn(outcome, canvas=drawing.PAGE) -> dict[str, str]:
    return {name: svg for name, (_, svg) in verdict_charts.charts(outcome, canvas).items()}


@pytest.mark.parametrize("story", ["observe", "revert"])
def test_the_charts_of_a_story_are_those_that_were_looked_at(story, evaluation_of):
    for name, svg in drawn(evaluation_of(story)).items():
        snapshots.check(svg, SNAPSHOTS / f"{story}-{name}.svg")


def test_the_page_of_a_story_is_the_one_that_was_looked_at(evaluation_of, tmp_path):
    file = verdict_report.write(evaluation_of("revert"), tmp_path, is_html_wanted=True)

    snapshots.check(file.with_suffix(".html").read_text("utf-8"), SNAPSHOTS / "revert.html")


@pytest.mark.parametrize("story", STORIES)
def test_charts_are_drawn_the_same_every_time(story, evaluation_of):
    assert drawn(evaluation_of(story)) == drawn(evaluation_of(story))


@pytest.mark.parametrize("story", ["nothing"])
def test_nothing_seen_draws_nothing(story, evaluation_of):
    assert drawn(evaluation_of(story)) == {}


@pytest.mark.parametrize("canvas", [drawing.PAGE, drawing.PHONE])
def test_a_chart_runs_nothing_fetches_nothing_and_knows_the_dark(evaluation_of, canvas):
    for svg in drawn(evaluation_of("observe"), canvas).values():
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
        assert tags <= {"svg", "defs", "style", "title", "g", "rect", "path", "text", "circle"}
        assert not re.search(r"url\(|@import|href=", svg)
        assert "prefers-color-scheme" in svg
        assert re.search(r'aria-label="[^"]{40,}"', svg)


def test_failures_are_marked_and_the_minimum_is_drawn(evaluation_of):
    kept, reverted = (drawn(evaluation_of(story))["evidence"] for story in ("keep", "revert"))

    assert "missed or duplicated" not in kept
    assert "missed or duplicated" in reverted
    assert "minimum: 59 compactions" in kept
    assert "minimum: 20 sessions (dashed)" in kept


def test_every_outcome_has_a_colour_of_its_own():
    assert tuple(verdict_charts.OUTCOME_COLOURS) == OUTCOMES
    assert len(set(verdict_charts.OUTCOME_COLOURS.values())) == len(OUTCOMES)


def test_a_page_holds_its_charts_and_asks_nobody_for_anything(evaluation_of, tmp_path):
    file = verdict_report.write(evaluation_of("observe"), tmp_path, is_html_wanted=True)

    page = file.with_suffix(".html").read_text("utf-8")
    assert page.count("<svg") == 2 * 2  # for a page, for a phone
    assert not re.search(r"<img|<script|<link|src=|href=|url\(|@import", page)
    assert "<h1>OBSERVE: too early" in page


def test_a_page_says_what_the_markdown_says(evaluation_of):
    markdown = verdict_report.render(evaluation_of("revert"), {})

    page = html_file.page("x", markdown, {})
    words = re.sub(r"<style>.*?</style>|<title>.*?</title>|<[^>]+>", " ", page, flags=re.DOTALL)
    said = re.sub(r"^\|[-:| ]+\|$|[#|*`>]", " ", markdown, flags=re.MULTILINE)
    assert squeezed(words) == squeezed(re.sub(r"^- ", " ", said, flags=re.MULTILINE))


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_a_cell_says_which_column_it_is_of():
    page = html_file.page("x", "| when | what |\n|---|---|\n| 2026-11-30 02:15 UTC | `a` b |\n", {})

    assert '<td data-label="when" class="figure"><span>2026-11-30 02:15 UTC</span></td>' in page
    assert '<td data-label="what"><span><code>a</code> b</span></td>' in page
    assert "<table>" in page


def test_a_table_too_wide_for_a_phone_is_a_list_of_records_there():
    wide = "| " + " | ".join(["incomprehensibilities"] * 3) + " |"
    page = html_file.page("x", f"{wide}\n|---|---|---|\n| 1 | | 3 |\n", {})

    assert '<table class="records">' in page
    assert '<td data-label="incomprehensibilities" class="empty"><span></span></td>' in page


def test_markup_in_what_others_wrote_stays_text():
    page = html_file.page("<b>", "| a |\n|---|\n| <script>alert(1)</script> |\n", {})

    assert "<script>" not in page
    assert "<title>&lt;b&gt;</title>" in page
    assert "&lt;script&gt;" in page

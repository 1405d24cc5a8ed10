"""The reports as HTML, seen in a browser: on a desk and on a phone, by day and by night."""

import json
from datetime import date
from pathlib import Path

import pytest

from compact_guard.evaluator import evaluation, policy
from compact_guard.report import verdict_report
from compact_guard.window import simulation, study_report
from compact_guard.window.study import Request
from tests.browser import chromium, measures
from tests.browser.chromium import DESKTOP, PHONE
from tests.builders import write_log
from tests.evaluator.stories import STORIES
from tests.models import NIGHT
from tests.window import histories
from tests.window.studies import studied

pytestmark = pytest.mark.slow

SAID = {
    "keep": "KEEP: the guard delivered every checkpoint that counted",
    "observe": "OBSERVE: too early, or too uncertain, to say whether the guard works",
    "revert": "REVERT: the guard lost or repeated a checkpoint in real work",
    "nothing": "OBSERVE: too early, or too uncertain, to say whether the guard works",
    "window": "KEEP: since the window changed, a turn costs less",
}
SCREENS = {
    f"{name} {scheme}": screen._replace(scheme=scheme)
    for name, screen in (("desktop", DESKTOP), ("phone", PHONE))
    for scheme in ("light", "dark")
}
CONTRAST_MIN = 4.5  # what WCAG asks of ordinary text
LETTERS_MIN = 10.0


@pytest.fixture(scope="module")
def browser():
    with chromium.opened() as browser:
        yield browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, Path]:
    """One HTML file for each of SAID."""
    folder = tmp_path_factory.mktemp("pages")
    found = {story: verdict_page(story, folder / story) for story in SAID if story in STORIES}
    return found | {"window": window_page(folder / "window")}


def verdict_page(story: str, folder: Path) -> Path:
    log = write_log(folder / "audit", STORIES[story](folder))
    outcome = evaluation.evaluate(evaluation.Request((log,), policy.load(), NIGHT))
    file = verdict_report.write(outcome, folder, is_html_wanted=True)
    return file.with_suffix(".html")


def window_page(folder: Path) -> Path:
    history = histories.change_of_window(folder / "transcripts")
    simulated = simulation.answer(
        Request((history,)), simulation.Question((60_000, 80_000, 120_000, 160_000))
    )
    answer = json.dumps(studied(history)).encode()
    day = date(2026, 11, 30)
    file = study_report.write(answer, folder, day, simulated=simulated, is_html_wanted=True)
    return file.with_suffix(".html")


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
@pytest.mark.parametrize("name", SAID)
def test_a_page_shows_its_verdict_whole_readable_and_without_complaint(
    name, screen, browser, pages
):
    with chromium.visit(browser, pages[name].as_uri(), screen) as visit:
        assert visit.page.locator("h1").inner_text() == SAID[name]
        assert visit.page.evaluate(measures.OVERHANG) == 0
        assert visit.page.evaluate(measures.LEAST_CONTRAST) >= CONTRAST_MIN
        letters = visit.page.evaluate(measures.SMALLEST_LETTERS)
        assert (letters is None) == (name == "nothing")
        assert letters is None or letters >= LETTERS_MIN
        assert visit.complaints == []
        assert visit.hosts() == {""}

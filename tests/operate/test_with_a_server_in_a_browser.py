"""Prefect's pages of the runs of docs/operate.md, in a browser: on a desk and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser import chromium, measures
from tests.browser.chromium import DESKTOP, PHONE

pytestmark = pytest.mark.slow

# Prefect 3.9.1 asks its own server for two icons that it does not have.
PREFECTS_OWN = {"/favicon.ico", "/ico/undefined.svg"}
PATIENCE = 30_000  # milliseconds, on a machine that has more to do
HEADLINE = "Rehearsed KEEP: the guard delivered every checkpoint that counted"
ARTIFACTS = {
    "verdict": HEADLINE,
    "outcomes": "claude-code/gateway",
    "expectations": "stg_audit_rows",
    "window": "OBSERVE: no change of the window is known",
    "windows": "why none",
}
PAGES = ("runs", "run", "deployments", *ARTIFACTS)


@pytest.fixture(scope="module")
def browser():
    with chromium.opened() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(operated) -> str:
    return f"http://127.0.0.1:{operated.machine.port}"


@pytest.fixture(scope="module")
def pages(operated) -> dict[str, tuple[str, str]]:
    """Path and a text that must be seen there, for each of PAGES."""
    run, made = operated.machine.completed(" recorded, rehearsal")
    study, made_by_study = operated.machine.completed(" window, samples")
    ids = {key: one["id"] for key, one in (made | made_by_study).items()}
    return {
        "runs": ("runs", study["name"]),
        "run": (f"runs/flow-run/{run['id']}", run["name"]),
        "deployments": ("deployments", "on-demand"),
    } | {key: (f"artifacts/artifact/{ids[key]}", text) for key, text in ARTIFACTS.items()}


ON_A_PHONE = ("run", "verdict", "outcomes", "window")


@pytest.mark.parametrize(
    ("name", "screen"),
    [(name, DESKTOP) for name in PAGES] + [(name, PHONE) for name in ON_A_PHONE],
)
def test_a_page_loads_without_complaint_and_shows_what_was_found(
    name, screen, browser, server, pages
):
    path, text = pages[name]
    with chromium.visit(browser, f"{server}/{path}", screen, "networkidle") as visit:
        visit.scroll_to_end()  # Prefect's lists exist only where they are looked at

        expect(visit.page.get_by_text(text).first).to_be_visible(timeout=PATIENCE)
        assert visit.page.evaluate(measures.OVERHANG) <= 0
        assert [one for one in visit.complaints if one.split(":")[0] not in PREFECTS_OWN] == []
        assert visit.hosts() == {server.removeprefix("http://")}


def test_the_verdict_has_its_charts_and_leads_to_its_tables(browser, server, pages):
    path, _ = pages["verdict"]
    with chromium.visit(browser, f"{server}/{path}", DESKTOP, "networkidle") as visit:
        charts = visit.page.locator("img[src^='data:image/svg+xml']")
        expect(charts).to_have_count(2, timeout=PATIENCE)
        assert min(chart.evaluate("one => one.naturalWidth") for chart in charts.all()) > 0

        with visit.page.expect_popup(timeout=PATIENCE) as opened:
            visit.page.get_by_role("link", name="expectations", exact=True).click()

        table = opened.value.get_by_text("stg_audit_rows").first
        expect(table).to_be_visible(timeout=PATIENCE)

"""Debian's chromium without a window, driven by Playwright: pages as a person sees them.

Playwright's loop runs in the thread that opened the browser, so nothing else of asyncio may run
there until it is closed: a browser belongs to one module of tests, never to the session.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from tests import tools

SETTLED_SECONDS_MAX = 20


class Screen(NamedTuple):
    width: int
    height: int
    scheme: str = "light"


DESKTOP = Screen(1280, 800)
PHONE = Screen(390, 844)


@contextmanager
def opened() -> Iterator[Browser]:
    path = tools.path_of("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """One page on one screen, and what the browser had to complain about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requested: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))
        page.on("request", lambda request: self.requested.append(request.url))
        page.on("console", self._hear)

    def _hear(self, message) -> None:
        if message.type == "error":
            path = urlsplit(message.location["url"]).path
            self.complaints.append(f"{path}: {message.text}")

    def scroll_to_end(self) -> None:
        """Whatever scrolls in the middle of the screen."""
        size = self.page.viewport_size
        self.page.mouse.move(size["width"] / 2, size["height"] / 2)
        self.page.mouse.wheel(0, 100_000)

    def hosts(self) -> set[str]:
        """Whom the page asked for anything; "" is the page's own file."""
        return {urlsplit(url).netloc for url in self.requested if not url.startswith("blob:")}


@contextmanager
def visit(browser: Browser, url: str, screen: Screen, until: str = "load") -> Iterator[Visit]:
    """The page, loaded; or until "networkidle": until it asks for nothing more."""
    context = browser.new_context(
        viewport={"width": screen.width, "height": screen.height}, color_scheme=screen.scheme
    )
    try:
        visited = Visit(context.new_page())
        visited.page.goto(url, wait_until=until, timeout=SETTLED_SECONDS_MAX * 1_000)
        yield visited
    finally:
        context.close()

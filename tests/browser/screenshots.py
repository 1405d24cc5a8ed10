"""`make screenshots`: the pictures of docs/, taken of a real run on a machine of its own.

A server of `compact-guard serve` judges the recorded log, and a browser looks at the outcome.
"""

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser import chromium
from tests.browser.chromium import DESKTOP, PHONE, Screen
from tests.operate.machine import Machine, free_port, wait_until
from tests.source_tree import ROOT
from tests.window import histories

FOLDER = ROOT / "docs" / "screenshots"
COLOURS = 128  # of flat pages nobody misses the others
SECONDS_MAX = 240


class Picture(NamedTuple):
    name: str
    screen: Screen
    until: str = "load"


REPORT = Picture("report", DESKTOP)
REPORT_ON_A_PHONE = Picture("report-on-a-phone", PHONE._replace(scheme="dark"))
WINDOW = Picture("window", DESKTOP)
RUN = Picture("run", DESKTOP, "networkidle")
VERDICT = Picture("verdict", DESKTOP, "networkidle")
PICTURES = (REPORT, REPORT_ON_A_PHONE, WINDOW, RUN, VERDICT)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, chromium.opened() as browser:
        machine = Machine(Path(folder), free_port())
        try:
            take_all(machine, browser)
        finally:
            machine.end()
    return 0


def take_all(machine: Machine, browser: Browser) -> None:
    study(machine)
    with serving(machine):
        run, artifacts = judged(machine)
        reports = machine.audit.parent / "reports"
        [verdict], [window] = reports.glob("*verdict.html"), reports.glob("*window.html")
        server = f"http://127.0.0.1:{machine.port}"
        for picture, url in {
            REPORT: verdict.as_uri(),
            REPORT_ON_A_PHONE: verdict.as_uri(),
            WINDOW: window.as_uri(),
            RUN: f"{server}/runs/flow-run/{run['id']}",
            VERDICT: f"{server}/artifacts/artifact/{artifacts['verdict']['id']}",
        }.items():
            with chromium.visit(browser, url, picture.screen, picture.until) as visit:
                keep(visit.page, picture)


def study(machine: Machine) -> None:
    """The study of a made-up history, in which the window was halved, beside the reports."""
    folder = machine.audit.parent / "reports"
    (machine.home / "sessions").mkdir()
    sessions = histories.change_of_window(machine.home / "sessions")
    words = ["window", str(sessions), "--html", f"--reports={folder}"]
    command = [sys.executable, "-m", "compact_guard", *words]
    subprocess.run(command, env=machine.environment, capture_output=True, check=True)


@contextmanager
def serving(machine: Machine) -> Iterator[None]:
    """`compact-guard serve`, until the pictures are taken."""
    log = machine.home / "serve.log"
    words = ["serve", "--port", str(machine.port), "--timezone", "Europe/Paris"]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "compact_guard", *words],
            cwd=machine.home,
            env=machine.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    machine.started.append(server.pid)
    wait_until(lambda: b"Serving verdict/nightly" in log.read_bytes(), SECONDS_MAX)
    yield
    server.terminate()
    server.wait(SECONDS_MAX)


def judged(machine: Machine) -> tuple[dict, dict[str, dict]]:
    """A rehearsal on the recorded log, as somebody starts it from Prefect's pages."""
    wait_until(lambda: "on-demand" in names_of_deployments(machine), SECONDS_MAX)
    recorded = machine.checkout / "compact_guard" / "recorded"
    run = machine.submit("verdict/on-demand", paths=[str(recorded)], rehearse=True)
    wait_until(lambda: machine.state_of(run) == "COMPLETED", SECONDS_MAX)
    return machine.completed(" recorded, rehearsal")


def names_of_deployments(machine: Machine) -> list[str]:
    return [deployment["name"] for deployment in machine.ask("/deployments/filter", {})]


def keep(page: Page, picture: Picture) -> None:
    """The screen as a small PNG."""
    page.wait_for_timeout(1_000)  # Prefect's graph moves into place
    taken = Image.open(io.BytesIO(page.screenshot()))
    small = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{picture.name}.png"
    small.save(file, optimize=True)
    sys.stdout.write(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    sys.exit(main())

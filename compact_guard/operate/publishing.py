"""What a person sees of a run in Prefect: progress, artifacts, log, tags, a telling name; events.

All of it by best effort. The report is written before any of it is tried.
"""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from prefect import get_run_logger
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.events import emit_event
from prefect.runtime import flow_run

from compact_guard.operate import digest
from compact_guard.operate.best_effort import BestEffort
from compact_guard.operate.news import News
from compact_guard.operate.occasion import Judged
from compact_guard.report.phrases import moment
from compact_guard.report.verdict_report import headline

if TYPE_CHECKING:
    from compact_guard.evaluator.steps import Runner

_STEPS = 10  # the tasks of one night
_CHART = re.compile(r"^(!\[.*\])\((\S+\.svg)\)$", re.MULTILINE)


class Publisher:
    """Shows one run; after a first failure it shows nothing more."""

    def __init__(self, attempt: BestEffort, steps: int = _STEPS) -> None:
        self.attempt = attempt
        self._steps = steps
        self._progress: UUID | None = None
        self._steps_done = 0
        self._tables: list[str] = []

    def begin(self) -> None:
        """Progress from here on."""

        def create() -> None:
            created = create_progress_artifact(0.0, key="progress", description="steps done")
            assert isinstance(created, UUID)
            self._progress = created

        self.attempt(create)

    def step_done(self) -> None:
        """One step nearer to the end of one night."""
        artifact = self._progress
        if artifact is None:
            return
        self._steps_done = self._steps_done % self._steps + 1
        share = 100.0 * self._steps_done / self._steps
        self.attempt(lambda: update_progress_artifact(artifact, share))

    def show(self, judged: Judged, run: "Runner") -> None:
        """The artifacts, each by a task of its own; then log, name, tags and events."""
        self._tables = []
        for step in (self.show_outcomes, self.show_expectations, self.show_verdict):
            run(step, judged)
        for news in judged.news:
            self.attempt(_emitting(news))
        self.attempt(lambda: _log(judged))
        self.attempt(lambda: rename(judged.evaluation.verdict))

    def show_outcomes(self, judged: Judged) -> None:
        """One row per interface: the marts' counts."""
        words = "What became of every compaction, from the table `interface_evidence`"
        self._show_table("outcomes", digest.outcomes(judged.evaluation), words)

    def show_expectations(self, judged: Judged) -> None:
        """One row per expectation and interface."""
        words = "What the gate checked, and what offends"
        self._show_table("expectations", digest.expectations(judged.evaluation), words)

    def show_verdict(self, judged: Judged) -> None:
        """The report as markdown with its charts, and where the tables and its file are."""
        verdict, as_of = judged.evaluation.verdict, moment(judged.evaluation.request.as_of)
        tables = f"Tables: {', '.join(self._tables)}. " if self._tables else ""
        words = f"{verdict} as of {as_of}. {tables}File: `{place(judged.report)}`"
        self.attempt(lambda: create_markdown_artifact(with_charts(judged.report), "verdict", words))

    def _show_table(self, key: str, rows: list[dict[str, object]], words: str) -> None:
        """Columns without any value are left out: these tables scroll sideways."""
        told = {name for row in rows for name in row if row[name] is not None}
        shown = [{name: row[name] for name in row if name in told} for row in rows]

        def create() -> None:
            created = create_table_artifact(shown, key, words)
            self._tables.append(f"[{key}](/artifacts/artifact/{created})")

        self.attempt(create)


def with_charts(report: Path) -> str:
    """The report's text with its charts inside: Prefect's pages cannot see the files beside it."""

    def inside(image: re.Match[str]) -> str:
        drawn = base64.b64encode((report.parent / image[2]).read_bytes()).decode()
        return f"{image[1]}(data:image/svg+xml;base64,{drawn})"

    return _CHART.sub(inside, report.read_text(encoding="utf-8"))


def place(file: Path) -> str:
    """Where a file is, for a person: `~` stands for the home folder."""
    file, home = file.resolve(), Path.home().resolve()
    return f"~/{file.relative_to(home)}" if file.is_relative_to(home) else str(file)


def _log(judged: Judged) -> None:
    """The verdict and its reasons among the run's own lines, which its page shows first."""
    logger = get_run_logger()
    logger.info(headline(judged.evaluation))
    for result in judged.evaluation.interfaces:
        reasons = "; ".join(result.decision.reasons)
        logger.info(f"{result.evidence.interface}: {result.decision.verdict}: {reasons}")
    logger.info(f"Report: {place(judged.report)}")


def _emitting(news: News) -> Callable[[], object]:
    """Automations hook on the event's name, or on the interface as the resource."""
    resource = {
        "prefect.resource.id": f"compact-guard.interface.{news.interface.replace('/', '.')}",
        "prefect.resource.name": news.interface,
        "compact-guard.verdict": news.verdict,
    }
    return lambda: emit_event(event=news.event, resource=resource, payload=news.as_json())


def rename(verdict: str) -> None:
    """`2026-11-30 nightly` becomes `KEEP 2026-11-30 nightly`, tagged with its verdict."""
    from prefect.client.orchestration import get_client

    if (run_id := flow_run.id) is None:
        return
    name, tags = f"{verdict} {flow_run.name}", [*flow_run.tags, f"verdict:{verdict}"]
    with get_client(sync_client=True) as client:
        client.request(
            "PATCH",
            "/flow_runs/{id}",
            path_params={"id": run_id},
            json={"name": name, "tags": tags},
        ).raise_for_status()

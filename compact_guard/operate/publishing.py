"""What a person sees of a run in Prefect: progress, artifacts, tags, a telling name; and events.

All of it by best effort. The report is written before any of it is tried.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING
from uuid import UUID

from prefect.artifacts import (
    create_link_artifact,
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

if TYPE_CHECKING:
    from compact_guard.evaluator.steps import Runner

_STEPS = 10  # the tasks of one night


class Publisher:
    """Shows one run; after a first failure it shows nothing more."""

    def __init__(self, attempt: BestEffort) -> None:
        self.attempt = attempt
        self._progress: UUID | None = None
        self._steps_done = 0

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
        self._steps_done = self._steps_done % _STEPS + 1
        share = 100.0 * self._steps_done / _STEPS
        self.attempt(lambda: update_progress_artifact(artifact, share))

    def show(self, judged: Judged, run: "Runner") -> None:
        """The artifacts, each by a task of its own; then name, tags and events."""
        for step in (self.show_verdict, self.show_outcomes, self.show_expectations):
            run(step, judged)
        for news in judged.news:
            self.attempt(_emitting(news))
        self.attempt(lambda: _rename(judged.evaluation.verdict))

    def show_verdict(self, judged: Judged) -> None:
        """The report as markdown, and where its file lies."""
        lines = judged.report.read_text(encoding="utf-8").splitlines()
        # The charts lie beside the file, where Prefect's pages cannot see them.
        text = "\n".join(line for line in lines if not line.startswith("!["))
        description = digest.markdown(judged.evaluation)
        self.attempt(lambda: create_markdown_artifact(text, "verdict", description))
        address = judged.report.resolve().as_uri()
        self.attempt(lambda: create_link_artifact(address, judged.report.name, "report"))

    def show_outcomes(self, judged: Judged) -> None:
        """One row per interface: the marts' counts."""
        rows = digest.outcomes(judged.evaluation)
        words = "What became of every compaction, from the table `interface_evidence`"
        self.attempt(lambda: create_table_artifact(rows, "outcomes", words))

    def show_expectations(self, judged: Judged) -> None:
        """One row per expectation and interface."""
        rows = digest.expectations(judged.evaluation)
        words = "What the gate checked, and what offends"
        self.attempt(lambda: create_table_artifact(rows, "expectations", words))


def _emitting(news: News) -> Callable[[], object]:
    """Automations hook on the event's name, or on the interface as the resource."""
    resource = {
        "prefect.resource.id": f"compact-guard.interface.{news.interface.replace('/', '.')}",
        "prefect.resource.name": news.interface,
        "compact-guard.verdict": news.verdict,
    }
    return lambda: emit_event(event=news.event, resource=resource, payload=news.as_json())


def _rename(verdict: str) -> None:
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

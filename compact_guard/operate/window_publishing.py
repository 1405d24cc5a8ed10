"""What a person sees of a study of the window in Prefect. All of it by best effort."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from prefect import get_run_logger
from prefect.artifacts import create_markdown_artifact
from prefect.events import emit_event

from compact_guard.operate import window_news
from compact_guard.operate.best_effort import BestEffort
from compact_guard.operate.news import News
from compact_guard.operate.publishing import Publisher, place, rename, with_charts
from compact_guard.operate.window_occasion import Studied

if TYPE_CHECKING:
    from compact_guard.evaluator.steps import Runner

Row = dict[str, Any]

_STEPS = 8  # the tasks of one study
_OF_A_PERIOD = {
    "sessions": "sessions",
    "turns": "main_turns",
    "$ per turn, mean": "cost_per_turn_mean_usd",
    "$ per turn, p90": "cost_per_turn_p90_usd",
    "context per turn": "context_per_turn_mean",
    "compactions per turn": "boundaries_per_turn",
    "seconds waited per day": "seconds_waited_per_day",
}


class WindowPublisher(Publisher):
    """Shows one run of the flow `window`; after a first failure it shows nothing more."""

    def __init__(self, attempt: BestEffort) -> None:
        super().__init__(attempt, steps=_STEPS)

    def show_study(self, studied: Studied, run: "Runner") -> None:
        """The artifacts, each by a task of its own; then log, name, tags and events."""
        self._tables = []
        for step in (self.show_periods, self.show_windows, self.show_demands, self.show_report):
            run(step, studied)
        for news in studied.news:
            self.attempt(_emitting(news))
        self.attempt(lambda: _log(studied))
        self.attempt(lambda: rename(str(studied.answer["verdict"])))

    def show_periods(self, studied: Studied) -> None:
        """One row per period: before and after the change."""
        rows = [
            {"period": period["period"], "change": studied.answer["change"]["at"]}
            | {words: _short(period[name]) for words, name in _OF_A_PERIOD.items()}
            for period in studied.answer["periods"]
        ]
        words = "Before and after the change, from the table `window_periods`"
        self._show_table("periods", rows, words)

    def show_windows(self, studied: Studied) -> None:
        """One row per model: its best window, and the present one."""
        rows = [_best(model) for model in studied.simulated["models"]]
        self._show_table("windows", rows, "What another window would have cost, replayed")

    def show_demands(self, studied: Studied) -> None:
        """One row per expectation of the study, the broken ones first."""
        rows = [
            {
                "holds": "yes" if one["success"] else "NO",
                "expectation": one["expectation"],
                "observed": one["observed"],
                "allowed": one["allowed"],
            }
            for one in sorted(studied.answer["expectations"], key=lambda one: one["success"])
        ]
        self._show_table("window-expectations", rows, "What the study holds itself to")

    def show_report(self, studied: Studied) -> None:
        """The report as markdown with its charts, and where the tables and its file are."""
        tables = f"Tables: {', '.join(self._tables)}. " if self._tables else ""
        words = f"{studied.answer['verdict']}. {tables}File: `{place(studied.report)}`"
        self.attempt(lambda: create_markdown_artifact(with_charts(studied.report), "window", words))


def _short(value: object) -> object:
    return round(value, 4) if isinstance(value, float) else value


def _best(model: Row) -> Row:
    best = model["best"] or {}
    names = ("window", "low", "high", "flat_from", "flat_to")
    return (
        {name: model[name] for name in ("model", "sessions", "turns")}
        | {"present window": model["present_window"]}
        | {f"best {name.replace('_', ' ')}": best.get(name) for name in names}
        | {"why none": model["reason"]}
    )


def _log(studied: Studied) -> None:
    """The verdict and its reasons among the run's own lines, which its page shows first."""
    logger = get_run_logger()
    logger.info(f"{studied.answer['verdict']}: {'; '.join(studied.answer['reasons'])}")
    logger.info(f"Report: {place(studied.report)}")


def _emitting(news: News) -> Callable[[], object]:
    """Automations hook on the event's name, or on the resource."""
    resource = {
        "prefect.resource.id": "compact-guard.window",
        "prefect.resource.name": window_news.SUBJECT,
        "compact-guard.verdict": news.verdict,
    }
    return lambda: emit_event(event=news.event, resource=resource, payload=news.as_json())

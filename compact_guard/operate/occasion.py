"""One occasion to judge: the present, and on demand every missed night before it.

The nightly run, the run on demand and `make verdict` all come here; with Prefect or without.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path

from compact_guard.evaluator import evaluation
from compact_guard.evaluator.evaluation import Evaluation, Request
from compact_guard.evaluator.steps import Runner, plainly
from compact_guard.operate import follow_up, standing
from compact_guard.operate.news import News
from compact_guard.report import verdict_report

NIGHTS_MAX = 31  # a month: a machine that was off for longer starts anew, the logs are all there
# A run at night may wait for another one to end; a person at a terminal would not.
WAIT_SECONDS = 600.0


@dataclass(frozen=True)
class Occasion:
    """What to judge and where to write; `catch_up` also judges the nights that were missed.

    `is_told` is whether channels and standing learn of it: not for a look at one interface.
    """

    request: Request
    reports: Path
    warehouse: Path | None = None
    catch_up: bool = False
    is_told: bool = True
    is_html_wanted: bool = True


class Judged:
    """The evaluation as of one time, its report, and what of it is news.

    No dataclass and no tuple: Prefect looks for futures in every row of those.
    """

    def __init__(self, outcome: Evaluation, report: Path, news: tuple[News, ...] = ()) -> None:
        self.evaluation = outcome
        self.report = report
        self.news = news


def judge(occasion: Occasion, run: Runner = plainly) -> Iterator[Judged]:
    """Every evaluation that is due, oldest first, the present one last.

    Raises UsageError, and BusyError where the warehouse stays in use.
    """
    for as_of in due(occasion):
        request = replace(occasion.request, as_of=as_of)
        outcome = evaluation.evaluate(
            request, occasion.warehouse, wait_seconds=WAIT_SECONDS, run=run
        )
        file = run(write_report, outcome, occasion)
        news = run(follow_up.tell_news, outcome, file) if occasion.is_told else ()
        yield Judged(outcome, file, news)


def write_report(outcome: Evaluation, occasion: Occasion) -> Path:
    """The report and its charts, and where it is wanted the same as one HTML file."""
    return verdict_report.write(outcome, occasion.reports, is_html_wanted=occasion.is_html_wanted)


def due(occasion: Occasion, zone: tzinfo | None = None) -> list[datetime]:
    """The times to judge as of: same time of day on each day since the last evaluation.

    Days are those of `zone`, by default this machine's: where a night's hour is near midnight UTC,
    a change to winter time would else look like a missed night.
    """
    present = occasion.request.as_of
    last = standing.read(standing.file_of(list(occasion.request.audit)))
    if not occasion.catch_up or last is None:
        return [present]
    nights = min((_day(present, zone) - _day(last.as_of, zone)).days, NIGHTS_MAX)
    missed = [present - timedelta(days=days) for days in range(nights - 1, 0, -1)]
    return [*missed, present]


def _day(moment: datetime, zone: tzinfo | None) -> date:
    return moment.replace(tzinfo=UTC).astimezone(zone).date()

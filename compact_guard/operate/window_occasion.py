"""One study of the window as a schedule wants it: studied, simulated, reported, told.

The flow of flows/window.py comes here; each step is what the commands call, too.
"""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import orjson

from compact_guard.evaluator.steps import Runner, plainly
from compact_guard.operate import window_news
from compact_guard.operate.channels import Channels
from compact_guard.operate.news import News
from compact_guard.window import simulation, study, study_report, window_range

Row = dict[str, Any]

NOBODY = Channels()


@dataclass(frozen=True)
class WindowOccasion:
    """What to study and where to write; `channels` are told what is new. `hour_usd` prices an
    hour of waiting."""

    request: study.Request
    reports: Path
    day: date
    hour_usd: float = 0.0
    is_html_wanted: bool = True
    channels: Channels = NOBODY


class Studied:
    """The answer of a study, the simulation beside it, the report, and what of it is news.

    No dataclass and no tuple: Prefect looks for futures in every row of those.
    """

    def __init__(self, answer: Row, simulated: Row, report: Path, news: tuple[News, ...]) -> None:
        self.answer = answer
        self.simulated = simulated
        self.report = report
        self.news = news


def carry_out(occasion: WindowOccasion, run: Runner = plainly) -> Studied:
    """Every step, in order. Raises UsageError, as the commands do."""
    answer = run(study_transcripts, occasion)
    simulated = run(simulate_windows, occasion)
    report = run(write_report, occasion, answer, simulated)
    told: Row = orjson.loads(answer)
    news = run(window_news.tell, told, report, occasion.request.paths, occasion.channels)
    return Studied(told, simulated, report, news)


def study_transcripts(occasion: WindowOccasion) -> bytes:
    """What compactions cost, and what a change of window did; the JSON of `window`."""
    return study.answer(occasion.request)


def simulate_windows(occasion: WindowOccasion) -> Row:
    """What other windows would have cost."""
    windows = window_range.windows(window_range.EVERYTHING)
    return simulation.answer(occasion.request, simulation.Question(windows, occasion.hour_usd))


def write_report(occasion: WindowOccasion, answer: bytes, simulated: Row) -> Path:
    """The report and its charts; returns its file."""
    return study_report.write(
        answer,
        occasion.reports,
        occasion.day,
        simulated=simulated,
        is_html_wanted=occasion.is_html_wanted,
    )

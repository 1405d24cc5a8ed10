"""One study of the window as Prefect runs it. Every rule lives in sql/ or compact_guard/."""

from datetime import UTC, datetime
from pathlib import Path

from compact_guard import quiet

quiet.telemetry_off()

from prefect import flow  # noqa: E402 - only after telemetry is off
from prefect.runtime import flow_run  # noqa: E402

from compact_guard.operate import naming, window_news, window_occasion  # noqa: E402
from compact_guard.operate.best_effort import BestEffort  # noqa: E402
from compact_guard.operate.tasks import TasksInOrder  # noqa: E402
from compact_guard.operate.window_occasion import Studied, WindowOccasion  # noqa: E402
from compact_guard.operate.window_publishing import WindowPublisher  # noqa: E402
from compact_guard.window import scan, scan_cache, study  # noqa: E402


def _run_name() -> str:
    started = flow_run.scheduled_start_time or datetime.now(UTC)
    return naming.study_name(flow_run.parameters, started)


@flow(name="window", flow_run_name=_run_name, persist_result=False)
def window(
    paths: list[Path] | None = None,
    change: datetime | None = None,
    settings: list[Path] | None = None,
    prices: Path | None = None,
    policy: Path | None = None,
    hour: float = 0.0,
    reports: Path = Path("reports"),
    html: bool = True,
) -> Studied:
    """Study what compactions cost, and what a change of window did: KEEP, OBSERVE or REVERT.

    Args:
        paths: transcripts, or folders of them. Default: those of Claude Code and Codex.
        change: when the window changed. Default: as settings tell, else as seen.
        settings: further settings files whose versions tell of the window.
        prices: a TOML file with prices that replace the library's.
        policy: a TOML file with what a verdict demands and whom to tell.
        hour: what an hour of waiting costs, in US dollars.
        reports: the folder for the report.
        html: also write the report as one HTML file.
    """
    request = study.Request(
        paths=tuple(paths or scan.default_folders()),
        prices=prices,
        cache=scan_cache.default_file(),
        change=naming.naive_utc(change),
        policy=policy,
        settings=tuple(settings or ()),
    )
    channels = window_news.channels_of(policy)
    today = datetime.now(UTC).date()
    occasion = WindowOccasion(request, reports, today, hour, html, channels)
    return _shown(occasion)


def _shown(occasion: WindowOccasion) -> Studied:
    publisher = WindowPublisher(BestEffort())
    publisher.begin()
    run = TasksInOrder(after=publisher.step_done)
    studied = window_occasion.carry_out(occasion, run)
    publisher.show_study(studied, run)
    return studied

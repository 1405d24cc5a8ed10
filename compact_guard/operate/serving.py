"""Serve the flows on this machine: nightly, weekly and on demand, without a work pool."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from prefect import Flow
from prefect.deployments import run_deployment
from prefect.deployments.runner import RunnerDeployment
from prefect.flows import load_flow_from_entrypoint
from prefect.runner import Runner
from prefect.schedules import Cron

from compact_guard import assets
from compact_guard.errors import UsageError
from compact_guard.evaluator import inputs
from compact_guard.operate import standing, window_standing
from compact_guard.window import scan

VERDICT, WINDOW = "verdict", "window"
NIGHTLY, WEEKLY = "nightly", "weekly"
ON_DEMAND = "on-demand"
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)


@dataclass(frozen=True)
class Schedule:
    """When to judge and when to study (cron, in the time zone of that name), and the parameters
    of every run of the two flows."""

    nightly: str
    weekly: str
    timezone: str
    of_verdict: dict[str, Any]
    of_window: dict[str, Any]


def serve(schedule: Schedule) -> None:
    """Serve until told to stop; what was missed meanwhile is made up for at once."""
    runner = Runner(name="compact-guard", pause_on_shutdown=False, limit=1)
    for deployment in deployments(schedule):
        runner.add_deployment(deployment)
    now = datetime.now(UTC).replace(tzinfo=None)
    if is_overdue(now):
        run_deployment(f"{VERDICT}/{NIGHTLY}", timeout=0, as_subflow=False)
    if is_study_overdue(now):
        run_deployment(f"{WINDOW}/{WEEKLY}", timeout=0, as_subflow=False)
    asyncio.run(runner.start())


def deployments(schedule: Schedule) -> list[RunnerDeployment]:
    """What prefect.yaml has for a server with workers."""
    verdict, window = flow_of(VERDICT), flow_of(WINDOW)
    found = [
        verdict.to_deployment(
            NIGHTLY,
            schedules=[Cron(schedule.nightly, timezone=schedule.timezone)],
            parameters=schedule.of_verdict | {"catch_up": True},
            tags=["compact-guard", NIGHTLY],
        ),
        verdict.to_deployment(
            ON_DEMAND, parameters=schedule.of_verdict, tags=["compact-guard", ON_DEMAND]
        ),
        window.to_deployment(
            WEEKLY,
            schedules=[Cron(schedule.weekly, timezone=schedule.timezone)],
            parameters=schedule.of_window,
            tags=["compact-guard", WEEKLY],
        ),
    ]
    # No coroutines, as no loop runs here.
    return [one for one in found if isinstance(one, RunnerDeployment)]


def flow_of(name: str) -> Flow[Any, Any]:
    """A flow of flows/, in a checkout and in a wheel alike."""
    file: Path = assets.folder("flows") / f"{name}.py"
    return load_flow_from_entrypoint(f"{file}:{name}")


def is_overdue(now: datetime) -> bool:
    """Whether a day has passed (naive UTC) since the own audit log, if any, was judged last."""
    if not any(inputs.own_audit_log().glob("*.jsonl")):
        return False
    last = standing.read(standing.file_of([inputs.own_audit_log()]))
    return last is None or now - last.evaluated_at > _DAY


def is_study_overdue(now: datetime) -> bool:
    """Whether a week has passed (naive UTC) since the own transcripts, if any, were studied."""
    try:
        folders = tuple(scan.default_folders())
    except UsageError:
        return False
    last = window_standing.read(window_standing.file_of(folders))
    return last is None or now - last.studied_at > _WEEK

"""Serve the flow on this machine: a nightly schedule and runs on demand, without a work pool."""

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
from compact_guard.evaluator import inputs
from compact_guard.operate import standing

FLOW = "verdict"
NIGHTLY = "nightly"
ON_DEMAND = "on-demand"
_OVERDUE = timedelta(days=1)


@dataclass(frozen=True)
class Schedule:
    """When (cron, in the time zone of that name), and the parameters of every run."""

    cron: str
    timezone: str
    parameters: dict[str, Any]


def serve(schedule: Schedule) -> None:
    """Serve until told to stop; a night that was missed meanwhile is made up for at once."""
    flow = the_flow()
    runner = Runner(name="compact-guard", pause_on_shutdown=False, limit=1)
    nightly = flow.to_deployment(
        NIGHTLY,
        schedules=[Cron(schedule.cron, timezone=schedule.timezone)],
        parameters=schedule.parameters | {"catch_up": True},
        tags=["compact-guard", NIGHTLY],
    )
    on_demand = flow.to_deployment(
        ON_DEMAND, parameters=schedule.parameters, tags=["compact-guard", ON_DEMAND]
    )
    for deployment in (nightly, on_demand):
        assert isinstance(deployment, RunnerDeployment)  # no coroutine, as no loop runs here
        runner.add_deployment(deployment)
    if is_overdue(datetime.now(UTC).replace(tzinfo=None)):
        run_deployment(f"{FLOW}/{NIGHTLY}", timeout=0, as_subflow=False)
    asyncio.run(runner.start())


def the_flow() -> Flow[Any, Any]:
    """The flow of flows/verdict.py, in a checkout and in a wheel alike."""
    file: Path = assets.folder("flows") / "verdict.py"
    return load_flow_from_entrypoint(f"{file}:{FLOW}")


def is_overdue(now: datetime) -> bool:
    """Whether a day has passed (naive UTC) since the own audit log, if any, was judged last."""
    if not any(inputs.own_audit_log().glob("*.jsonl")):
        return False
    last = standing.read(standing.file_of([inputs.own_audit_log()]))
    return last is None or now - last.evaluated_at > _OVERDUE

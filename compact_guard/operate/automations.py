"""Automations on a Prefect server: who is told by it, and what becomes of a run that went silent.

Run as `python -m compact_guard.operate.automations URL`: an address that gets a POST with the
text of each. Running it again brings them up to date.
"""

import asyncio
import contextlib
import sys
from collections.abc import Iterable
from datetime import timedelta

from compact_guard import quiet

quiet.telemetry_off()

from prefect.automations import Automation  # noqa: E402 - only after telemetry is off
from prefect.blocks.notifications import CustomWebhookNotificationBlock  # noqa: E402
from prefect.client.schemas.objects import StateType  # noqa: E402
from prefect.events.actions import ChangeFlowRunState, SendNotification  # noqa: E402
from prefect.events.schemas.automations import EventTrigger, Posture  # noqa: E402
from prefect.events.schemas.events import ResourceSpecification  # noqa: E402

from compact_guard.operate import news, window_news  # noqa: E402

BLOCK = "compact-guard"
_OURS = ResourceSpecification(
    {"prefect.resource.id": ["compact-guard.interface.*", "compact-guard.window"]}
)
_RUNS = ResourceSpecification({"prefect.resource.id": "prefect.flow-run.*"})
_TAGGED = ResourceSpecification({"prefect.resource.id": "prefect.tag.compact-guard"})
_NEWS = "{{ event.payload.text }}"
_CHANGES = (news.VERDICT_CHANGED, window_news.VERDICT_CHANGED)
_BAD_ENDS = ("prefect.flow-run.Failed", "prefect.flow-run.Crashed")
_HEARTBEAT = "prefect.flow-run.heartbeat"
_ENDS = {f"prefect.flow-run.{end}" for end in ("Completed", "Failed", "Cancelled", "Crashed")}
_SILENT = timedelta(minutes=10)  # a run gives a sign of life every three


def automations(block: CustomWebhookNotificationBlock) -> list[Automation]:
    """All of them; those that tell somebody do it by this block, which must be saved."""
    identity = block._block_document_id
    assert identity is not None
    ended = "{{ flow_run.name }} ended as {{ flow_run.state.name }}: {{ flow_run.state.message }}"
    triggers = {
        "verdict changed": (
            _happening([news.VERDICT_CHANGED, window_news.VERDICT_CHANGED], _OURS),
            _NEWS,
        ),
        "injection missed or duplicated": (_happening(news.FAILED.values(), _OURS), _NEWS),
        "run failed": (_happening(_BAD_ENDS, _RUNS, related=_TAGGED), ended),
    }
    telling = [
        Automation(
            name=f"compact-guard: {name}",
            trigger=trigger,
            actions=[SendNotification(block_document_id=identity, subject=name, body=body)],
        )
        for name, (trigger, body) in triggers.items()
    ]
    return [*telling, _silent_run()]


def _happening(
    events: Iterable[str],
    match: ResourceSpecification,
    related: ResourceSpecification | None = None,
) -> EventTrigger:
    return EventTrigger(
        expect=set(events),
        match=match,
        match_related=related or ResourceSpecification({}),
        posture=Posture.Reactive,
        threshold=1,
    )


def _silent_run() -> Automation:
    """What was killed with its worker stays Running for ever, unless somebody says otherwise."""
    trigger = EventTrigger(
        after={_HEARTBEAT},
        expect={_HEARTBEAT, *_ENDS},
        match=_RUNS,
        match_related=_TAGGED,
        for_each={"prefect.resource.id"},
        posture=Posture.Proactive,
        threshold=1,
        within=_SILENT,
    )
    crash = ChangeFlowRunState(
        name="Crashed", state=StateType.CRASHED, message="no sign of life", force=False
    )
    return Automation(name="compact-guard: run went silent", trigger=trigger, actions=[crash])


async def bring_up_to_date(address: str) -> list[str]:
    """Save the block and every automation, replacing older ones of the same name; returns names."""
    block = CustomWebhookNotificationBlock(
        name=BLOCK,
        url=address,
        json_data={"text": "{{subject}}: {{body}}"},
        headers=None,
        cookies=None,
    )
    await block.asave(BLOCK, overwrite=True)
    wanted = automations(block)
    for automation in wanted:
        with contextlib.suppress(ValueError):  # there is none of that name yet
            await (await Automation.aread(name=automation.name)).adelete()
        await automation.acreate()
    return [automation.name for automation in wanted]


if __name__ == "__main__":
    for told in asyncio.run(bring_up_to_date(sys.argv[1])):
        sys.stdout.write(f"{told}\n")

"""`compact-guard status`: how things stand, without opening a report or a warehouse."""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from compact_guard.agents import registry
from compact_guard.checkpoints import inventory, newest_compaction
from compact_guard.checkpoints.inventory import Stored
from compact_guard.checkpoints.newest_compaction import Compaction
from compact_guard.commands import shared_options
from compact_guard.commands.evaluate import EXIT_CODES, default_audit_folder
from compact_guard.errors import UsageError
from compact_guard.install import consent, options
from compact_guard.operate import installed, standing, window_standing
from compact_guard.operate.installed import Place
from compact_guard.operate.standing import InterfaceStanding, Standing
from compact_guard.operate.window_standing import WindowStanding

HELP = "tell how things stand: hooks, compactions, last verdict, evidence so far"

EXIT_NOT_INSTALLED = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """How to print."""
    parser.epilog = (
        "Exit: that of the last verdict (0 KEEP, 3 OBSERVE or none yet, 4 REVERT), "
        "1 where no agent has the hooks."
    )
    shared_options.json_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """The last verdict's exit status; 1 where no agent has the hooks."""
    now = datetime.now(UTC).replace(tzinfo=None)
    places, problems = _places()
    last = standing.read(standing.file_of([default_audit_folder()]))
    compactions = newest_compaction.by_interface(default_audit_folder())
    pending = inventory.pending(time.time())
    if arguments.json:
        answer = _as_json(places, problems, last)
        answer["last_compactions"] = [each.as_json() for each in compactions]
        answer["pending_checkpoints"] = [each.as_json() for each in pending]
        sys.stdout.write(json.dumps(answer, indent=1, default=_utc_text) + "\n")
    else:
        hooks = [f"hooks       {line}" for line in _hooks(places, problems)]
        told = [*hooks, *_of_compactions(compactions, now), *_of_pending(pending)]
        told += _of_verdict(last, now)
        consent.say([*told, *_of_window(window_standing.newest(), now)])
    if not places:
        return EXIT_NOT_INSTALLED
    return EXIT_CODES[last.verdict if last else "OBSERVE"]


def _places() -> tuple[list[Place], list[str]]:
    places: list[Place] = []
    problems: list[str] = []
    for agent in registry.AGENTS:
        try:
            places += installed.places(agent)
        except UsageError as error:
            problems.append(f"{agent}: {error}")
    return places, problems


def _hooks(places: list[Place], problems: list[str]) -> Iterator[str]:
    for place in places:
        chosen = ", ".join(f"--{name}" for name in options.of(place.agent).names())
        yield f"{place.agent}: installed in {place.settings}" + (f", {chosen}" if chosen else "")
    yield from problems
    if not places:
        yield "not installed: run `compact-guard install AGENT`"


def _of_compactions(compactions: list[Compaction], now: datetime) -> Iterator[str]:
    """The newest of each interface."""
    for compaction in compactions:
        when = _ago(datetime.fromisoformat(compaction.at).replace(tzinfo=None), now)
        yield f"compaction  {when} in {compaction.interface}: {_became(compaction)}"
    if not compactions:
        yield "compaction  none seen by the hooks"


def _became(compaction: Compaction) -> str:
    because = f" ({compaction.reason})" if compaction.reason else ""
    saved = f"checkpoint {compaction.saved}{because}"
    if compaction.checkpoint_hash is None or compaction.delivery is None:
        return saved
    if compaction.delivery == "injected":
        return f"{saved}, given back"
    because = f" ({compaction.delivery_reason})" if compaction.delivery_reason else ""
    return f"{saved}, not given back: {compaction.delivery}{because}"


def _of_pending(pending: list[Stored]) -> Iterator[str]:
    agents = Counter(str((each.content or {}).get("agent")) for each in pending)
    for agent, count in sorted(agents.items()):
        things = "1 checkpoint" if count == 1 else f"{count} checkpoints"
        yield f"pending     {agent}: {things} not given back yet"


def _of_verdict(last: Standing | None, now: datetime) -> Iterator[str]:
    if last is None:
        yield "verdict     none yet: run `compact-guard evaluate`"
        return
    yield f"verdict     {last.verdict}, given {_ago(last.evaluated_at, now)}"
    for interface in last.interfaces:
        yield f"            {_evidence(interface)}"
    yield f"report      {last.report}"


def _of_window(last: WindowStanding | None, now: datetime) -> Iterator[str]:
    """The study that the flow `window` made last, if there was one."""
    if last is not None:
        yield f"window      {last.verdict}, studied {_ago(last.studied_at, now)}"
        yield f"            {'; '.join(last.reasons)}"
        yield f"report      {last.report}"


def _evidence(interface: InterfaceStanding) -> str:
    failures = "no failure" if not interface.failures else f"FAILURES: {interface.failures}"
    return (
        f"{interface.interface}: {interface.verdict}, "
        f"{interface.eligible_counted} of {interface.needed} counted compactions, "
        f"{interface.sessions} of {interface.min_sessions} sessions, "
        f"{interface.natural_events} of {interface.min_natural_events} audit rows; {failures}"
    )


def _ago(then: datetime, now: datetime) -> str:
    passed = now - then
    for unit, length in (
        ("day", timedelta(days=1)),
        ("hour", timedelta(hours=1)),
        ("minute", timedelta(minutes=1)),
    ):
        if (count := passed // length) > 0:
            return f"{count} {unit if count == 1 else unit + 's'} ago ({then:%Y-%m-%d %H:%M} UTC)"
    return f"just now ({then:%Y-%m-%d %H:%M} UTC)"


def _as_json(
    places: list[Place],
    problems: list[str],
    last: Standing | None,
) -> dict[str, object]:
    verdict = None
    if last is not None:
        verdict = {name: value for name, value in asdict(last).items() if name != "told"}
    return {
        "installed": [_place_as_json(place) for place in places],
        "problems": problems,
        "last_evaluation": verdict,
        "last_study": _study_as_json(window_standing.newest()),
    }


def _study_as_json(last: WindowStanding | None) -> dict[str, object] | None:
    if last is None:
        return None
    return {name: value for name, value in last._asdict().items() if name != "told"}


def _place_as_json(place: Place) -> dict[str, object]:
    chosen = options.of(place.agent).names()
    return {"agent": place.agent, "settings": str(place.settings), "options": chosen}


def _utc_text(value: object) -> str:
    assert isinstance(value, datetime)
    return f"{value.isoformat()}Z"

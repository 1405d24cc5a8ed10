"""`compact-guard status`: how things stand, without opening a report or a warehouse."""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from compact_guard.agents import registry
from compact_guard.commands.evaluate import EXIT_CODES, default_audit_folder
from compact_guard.errors import UsageError
from compact_guard.install import consent
from compact_guard.operate import installed, last_compaction, standing
from compact_guard.operate.installed import Place
from compact_guard.operate.last_compaction import LastCompaction
from compact_guard.operate.standing import InterfaceStanding, Standing

HELP = "tell how things stand: hooks, last verdict, evidence so far"

EXIT_NOT_INSTALLED = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """How to print."""
    parser.epilog = (
        "Exit: that of the last verdict (0 KEEP, 3 OBSERVE or none yet, 4 REVERT), "
        "1 where no agent has the hooks."
    )
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """The last verdict's exit status; 1 where no agent has the hooks."""
    now = datetime.now(UTC).replace(tzinfo=None)
    places, problems = _places()
    last = standing.read(standing.file_of([default_audit_folder()]))
    compaction = last_compaction.find(default_audit_folder())
    if arguments.json:
        answer = _as_json(places, problems, last, compaction)
        sys.stdout.write(json.dumps(answer, indent=1, default=_utc_text) + "\n")
    else:
        hooks = [f"hooks       {line}" for line in _hooks(places, problems)]
        consent.say([*hooks, *_of_compaction(compaction, now), *_of_verdict(last, now)])
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
        yield f"{place.agent}: installed in {place.settings}"
    yield from problems
    if not places:
        yield "not installed: run `compact-guard install AGENT`"


def _of_compaction(compaction: LastCompaction | None, now: datetime) -> Iterator[str]:
    if compaction is None:
        yield "compaction  none seen by the hooks in the last two weeks"
        return
    at, interface, outcome = compaction
    yield f"compaction  {_ago(at, now)} in {interface}: checkpoint {outcome}"


def _of_verdict(last: Standing | None, now: datetime) -> Iterator[str]:
    if last is None:
        yield "verdict     none yet: run `compact-guard evaluate`"
        return
    yield f"verdict     {last.verdict}, given {_ago(last.evaluated_at, now)}"
    for interface in last.interfaces:
        yield f"            {_evidence(interface)}"
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
    compaction: LastCompaction | None,
) -> dict[str, object]:
    verdict = None
    if last is not None:
        verdict = {name: value for name, value in asdict(last).items() if name != "told"}
    return {
        "installed": [{"agent": place.agent, "settings": str(place.settings)} for place in places],
        "problems": problems,
        "last_compaction": compaction._asdict() if compaction else None,
        "last_evaluation": verdict,
    }


def _utc_text(value: object) -> str:
    assert isinstance(value, datetime)
    return f"{value.isoformat()}Z"

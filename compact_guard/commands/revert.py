"""`compact-guard revert`: act on a REVERT, for the agent of one interface only.

Of the guard: its hooks are taken out. Of the window: the earlier one is set again.
"""

import argparse
import os
import shlex
from datetime import UTC, datetime

from compact_guard.agents import registry
from compact_guard.commands import install as install_command
from compact_guard.commands.evaluate import default_audit_folder
from compact_guard.commands.window import require_study
from compact_guard.errors import UsageError
from compact_guard.install import consent
from compact_guard.install import planning as installation
from compact_guard.install.planning import Plan
from compact_guard.operate import installed, standing
from compact_guard.operate.installed import Place

HELP = "show, or with --apply carry out, taking off the guard or restoring the earlier window"


def configure(parser: argparse.ArgumentParser) -> None:
    """An interface as reports name it, and whether to act."""
    parser.add_argument(
        "interface", metavar="INTERFACE", help="as in the report, such as claude-code/gateway"
    )
    parser.add_argument(
        "--window", action="store_true", help="restore the earlier window, and leave the guard"
    )
    parser.add_argument(
        "--undo", action="store_true", help="with --window: take the restoring back"
    )
    parser.add_argument("--apply", action="store_true", help="do it; otherwise only show it")


def run(arguments: argparse.Namespace) -> int:
    """0 shown, done, or nothing to do; raises UsageError for an unknown agent."""
    agent = arguments.interface.partition("/")[0]
    if agent not in registry.AGENTS:
        known = ", ".join(f"{name}/..." for name in registry.AGENTS)
        raise UsageError(f"{arguments.interface}: no such interface; there are {known}")
    if arguments.window:
        return _revert_window(arguments, agent)
    if arguments.undo:
        raise UsageError(f"--undo goes with --window; the hooks: compact-guard install {agent}")
    places = installed.places(agent)
    consent.say(_standing(arguments.interface, agent))
    if not places:
        consent.say([f"{agent} does not have the hooks.", "Nothing to do."])
        return 0
    plans = _plans(places)
    now = datetime.now(UTC)
    consent.say(["", *install_command.differences(plans), *install_command.backups(plans, now)])
    if not arguments.apply:
        consent.say(["", "Nothing was written. To do it, add --apply."])
        return 0
    install_command.apply_all(plans, now, "reverted")
    consent.say([f"Took the hooks out of {place.settings}." for place in places])
    consent.say([registry.settings_of(agent).AFTER_CHANGE, "To undo this:"])
    consent.say([f"  {_undo(place)}" for place in places])
    return 0


def _standing(interface: str, agent: str) -> list[str]:
    """The verdict that this rests on, and which other interfaces lose the guard with it."""
    last = standing.read(standing.file_of([default_audit_folder()]))
    judged = {one.interface: one for one in last.interfaces} if last else {}
    if interface not in judged:
        lines = [f"{interface} has no verdict yet."]
    else:
        reasons = "; ".join(judged[interface].reasons)
        lines = [f"{interface}: {judged[interface].verdict} ({reasons})"]
    others = [name for name in judged if name.startswith(f"{agent}/") and name != interface]
    if others:
        lines.append(f"The same hooks serve {', '.join(others)}, which will be without them, too.")
    return lines


def _revert_window(arguments: argparse.Namespace, agent: str) -> int:
    require_study()
    from compact_guard.operate import window_revert

    now = datetime.now(UTC)
    consent.say([f"The window is that of {agent}, however it is attached."])
    plan = window_revert.plan_undo(agent) if arguments.undo else _plan_restore(agent)
    if plan is None:
        return 0
    consent.say(["", *install_command.differences([plan]), *install_command.backups([plan], now)])
    if not arguments.apply:
        consent.say(["", "Nothing was written. To do it, add --apply."])
        return 0
    if arguments.undo:
        window_revert.undo(plan, now)
        consent.say([f"{plan.original.path} is as it was."])
        return 0
    window_revert.restore(plan, now)
    consent.say([f"Restored the window in {plan.original.path}.", "To undo this:"])
    consent.say([f"  compact-guard revert {arguments.interface} --window --undo --apply"])
    return 0


def _plan_restore(agent: str) -> Plan | None:
    """None where there is nothing to restore; why is said."""
    from compact_guard.operate import window_revert

    found = window_revert.studied(agent)
    consent.say([f"The study says {found.verdict}: {'; '.join(found.reasons)}."])
    if found.change is None:
        seen = "only seen where compactions begin" if found.source else "not known"
        consent.say([f"When another window was set is {seen}: nothing to restore."])
        return None
    before = found.change.before.words if found.change.before else ""
    consent.say(
        [
            f"{before or 'Nothing on record'} became {found.change.after.words or 'unset'}: "
            f"{found.change.evidence}."
        ]
    )
    plan = window_revert.plan_restore(found.change)
    if plan.changes_nothing:
        consent.say([f"{plan.original.path} has that window already. Nothing to do."])
        return None
    return plan


def _plans(places: list[Place]) -> list[Plan]:
    """The approvals first, then the settings, so that folders can be emptied."""
    plans = []
    approval = registry.approval_of(places[0].agent)
    if approval is not None:
        plans.append(approval.plan_distrust(os.environ))
    return plans + [installation.plan_uninstall(place.agent, place.settings) for place in places]


def _undo(place: Place) -> str:
    command = f"compact-guard install {place.agent}"
    return (
        command
        if place.project is None
        else f"{command} --project {shlex.quote(str(place.project))}"
    )

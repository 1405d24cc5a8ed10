"""`compact-guard uninstall`: take our entries out of an agent's settings, and nothing else."""

import argparse
import os
import shlex
from datetime import UTC, datetime
from pathlib import Path

from compact_guard import data_home
from compact_guard.agents import registry
from compact_guard.commands import install as install_command
from compact_guard.install import consent
from compact_guard.install import planning as installation
from compact_guard.install.planning import Plan
from compact_guard.install.settings_file import SettingsFile

HELP = "take the hooks out of an agent's settings file"

configure = install_command.configure_edit


def run(arguments: argparse.Namespace) -> int:
    """0 removed (or never there, or dry run), 1 the person said no; raises UsageError."""
    agent = registry.settings_of(arguments.agent)
    path = agent.settings_path(installation.project_folder(arguments.project), os.environ)
    plans = _plans(agent, path, is_of_user=arguments.project is None)
    if all(plan.changes_nothing for plan in plans):
        consent.say([f"{path} has no hooks of compact-guard.", "Nothing to do.", *_kept()])
        return 0
    now = datetime.now(UTC)
    consent.say([f"Plan for {agent.AGENT}:", "", *install_command.differences(plans)])
    consent.say(install_command.backups(plans, now))
    consent.say([*install_command.marked(install_command.moved(agent, plans[0])), ""])
    if arguments.dry_run:
        consent.say(["Dry run: nothing was written."])
        return 0
    if not consent.given(arguments.yes):
        consent.say(["Nothing was written."])
        return 1
    install_command.apply_all(plans[::-1], now, "uninstalled")
    consent.say([*_done(plans, path), agent.AFTER_CHANGE, *_kept()])
    return 0


def _plans(agent: SettingsFile, path: Path, is_of_user: bool) -> list[Plan]:
    """The settings, then our approvals; carried out the other way round, so that folders empty."""
    plans = [installation.plan_uninstall(agent.AGENT, path)]
    approval = registry.approval_of(agent.AGENT)
    if approval is not None and is_of_user:
        plans.append(approval.plan_distrust(os.environ))
    return plans


def _done(plans: list[Plan], path: Path) -> list[str]:
    if plans[0].after is None and plans[0].original.content is not None:
        lines = [f"Removed {path}, which held nothing but our hooks."]
    else:
        lines = [f"Took the hooks out of {path}."]
    changed = [plan.original.path for plan in plans[1:] if not plan.changes_nothing]
    return [*lines, *(f"Took our approvals out of {file}." for file in changed)]


def _kept() -> list[str]:
    home = data_home.folder()
    if not home.is_dir():
        return []
    return [
        f"Audit log, checkpoints and backups stay in {home}. To delete them for good:",
        f"  rm -r {shlex.quote(str(home))}",
    ]

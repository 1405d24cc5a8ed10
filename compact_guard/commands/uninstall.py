"""`compact-guard uninstall`: take our entries out of an agent's settings, and nothing else."""

import argparse
import os
import shlex
from datetime import UTC, datetime
from pathlib import Path

from compact_guard import consent, data_home
from compact_guard import install as installation
from compact_guard.agents import registry
from compact_guard.commands import install as install_command
from compact_guard.errors import UsageError
from compact_guard.install import Plan

HELP = "take the hooks out of an agent's settings file"

configure = install_command.configure


def run(arguments: argparse.Namespace) -> int:
    """0 removed (or never there, or dry run), 1 the person said no; raises UsageError."""
    agent = registry.settings_of(arguments.agent)
    path = agent.settings_path(installation.project_folder(arguments.project), os.environ)
    plan = installation.plan_uninstall(agent.AGENT, path)
    if plan.changes_nothing:
        consent.say([f"{path} has no hooks of compact-guard.", "Nothing to do.", *_kept()])
        return 0
    now = datetime.now(UTC)
    backup = data_home.backup_path(plan.key, plan.original.path, now)
    difference = consent.diff(str(path), plan.original.content, plan.after)
    consent.say([f"Plan for {agent.AGENT}:", "", *difference, ""])
    consent.say([f"Backup of the file: {backup}", ""])
    if arguments.dry_run:
        consent.say(["Dry run: nothing was written."])
        return 0
    if not consent.given(arguments.yes):
        consent.say(["Nothing was written."])
        return 1
    _uninstall(plan, now)
    consent.say([_done(plan, path), agent.AFTER_CHANGE, *_kept()])
    return 0


def _uninstall(plan: Plan, now: datetime) -> None:
    try:
        installation.apply(plan, now)
    except OSError as error:
        raise UsageError(f"not uninstalled, the settings are as they were: {error}") from None


def _done(plan: Plan, path: Path) -> str:
    if plan.after is None:
        return f"Removed {path}, which held nothing but our hooks."
    return f"Took the hooks out of {path}."


def _kept() -> list[str]:
    home = data_home.folder()
    if not home.is_dir():
        return []
    return [
        f"Audit log, checkpoints and backups stay in {home}. To delete them for good:",
        f"  rm -r {shlex.quote(str(home))}",
    ]

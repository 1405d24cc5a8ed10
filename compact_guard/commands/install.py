"""`compact-guard install`: register the hooks in an agent's settings, after showing how."""

import argparse
import os
import sys
from datetime import UTC, datetime
from functools import partial

from compact_guard import consent, data_home, hook_command
from compact_guard import install as installation
from compact_guard.agents import registry
from compact_guard.errors import UsageError
from compact_guard.install import Plan, SettingsFile

HELP = "register the hooks in an agent's settings file"


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments that install and uninstall share."""
    parser.add_argument("agent", choices=registry.AGENTS)
    parser.add_argument(
        "--project",
        nargs="?",
        const=".",
        metavar="DIR",
        help="the settings of the project in DIR (default: here) instead of the user's",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--dry-run", action="store_true", help="show the plan and do nothing")


def run(arguments: argparse.Namespace) -> int:
    """0 installed (or already so, or dry run), 1 the person said no; raises UsageError."""
    agent = registry.settings_of(arguments.agent)
    project = installation.project_folder(arguments.project)
    path = agent.settings_path(project, os.environ)
    version = agent.installed_version(os.environ)
    wanted = agent.registrations(partial(hook_command.command_line, agent.AGENT), version)
    now = datetime.now(UTC)
    plan = installation.plan_install(agent.AGENT, path, wanted)
    warnings = agent.warnings(path, version, os.environ) + _warnings(project is not None)
    if plan.changes_nothing:
        consent.say([f"{path} already has the hooks.", *_marked(warnings)])
        if not arguments.dry_run:
            _carry_out(agent, plan, now)
        consent.say(["Nothing else to do."])
        return 0
    difference = consent.diff(str(path), plan.original.content, plan.after)
    consent.say([f"Plan for {agent.AGENT}:", "", *difference, ""])
    consent.say([*_stored(plan, now), *_marked(warnings), ""])
    if arguments.dry_run:
        consent.say(["Dry run: nothing was written."])
        return 0
    if not consent.given(arguments.yes):
        consent.say(["Nothing was written."])
        return 1
    _carry_out(agent, plan, now)
    consent.say(_done(agent, str(path)))
    return 0


def _carry_out(agent: SettingsFile, plan: Plan, now: datetime) -> None:
    """Try the hook, make our own folder if it is missing, and only then touch the settings."""
    hook_command.rehearse(agent)
    try:
        data_home.prepare()
        if not plan.changes_nothing:
            installation.apply(plan, now)
    except OSError as error:
        raise UsageError(f"not installed, the settings are as they were: {error}") from None


def _stored(plan: Plan, now: datetime) -> list[str]:
    backup = data_home.backup_path(plan.key, plan.original.path, now)
    is_new = plan.original.content is None
    home = data_home.folder()
    return [
        "No backup: the file is new." if is_new else f"Backup of the file: {backup}",
        f"What the hooks store stays on this machine, for your eyes only, in {home}:",
        "  audit/        one row per hook run: hashes, counts and times, no conversation text",
        "  checkpoints/  the text to be given back after a compaction, secrets redacted",
    ]


def _warnings(is_project: bool) -> list[str]:
    found = []
    if is_project:
        found.append("The entries name paths of this machine: do not commit them for others.")
    if os.environ.get("COMPACT_GUARD_HOME"):
        found.append("COMPACT_GUARD_HOME is set here: set it where the agent starts, too.")
    if "archive-v0" in sys.prefix or f"{os.sep}.cache{os.sep}" in sys.prefix:
        found.append(
            f"{sys.prefix} looks temporary: when it goes, the hooks stop. Install for good."
        )
    return found


def _marked(warnings: list[str]) -> list[str]:
    return [f"Warning: {warning}" for warning in warnings]


def _done(agent: SettingsFile, path: str) -> list[str]:
    return [
        f"Installed in {path}; one trial run of the hook went well.",
        agent.AFTER_CHANGE,
        "Next: work as usual, and after some compactions run `compact-guard evaluate`.",
        f"To take it out: compact-guard uninstall {agent.AGENT}",
    ]

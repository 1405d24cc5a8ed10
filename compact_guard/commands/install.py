"""`compact-guard install`: register the hooks in an agent's settings, after showing how."""

import argparse
import os
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from compact_guard import data_home
from compact_guard.agents import registry
from compact_guard.commands import shared_options
from compact_guard.errors import UsageError
from compact_guard.install import consent, elsewhere, hook_command
from compact_guard.install import options as install_options
from compact_guard.install import planning as installation
from compact_guard.install.options import Options
from compact_guard.install.planning import Plan
from compact_guard.install.settings_file import SettingsFile

HELP = "register the hooks in an agent's settings file"


def configure(parser: argparse.ArgumentParser) -> None:
    """What install and uninstall share, --trust and the options of the hooks."""
    configure_edit(parser)
    parser.add_argument(
        "--trust",
        action="store_true",
        help="codex: also record that you approve the hooks that the plan shows",
    )
    parser.add_argument(
        "--preserve",
        action=argparse.BooleanOptionalAction,
        help="claude-code: ask its own summary for a section of rejected alternatives",
    )
    parser.add_argument(
        "--notice",
        action=argparse.BooleanOptionalAction,
        help="tell you, not the model, in one line after each compaction what it lost",
    )


def configure_edit(parser: argparse.ArgumentParser) -> None:
    """The arguments of every command that edits an agent's settings."""
    parser.add_argument("agent", choices=registry.AGENTS)
    shared_options.project(parser, "settings")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--dry-run", action="store_true", help="show the plan and do nothing")


def run(arguments: argparse.Namespace) -> int:
    """0 installed (or already so, or dry run), 1 the person said no; raises UsageError."""
    agent = registry.settings_of(arguments.agent)
    project = installation.project_folder(arguments.project)
    path = agent.settings_path(project, os.environ)
    version = agent.installed_version(os.environ)
    options = install_options.chosen(
        agent, version, {"preserve": arguments.preserve, "notice": arguments.notice}
    )
    command = partial(hook_command.command_line, agent.AGENT)
    wanted = agent.registrations(command, version, options.notice)
    now = datetime.now(UTC)
    plans = [installation.plan_install(agent.AGENT, path, wanted)]
    if arguments.trust:
        plans.append(_plan_trust(agent, path, plans[0]))
    warnings = agent.warnings(path, version, os.environ) + _warnings(project is not None)
    warnings += moved(agent, plans[0])
    warnings += map(elsewhere.told, elsewhere.places(agent, path, os.environ))
    if all(plan.changes_nothing for plan in plans) and options == install_options.of(agent.AGENT):
        consent.say([f"{path} already has the hooks.", *marked(warnings)])
        if not arguments.dry_run:
            _carry_out(agent, plans, options, now)
        consent.say(["Nothing else to do."])
        return 0
    consent.say([f"Plan for {agent.AGENT}:", "", *differences(plans)])
    consent.say([*backups(plans, now), *_told(agent, options), *_stored(), *marked(warnings), ""])
    if arguments.dry_run:
        consent.say(["Dry run: nothing was written."])
        return 0
    if not consent.given(arguments.yes):
        consent.say(["Nothing was written."])
        return 1
    _carry_out(agent, plans, options, now)
    consent.say(_done(agent, path, plans[0], is_trusted=arguments.trust))
    return 0


def _plan_trust(agent: SettingsFile, path: Path, plan: Plan) -> Plan:
    approval = registry.approval_of(agent.AGENT)
    if approval is None:
        raise UsageError(f"--trust: {agent.AGENT} runs its user's hooks without an approval")
    assert plan.after is not None
    return approval.plan_trust(path, plan.after, os.environ)


def _carry_out(agent: SettingsFile, plans: list[Plan], options: Options, now: datetime) -> None:
    """Try the hook, make our own folder if it is missing, and only then touch the settings."""
    hook_command.rehearse(agent)
    try:
        data_home.prepare()
    except OSError as error:
        raise UsageError(f"not installed, the settings are as they were: {error}") from None
    apply_all(plans, now, "installed")
    try:
        install_options.store(agent.AGENT, options)
    except OSError as error:
        raise UsageError(f"the hooks are installed, their options not stored: {error}") from None


def apply_all(plans: list[Plan], now: datetime, done: str) -> None:
    """Carry out each plan that changes something; raises UsageError naming what was left."""
    for plan in plans:
        if plan.changes_nothing:
            continue
        try:
            installation.apply(plan, now)
        except OSError as error:
            raise UsageError(f"not {done}, {plan.original.path} is as it was: {error}") from None


def differences(plans: list[Plan]) -> list[str]:
    """What would change in each file, as unified diffs."""
    lines: list[str] = []
    for plan in plans:
        if not plan.changes_nothing:
            name = str(plan.original.path)
            lines += [*consent.diff(name, plan.original.content, plan.after), ""]
    return lines


def backups(plans: list[Plan], now: datetime) -> list[str]:
    """Where the old files will be."""
    lines = []
    for plan in plans:
        if plan.original.content is None:
            lines.append(f"No backup: {plan.original.path.name} is new.")
        elif not plan.changes_nothing:
            backup = data_home.backup_path(plan.key, plan.original.path, now)
            lines.append(f"Backup of the file: {backup}")
    return lines


def moved(agent: SettingsFile, plan: Plan) -> list[str]:
    """Other people's hooks that the agent will ask to approve again."""
    approval = registry.approval_of(agent.AGENT)
    commands = approval.moved_strangers(plan.original.content, plan.after) if approval else []
    return [f"{agent.AGENT} will ask you to approve this hook again: {name}" for name in commands]


def marked(warnings: list[str]) -> list[str]:
    """The warnings as the commands print them."""
    return [f"Warning: {warning}" for warning in warnings]


def _told(agent: SettingsFile, options: Options) -> list[str]:
    """The options, and that a change of them starts the observation anew."""
    lines = [f"Option {line}" for line in options.told()]
    if options != install_options.of(agent.AGENT):
        lines += [f"Option --no-{name}" for name in _taken_back(agent, options)]
        lines.append("The options change what the hooks do: a new observation period begins.")
    return lines


def _taken_back(agent: SettingsFile, options: Options) -> list[str]:
    return [name for name in install_options.of(agent.AGENT).names() if name not in options.names()]


def _stored() -> list[str]:
    return [
        f"What the hooks store stays on this machine, for your eyes only, in {data_home.folder()}:",
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


def _done(agent: SettingsFile, path: Path, plan: Plan, is_trusted: bool) -> list[str]:
    approval = registry.approval_of(agent.AGENT)
    lines = [f"Installed in {path}; one trial run of the hook went well."]
    if approval is not None and is_trusted:
        lines.append("The approval of the hooks is recorded.")
    elif approval is not None and plan.after is not None:
        lines += approval.to_approve(path, plan.after)
    return [
        *lines,
        agent.AFTER_CHANGE,
        "Next: work as usual, and after some compactions run `compact-guard evaluate`.",
        f"To take it out: compact-guard uninstall {agent.AGENT}",
    ]

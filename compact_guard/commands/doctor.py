"""`compact-guard doctor`: what keeps the guard from working here, and how to mend it."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from compact_guard.agents import registry
from compact_guard.commands import chosen_hooks
from compact_guard.doctor import activity, entries, folders
from compact_guard.doctor.findings import Finding
from compact_guard.errors import UsageError
from compact_guard.install import consent
from compact_guard.install import planning as installation
from compact_guard.install.settings_file import SettingsFile

HELP = "find what keeps the hooks from working, each with its mend"

configure = chosen_hooks.configure


def run(arguments: argparse.Namespace) -> int:
    """0 all is well, 1 something is wrong; raises UsageError for a folder that is none."""
    project = installation.project_folder(arguments.project)
    agents = chosen_hooks.agents(arguments)
    found = list(examine(agents, project, is_named=arguments.agent is not None))
    problems = [finding for finding in found if not finding.is_note]
    if arguments.json:
        answer = {"ok": not problems, "findings": [finding.as_json() for finding in found]}
        sys.stdout.write(json.dumps(answer, indent=1) + "\n")
    else:
        consent.say(_told(found, len(problems)))
    return 1 if problems else 0


def examine(agents: Iterable[str], project: Path | None, is_named: bool) -> Iterable[Finding]:
    """Every finding about these agents, and about our own folders if any has the hooks."""
    has_any = False
    notes = []
    for name in agents:
        agent = registry.settings_of(name)
        path = agent.settings_path(project, os.environ)
        try:
            settings = entries.read(agent, path)
        except UsageError as error:
            yield Finding(name, "settings", str(error), "mend the file, then run this again")
            continue
        if settings.ours:
            has_any = True
            yield from _of_agent(agent, settings)
        else:
            problem = f"{path} has no hooks of compact-guard"
            mend = f"run `compact-guard install {name}`"
            notes.append(Finding(name, "not_installed", problem, mend, is_note=not is_named))
    yield from notes
    if has_any:
        yield from folders.findings()
    elif not is_named:
        mend = "run `compact-guard install AGENT`"
        yield Finding(None, "not_installed", "no agent has the hooks", mend)


def _of_agent(agent: SettingsFile, settings: entries.Settings) -> Iterable[Finding]:
    try:
        yield from entries.findings(agent, settings, os.environ)
    except UsageError as error:
        yield Finding(agent.AGENT, "settings", str(error), "mend that, then run this again")
    yield from activity.findings(agent, settings.path, os.environ, time.time())


def _told(found: list[Finding], count_problems: int) -> list[str]:
    lines = []
    for finding in sorted(found, key=lambda finding: finding.is_note):
        mark = "note" if finding.is_note else "WRONG"
        lines.append(f"{mark}  {finding.agent or 'compact-guard'}: {finding.problem}")
        lines.append(f"      -> {finding.mend}")
    if count_problems:
        return [*lines, "", f"{count_problems} wrong."]
    return [*lines, "All is well."]

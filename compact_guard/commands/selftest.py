"""`compact-guard selftest`: drive the installed hooks through one compaction, and look."""

import argparse
import json
import sys

from compact_guard.commands import chosen_hooks

HELP = "drive the installed hooks through one made-up compaction and check what they did"

configure = chosen_hooks.configure


def run(arguments: argparse.Namespace) -> int:
    """0 all is well, 1 something is wrong; raises UsageError for settings that cannot be read."""
    import os

    from compact_guard.install import consent, planning
    from compact_guard.selftest import report

    project = planning.project_folder(arguments.project)
    results = report.examine(chosen_hooks.agents(arguments), project, os.environ)
    is_well = all(not check.problem for result in results for check in result.checks)
    if arguments.json:
        answer = {"ok": is_well, "agents": [result.as_json() for result in results]}
        sys.stdout.write(json.dumps(answer, indent=1) + "\n")
    else:
        consent.say(report.told(results))
    return 0 if is_well else 1

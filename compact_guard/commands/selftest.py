"""`compact-guard selftest`: drive the installed hooks through one compaction, and look."""

import argparse
import json
import sys

from compact_guard.agents import registry

HELP = "drive the installed hooks through one made-up compaction and check what they did"


def configure(parser: argparse.ArgumentParser) -> None:
    """An agent (default: every one that has the hooks) and how to print."""
    parser.epilog = "Exit: 0 all is well, 1 something is wrong, 2 bad usage."
    parser.add_argument("agent", nargs="?", choices=registry.AGENTS)
    parser.add_argument(
        "--project",
        nargs="?",
        const=".",
        metavar="DIR",
        help="the hooks of the project in DIR (default: here) instead of the user's",
    )
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """0 all is well, 1 something is wrong; raises UsageError for settings that cannot be read."""
    import os

    from compact_guard.install import consent, planning
    from compact_guard.selftest import report

    project = planning.project_folder(arguments.project)
    agents = [arguments.agent] if arguments.agent else list(registry.AGENTS)
    results = report.examine(agents, project, os.environ)
    is_well = all(not check.problem for result in results for check in result.checks)
    if arguments.json:
        answer = {"ok": is_well, "agents": [result.as_json() for result in results]}
        sys.stdout.write(json.dumps(answer, indent=1) + "\n")
    else:
        consent.say(report.told(results))
    return 0 if is_well else 1

"""Which hooks a command is to look at: of which agent, of the user or of a project."""

import argparse

from compact_guard.agents import registry
from compact_guard.commands import shared_options


def configure(parser: argparse.ArgumentParser) -> None:
    """An agent (default: every one that has the hooks), whose settings, and how to print."""
    parser.epilog = "Exit: 0 all is well, 1 something is wrong, 2 bad usage."
    parser.add_argument("agent", nargs="?", choices=registry.AGENTS)
    shared_options.project(parser, "hooks")
    shared_options.json_output(parser)


def agents(arguments: argparse.Namespace) -> list[str]:
    """The one that was named, or all."""
    return [arguments.agent] if arguments.agent else list(registry.AGENTS)

"""The `compact-guard` command: find the subcommand, run it, turn its outcome into an exit code.

Every subcommand is one module of `compact_guard.commands` with `HELP`, `configure(parser)`
and `run(arguments) -> int`. Those modules import nothing heavy at their top, so that
`--help` answers at once.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from compact_guard.errors import BusyError, UsageError

COMMANDS = (
    "replay",
    "install",
    "uninstall",
    "doctor",
    "evaluate",
    "window",
    "simulate",
    "find",
    "redact",
    "selftest",
    "checkpoints",
    "last",
    "status",
    "revert",
    "serve",
    "hook",
)

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_BUSY = 75  # sysexits.h: a temporary failure, try again later
EXIT_INTERRUPTED = 130


def build_parser() -> argparse.ArgumentParser:
    """The whole command line, one subparser per module of `compact_guard.commands`."""
    parser = argparse.ArgumentParser(
        prog="compact-guard",
        description="Does your compaction safety net work? Hooks, and a verdict from real work.",
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in COMMANDS:
        module = importlib.import_module(f"compact_guard.commands.{name}")
        subparser = subparsers.add_parser(name, help=module.HELP, description=module.HELP)
        module.configure(subparser)
        subparser.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; its return value is the process's exit status."""
    parser = build_parser()
    arguments = parser.parse_args(argv)
    if arguments.version:
        from compact_guard.hook.limits import VERSION

        sys.stdout.write(f"compact-guard {VERSION}\n")
        return 0
    if arguments.command is None:
        parser.print_help()
        return EXIT_USAGE
    try:
        return int(arguments.run(arguments))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`); hand the rest of the output to nobody, quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_ERROR
    except (UsageError, BusyError, OSError) as error:
        # Never on standard output: a program reads an answer there, or nothing. What is none of
        # these nobody but us can mend: its traceback is the report.
        sys.stderr.write(f"compact-guard: {error}\n")
        return _status_of(error)


def _status_of(error: Exception) -> int:
    match error:
        case UsageError():
            return EXIT_USAGE
        case BusyError():
            return EXIT_BUSY
    return EXIT_ERROR

"""`compact-guard hook AGENT EVENT`: what the agents run, by hand."""

import argparse

HELP = "run one hook: a payload on stdin, at most one reply on stdout, exit status 0"


def configure(parser: argparse.ArgumentParser) -> None:
    """Takes anything: a hook must not fail for its arguments."""
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="AGENT EVENT",
        help="claude-code pre_compact",
    )


def run(arguments: argparse.Namespace) -> int:
    """Always 0."""
    from compact_guard.hook.run import main

    return main(arguments.words)

"""Options that several commands have, declared once."""

import argparse
from pathlib import Path


def json_output(parser: argparse.ArgumentParser) -> None:
    """`--json`, which every command that answers has."""
    parser.add_argument(
        "--json", action="store_true", help="print JSON on standard output and nothing else"
    )


def one_path(parser: argparse.ArgumentParser, name: str, metavar: str, words: str) -> None:
    """An option for one file or folder; None where it is not given."""
    parser.add_argument(name, type=Path, metavar=metavar, help=words)


def many_paths(parser: argparse.ArgumentParser, name: str, metavar: str, words: str) -> None:
    """An option that may be repeated; an empty list where it is not given."""
    parser.add_argument(name, type=Path, action="append", default=[], metavar=metavar, help=words)


def transcript_paths(parser: argparse.ArgumentParser) -> None:
    """The transcripts that a command is about, as plain arguments."""
    parser.add_argument(
        "paths",
        type=Path,
        nargs="*",
        metavar="PATH",
        help="transcripts, or folders of them (default: those of Claude Code and Codex)",
    )


def project(parser: argparse.ArgumentParser, what: str) -> None:
    """`--project [DIR]`: a project's `what` in place of the user's."""
    parser.add_argument(
        "--project",
        nargs="?",
        const=".",
        metavar="DIR",
        help=f"the {what} of the project in DIR (default: here) instead of the user's",
    )

"""`compact-guard find WORDS`: what was said in this session before the newest compaction."""

import argparse
import json
import sys
from pathlib import Path

HELP = "search what was said in a session before its newest compaction, redacted"

EXIT_NOTHING_FOUND = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of design.md section 8."""
    parser.epilog = "Exit: 0 found, 1 nothing found, 2 bad usage."
    parser.add_argument("words", nargs="+", metavar="WORD", help="all of them must be in a message")
    parser.add_argument(
        "--session",
        metavar="ID",
        help="the agent's session id (default: the running session, else this folder's newest)",
    )
    parser.add_argument("--transcript", type=Path, metavar="FILE", help="search this file")
    parser.add_argument(
        "--limit",
        type=_at_least_one,
        default=20,
        metavar="N",
        help="at most so many messages, the newest (default: %(default)s)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print a JSON list of {at, speaker, text}"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the messages, newest first; the exit status says whether there were any."""
    import os

    from compact_guard import finding

    # One argument may hold several words: `find "retry limit"` looks for both.
    words = [word for argument in arguments.words for word in argument.split()]
    session = finding.session(arguments.session, arguments.transcript, Path.cwd(), os.environ)
    found = finding.find(session, words, arguments.limit)
    if arguments.json:
        listed = [{"at": hit.at, "speaker": hit.speaker, "text": hit.text} for hit in found]
        sys.stdout.write(json.dumps(listed, ensure_ascii=False, indent=1) + "\n")
    else:
        for hit in found:
            text = "".join(c for c in hit.text if c.isprintable() or c in "\n\t")
            sys.stdout.write(f"{hit.speaker}, {hit.at or 'time unknown'}:\n{text}\n\n")
        if not found:
            sys.stderr.write(f"compact-guard: no message holds {' and '.join(words)}\n")
    return 0 if found else EXIT_NOTHING_FOUND


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number

"""`compact-guard replay`: what the guard would have saved, at every compaction so far."""

import argparse
import os
import shutil
import sys
from typing import TYPE_CHECKING

from compact_guard.commands import shared_options
from compact_guard.errors import UsageError

if TYPE_CHECKING:
    from compact_guard.replay.answer import Answer
    from compact_guard.replay.examples import Example

HELP = "show what checkpoints would have held at every compaction in your transcripts"

EXAMPLES = 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of design.md section 8."""
    parser.epilog = (
        "Reads only, and writes nothing. Exit: 0 replayed, also where there was no compaction yet; "
        "2 bad usage, or nothing was readable."
    )
    shared_options.transcript_paths(parser)
    parser.add_argument(
        "--show",
        type=_not_negative,
        default=EXAMPLES,
        metavar="N",
        help="quote N statements that the summaries lost (default: %(default)s)",
    )
    parser.add_argument(
        "--share",
        action="store_true",
        help="print numbers alone: no path, id, name, time or text",
    )
    shared_options.json_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay the transcripts and print what was found."""
    from compact_guard import progress
    from compact_guard.replay import answer, examples, sharing
    from compact_guard.transcripts import discovery, folders

    given = arguments.paths or folders.own()
    paths = discovery.find(given)
    if not paths:
        raise UsageError(f"no transcripts in {', '.join(map(str, given))}: name a PATH")
    total = sum(map(answer.size, paths))
    with progress.reading("replaying", is_wanted=not arguments.json, total=total) as advance:
        found = answer.replay(paths, advance)
    chosen = [] if arguments.share else examples.choose(found, arguments.show)
    if arguments.share:
        found = sharing.anonymous(found)
    if arguments.json:
        from compact_guard.replay import answer_json

        sys.stdout.write(answer_json.serialised(found, chosen))
    else:
        _tell(found, chosen, [] if arguments.share else _next_steps(found))
    return 0


def _tell(found: "Answer", chosen: "list[Example]", next_steps: list[str]) -> None:
    from compact_guard.install import consent
    from compact_guard.replay import answer_text
    from compact_guard.replay.terminal import Paint

    paint = Paint(is_wanted=consent.has_colours(sys.stdout, os.environ))
    columns = shutil.get_terminal_size().columns
    consent.say(answer_text.lines(found, chosen, columns, paint, next_steps))


def _next_steps(found: "Answer") -> list[str]:
    """The plans of the hooks, for the agents that were compacted and have none of ours yet."""
    from compact_guard.operate import installed

    agents = dict.fromkeys(file.agent for file in found.files if file.agent and file.boundaries)
    try:
        missing = [agent for agent in agents if not installed.places(agent)]
    except UsageError:
        return []  # `doctor` has more to say about that
    return [f"compact-guard install {agent} --dry-run" for agent in missing]


def _not_negative(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("0 or more")
    return number

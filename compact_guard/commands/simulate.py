"""`compact-guard simulate`: what your sessions would have cost at another window."""

import argparse
import sys

from compact_guard.commands.window import request_of, require_study, telling, what_to_study
from compact_guard.window import window_range

HELP = "replay your sessions against other windows, and find the best one"


def configure(parser: argparse.ArgumentParser) -> None:
    """What to replay, and against which windows."""
    parser.epilog = (
        "A window here is the context at which compaction begins. "
        "Exit: 0 with the numbers, 2 where nothing was readable."
    )
    what_to_study(parser)
    parser.add_argument(
        "--windows",
        type=window_range.windows,
        default=window_range.EVERYTHING,
        metavar="RANGE",
        help="windows to try: 50k..1M, or a list like 100k,200k (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Study the transcripts, replay them and print what came out."""
    require_study()
    import orjson

    from compact_guard.window import simulation, simulation_text

    request = request_of(arguments)
    question = simulation.Question(arguments.windows, arguments.hour)
    with telling(is_wanted=not arguments.json) as tell:
        simulated = simulation.answer(request, question, tell)
    if arguments.json:
        sys.stdout.buffer.write(
            orjson.dumps(simulated, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )
    else:
        sys.stdout.write(simulation_text.summary(simulated))
    return 0

"""`compact-guard simulate`: what your sessions would have cost at another window."""

import argparse
import sys
from pathlib import Path

from compact_guard.commands.evaluate import utc_time
from compact_guard.commands.window import require_study, telling
from compact_guard.window import window_range

HELP = "replay your sessions against other windows, and find the best one"


def configure(parser: argparse.ArgumentParser) -> None:
    """What to replay, and against which windows."""
    parser.epilog = (
        "A window here is the context at which compaction begins. "
        "Exit: 0 with the numbers, 2 where nothing was readable."
    )
    parser.add_argument(
        "paths",
        type=Path,
        nargs="*",
        metavar="PATH",
        help="transcripts, or folders of them (default: those of Claude Code and Codex)",
    )
    parser.add_argument(
        "--windows",
        type=window_range.windows,
        default=window_range.EVERYTHING,
        metavar="RANGE",
        help="windows to try: 50k..1M, or a list like 100k,200k (default: %(default)s)",
    )
    parser.add_argument(
        "--hour",
        type=dollars,
        default=0.0,
        metavar="USD",
        help="what an hour of waiting costs you (default: nothing)",
    )
    parser.add_argument(
        "--change",
        type=utc_time,
        metavar="TIME",
        help="when the window changed, for the back-test (default: proposed from what is seen)",
    )
    parser.add_argument(
        "--prices", type=Path, metavar="FILE", help="TOML with prices that replace the library's"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="read every transcript anew and keep nothing"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON on standard output and nothing else"
    )


def dollars(text: str) -> float:
    """A price that is not negative; for argparse."""
    value = float(text)
    if not 0 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no price in US dollars")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Study the transcripts, replay them and print what came out."""
    require_study()
    import orjson

    from compact_guard.window import scan, scan_cache, simulation, simulation_text, study

    request = study.Request(
        paths=tuple(arguments.paths or scan.default_folders()),
        prices=arguments.prices,
        cache=None if arguments.no_cache else scan_cache.default_file(),
        change=arguments.change,
    )
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

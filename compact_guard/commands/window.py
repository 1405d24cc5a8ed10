"""`compact-guard window`: what compaction costs, from the agents' own transcripts."""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from compact_guard.commands import shared_options
from compact_guard.commands.evaluate import utc_time

if TYPE_CHECKING:
    from compact_guard.window import study

HELP = "study what compactions cost, by the agents' own transcripts"


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of design.md section 8."""
    parser.epilog = (
        "Exit: 0 with the numbers, whatever the verdict; 2 where nothing was readable. "
        "The verdict, on the cost of a turn before and after a change of window, is in the JSON. "
        "Prices come from genai-prices; --prices FILE is TOML, one [[price]] table per model."
    )
    what_to_study(parser)
    shared_options.one_path(
        parser,
        "--reports",
        "DIR",
        "write <date>-window.md and its charts there (default: no report)",
    )
    parser.add_argument(
        "--html", action="store_true", help="with --reports, also one HTML file with everything"
    )
    shared_options.one_path(parser, "--warehouse", "FILE", "keep the DuckDB file (default: none)")
    parser.add_argument(
        "--share",
        action="store_true",
        help="print JSON with ratios alone: no money, size, time, name or count",
    )


def what_to_study(parser: argparse.ArgumentParser) -> None:
    """Options of every command that rests on a study."""
    shared_options.transcript_paths(parser)
    shared_options.one_path(
        parser, "--prices", "FILE", "TOML with prices that replace the library's"
    )
    parser.add_argument(
        "--hour",
        type=dollars,
        default=0.0,
        metavar="USD",
        help="what an hour of waiting costs you, for the simulation (default: nothing)",
    )
    shared_options.one_path(
        parser, "--policy", "FILE", "TOML that overrides what a verdict demands"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="read every transcript anew and keep nothing"
    )
    shared_options.json_output(parser)
    _when_it_changed(parser)


def _when_it_changed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--change",
        type=utc_time,
        metavar="TIME",
        help="when the window changed, ISO 8601 in UTC (default: as settings tell, else as seen)",
    )
    shared_options.many_paths(
        parser,
        "--settings",
        "FILE",
        "a settings file whose versions tell of the window, beside your own; may be repeated",
    )


def run(arguments: argparse.Namespace) -> int:
    """Study the transcripts and print the answer."""
    require_study()
    from compact_guard.window import study

    request = request_of(arguments, arguments.warehouse)
    with telling(is_wanted=not arguments.json) as tell:
        answer = study.answer(request, tell)
    file = _reported(answer, request, arguments) if arguments.reports else None
    if arguments.share:
        from compact_guard.window import share

        sys.stdout.buffer.write(share.ratios(answer))
    elif arguments.json:
        sys.stdout.buffer.write(answer)
    else:
        from compact_guard.window import study_text

        sys.stdout.write(study_text.summary(answer))
        sys.stdout.write(f"report: {file}\n" if file else "")
    return 0


def request_of(arguments: argparse.Namespace, warehouse: Path | None = None) -> "study.Request":
    """What the options of `what_to_study` ask for."""
    from compact_guard.window import scan, scan_cache, study

    return study.Request(
        paths=tuple(arguments.paths or scan.default_folders()),
        prices=arguments.prices,
        cache=None if arguments.no_cache or warehouse else scan_cache.default_file(),
        warehouse=warehouse,
        change=arguments.change,
        policy=arguments.policy,
        settings=tuple(arguments.settings),
    )


def dollars(text: str) -> float:
    """A price that is not negative; for argparse."""
    value = float(text)
    if not 0 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no price in US dollars")
    return value


@contextmanager
def telling(*, is_wanted: bool) -> Iterator[Callable[[Path], None]]:
    """What to call with each transcript that is done, for whoever waits at a terminal."""
    from compact_guard import progress

    with progress.reading("reading transcripts", is_wanted=is_wanted) as advance:

        def tell(path: Path) -> None:
            with suppress(OSError):
                advance(path.stat().st_size)

        yield tell


def _reported(answer: bytes, request: "study.Request", arguments: argparse.Namespace) -> Path:
    from compact_guard.window import simulation, study_report, window_range

    windows = window_range.windows(window_range.EVERYTHING)
    question = simulation.Question(windows, arguments.hour)
    return study_report.write(
        answer,
        arguments.reports,
        datetime.now(UTC).date(),
        simulated=simulation.answer(request, question),
        is_html_wanted=arguments.html,
    )


def require_study() -> None:
    """Raise UsageError, naming the mend, where the study's packages are not installed."""
    from importlib.util import find_spec

    from compact_guard.errors import UsageError

    names = ("duckdb", "genai_prices", "msgspec", "numpy", "orjson", "stringzilla")
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the study needs {', '.join(missing)}: pip install 'compact-guard[evaluator]'"
        )

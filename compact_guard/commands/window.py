"""`compact-guard window`: what compaction costs, from the agents' own transcripts."""

import argparse
import sys
from pathlib import Path

HELP = "study what compactions cost, by the agents' own transcripts"


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of design.md section 8."""
    parser.epilog = (
        "Exit: 0 with the numbers, 2 where nothing was readable. "
        "Prices come from genai-prices; --prices FILE is TOML, one [[price]] table per model."
    )
    parser.add_argument(
        "paths",
        type=Path,
        nargs="*",
        metavar="PATH",
        help="transcripts, or folders of them (default: those of Claude Code and Codex)",
    )
    parser.add_argument(
        "--prices", type=Path, metavar="FILE", help="TOML with prices that replace the library's"
    )
    parser.add_argument(
        "--warehouse", type=Path, metavar="FILE", help="keep the DuckDB file (default: none)"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="read every transcript anew and keep nothing"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON on standard output and nothing else"
    )


def run(arguments: argparse.Namespace) -> int:
    """Study the transcripts and print the answer."""
    require_study()
    from compact_guard.window import scan, scan_cache, study

    request = study.Request(
        paths=tuple(arguments.paths or scan.default_folders()),
        prices=arguments.prices,
        cache=None if arguments.no_cache or arguments.warehouse else scan_cache.default_file(),
        warehouse=arguments.warehouse,
    )
    answer = study.answer(request)
    if arguments.json:
        sys.stdout.buffer.write(answer)
    else:
        from compact_guard.window import study_text

        sys.stdout.write(study_text.summary(answer))
    return 0


def require_study() -> None:
    """Raise UsageError, naming the mend, where the study's packages are not installed."""
    from importlib.util import find_spec

    from compact_guard.errors import UsageError

    names = ("duckdb", "genai_prices", "msgspec", "orjson")
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the study needs {', '.join(missing)}: pip install 'compact-guard[evaluator]'"
        )

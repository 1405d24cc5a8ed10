"""What a replay says in words: counts of things, and why something was left out."""

from collections import Counter
from collections.abc import Iterable

from compact_guard.replay.rows import File

_SINGULAR = {"evidence": "piece of evidence", "recent": "recent statement"}
_PLURAL = {"evidence": "pieces of evidence", "recent": "recent statements"}
_FILES = {
    "subagent": "of subagents",
    "foreign": "of no agent that is known here",
    "empty": "without a single record",
    "no_access": "that cannot be opened",
    "endless_line": "without a line end",
    "no_zstandard": "compressed with Zstandard (pip install backports-zstd)",
}
_LINES = {
    "damaged": "damaged",
    "too_long": "too long for the guard",
    "broken_off": "where a compressed file breaks off",
}


def counted(number: int, thing: str) -> str:
    """`1 file`, `2,000 files`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def sized(size_bytes: int) -> str:
    """`1,234.5 MB`, or `12 kB` below a tenth of that unit."""
    return f"{size_bytes / 1e6:,.1f} MB" if size_bytes >= 100_000 else f"{size_bytes / 1e3:.0f} kB"


def ranked(counts: dict[str, int]) -> str:
    """`2 corrections, 1 decision and 3 pieces of evidence`: the ranks that have any."""
    told = [
        f"{number:,} {_SINGULAR.get(rank, rank.removesuffix('s'))}"
        if number == 1
        else f"{number:,} {_PLURAL.get(rank, rank)}"
        for rank, number in counts.items()
        if number
    ]
    return listed(told) or "nothing"


def listed(words: list[str]) -> str:
    """`a, b and c`."""
    *first, last = words or [""]
    return f"{', '.join(first)} and {last}" if first else last


def skipped_files(files: Iterable[File]) -> str:
    """`2 files of subagents, 1 file that cannot be opened`; empty if none was skipped."""
    reasons = Counter(file.skipped for file in files if file.skipped)
    return ", ".join(
        f"{counted(number, 'file')} {_FILES[reason]}" for reason, number in reasons.most_common()
    )


def unreadable_lines(files: Iterable[File]) -> str:
    """`3 lines damaged`; empty if every line was read."""
    reasons: Counter[str] = Counter()
    for file in files:
        reasons.update(file.unreadable)
    return ", ".join(
        f"{counted(number, 'line')} {_LINES[reason]}" for reason, number in reasons.most_common()
    )

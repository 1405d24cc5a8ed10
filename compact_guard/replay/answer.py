"""Replay many transcripts: in several processes where that pays, each boundary counted once."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from compact_guard.errors import UsageError
from compact_guard.replay import phrases, session
from compact_guard.replay.rows import Boundary, File
from compact_guard.replay.session import Advance

# Below it, starting processes takes longer than they save.
_PARALLEL_BYTES_MIN = 32 << 20
_TOLD_AGAIN_SECONDS = 0.5


@dataclass(frozen=True)
class Answer:
    """Every file given, in the order of its first compaction; `seconds` is how long it took."""

    files: tuple[File, ...]
    seconds: float


def replay(paths: list[Path], advance: Advance) -> Answer:
    """Replay these files. `advance` is called with numbers of bytes, as they lie on the disk.

    Raises UsageError where none is a transcript that can be read.
    """
    began = time.monotonic()
    processes = min(len(paths), os.cpu_count() or 1)
    if processes > 1 and sum(map(size, paths)) >= _PARALLEL_BYTES_MIN:
        files = list(_side_by_side(paths, processes, advance))
    else:
        files = list(_one_by_one(paths, advance))
    if files and all(file.skipped and file.skipped != "subagent" for file in files):
        raise UsageError(f"nothing to replay: {phrases.skipped_files(files)}")
    return Answer(_each_once(files), time.monotonic() - began)


def _one_by_one(paths: list[Path], advance: Advance) -> Iterator[File]:
    for path in paths:
        is_plain = path.suffix == ".jsonl"  # of a compressed file the size is another
        yield session.replay(path, advance) if is_plain else session.replay(path)
        if not is_plain:
            advance(size(path))


def _side_by_side(paths: list[Path], processes: int, advance: Advance) -> Iterator[File]:
    """The largest first, so that none is left to the end."""
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_die_silently)
    largest_first = sorted(paths, key=size, reverse=True)
    try:
        # What starts here inherits that it hears of Ctrl-C only when it knows what to do then.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            pending = {pool.submit(session.replay, path) for path in largest_first}
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        while pending:
            done, pending = wait(pending, _TOLD_AGAIN_SECONDS, FIRST_COMPLETED)
            advance(0)  # somebody waits, though none may be done for a while
            for file in (future.result() for future in done):
                advance(file.size_bytes)
                yield file
    finally:
        pool.shutdown(cancel_futures=True)


def _die_silently() -> None:
    """On Ctrl-C every process is told; only the first one has something to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def size(path: Path) -> int:
    """Bytes on the disk; 0 for what cannot be looked at."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _each_once(files: list[File]) -> tuple[File, ...]:
    """Forks and snapshots repeat boundaries of another file: those are marked as copies."""
    seen: set[tuple[str | None, str]] = set()
    marked = []
    for file in sorted(files, key=_order):
        found = tuple(_marked(file.agent, boundary, seen) for boundary in file.boundaries)
        marked.append(replace(file, boundaries=found))
    return tuple(marked)


def _marked(agent: str | None, boundary: Boundary, seen: set[tuple[str | None, str]]) -> Boundary:
    key = (agent, boundary.key)
    is_copy = key in seen
    seen.add(key)
    return replace(boundary, is_copy=is_copy) if is_copy else boundary


def _order(file: File) -> tuple[str, str]:
    times = [boundary.at.isoformat() for boundary in file.boundaries if boundary.at]
    return min(times, default=""), file.path

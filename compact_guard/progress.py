"""A line on standard error for whoever waits at a terminal; silence in pipes and with --json."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

Advance = Callable[[int], object]

_SILENT_SECONDS = 1.0  # nobody wants a bar for what is done before it is seen


def silent(_bytes_read: int) -> None:
    """Shows nothing."""


def tell(line: str) -> None:
    """One line for the person at the terminal, if there is one."""
    if sys.stderr.isatty():
        sys.stderr.write(f"compact-guard: {line}\n")


def warn(line: str) -> None:
    """One line that nobody must miss, wherever standard error goes."""
    sys.stderr.write(f"compact-guard: WARNING: {line}\n")


@contextmanager
def reading(what: str, *, is_wanted: bool, total: int | None = None) -> Iterator[Advance]:
    """Hands out what to call with each number of bytes read; shows them once it takes long.

    `total` bytes are to be read, if that is known.
    """
    if not is_wanted or not sys.stderr.isatty():
        yield silent
        return
    bar = _Bar(what, total)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Shown(NamedTuple):
    update: Callable[[int], object]  # with all bytes read so far
    stop: Callable[[], object]


class _Bar:
    """How much was read; rich is loaded and shown only when a second has passed."""

    def __init__(self, what: str, total: int | None) -> None:
        self.what = what
        self.total = total
        self.begun = time.monotonic()
        self.bytes_read = 0
        self.shown: _Shown | None = None

    def advance(self, bytes_read: int) -> None:
        self.bytes_read += bytes_read
        if self.shown is None and time.monotonic() - self.begun > _SILENT_SECONDS:
            self.shown = self._show()
        if self.shown is not None:
            self.shown.update(self.bytes_read)

    def close(self) -> None:
        if self.shown is not None:
            self.shown.stop()

    def _show(self) -> "_Shown":
        try:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                DownloadColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
                TransferSpeedColumn,
            )
        except ImportError:
            line = _Line(self.what, self.total)
            return _Shown(line.update, line.stop)
        shown = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            *([BarColumn()] if self.total else []),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        task = shown.add_task(self.what, total=self.total)
        shown.start()
        return _Shown(lambda bytes_read: shown.update(task, completed=bytes_read), shown.stop)


class _Line:
    """What the base installation shows, which has no rich: one line that is written over."""

    def __init__(self, what: str, total: int | None) -> None:
        self.what = what
        self.of_total = f" of {total / 1e6:,.0f}" if total else ""
        self.width = 0

    def update(self, bytes_read: int) -> None:
        line = f"{self.what}: {bytes_read / 1e6:,.0f}{self.of_total} MB"
        self.width = max(self.width, len(line))
        sys.stderr.write(f"\r{line}")
        sys.stderr.flush()

    def stop(self) -> None:
        sys.stderr.write(f"\r{' ' * self.width}\r")
        sys.stderr.flush()

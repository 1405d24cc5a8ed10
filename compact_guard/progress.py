"""A line on standard error for whoever waits at a terminal; silence in pipes and with --json."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

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
def reading(what: str, *, is_wanted: bool) -> Iterator[Advance]:
    """Hands out what to call with each number of bytes read; shows them once it takes long."""
    if not is_wanted or not sys.stderr.isatty():
        yield silent
        return
    bar = _Bar(what)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """How much was read; rich is loaded and shown only when a second has passed."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.begun = time.monotonic()
        self.bytes_read = 0
        self.shown: Progress | None = None

    def advance(self, bytes_read: int) -> None:
        self.bytes_read += bytes_read
        if self.shown is None and time.monotonic() - self.begun > _SILENT_SECONDS:
            self.shown = self._show()
        if self.shown is not None:
            self.shown.update(self.shown.task_ids[0], completed=self.bytes_read)

    def close(self) -> None:
        if self.shown is not None:
            self.shown.stop()

    def _show(self) -> "Progress":
        from rich.console import Console
        from rich.progress import (
            DownloadColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TransferSpeedColumn,
        )

        shown = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        shown.add_task(self.what, total=None)
        shown.start()
        return shown

"""What may fail without harm: given some seconds, and given up for good after the first failure.

A Prefect server that hangs costs a client minutes for every call. The verdict is written by
then, and nobody should wait for its picture.
"""

import contextvars
import threading
from collections.abc import Callable

from compact_guard import progress

SECONDS_MAX = 20.0


class BestEffort:
    """Calls that are made as long as they work."""

    def __init__(self, seconds_max: float = SECONDS_MAX) -> None:
        self.seconds_max = seconds_max
        self.is_given_up = False

    def __call__(self, call: Callable[[], object]) -> bool:
        """Whether it was done; raises nothing."""
        if self.is_given_up:
            return False
        complaints: list[str] = ["no answer"]
        thread = threading.Thread(
            target=contextvars.copy_context().run, args=(_noting, call, complaints), daemon=True
        )
        thread.start()
        thread.join(self.seconds_max)
        if complaints:
            self.is_given_up = True
            progress.warn(f"Prefect shows less of this run than it could: {complaints[0]}")
        return not complaints


def _noting(call: Callable[[], object], complaints: list[str]) -> None:
    try:
        call()
    except Exception as error:
        complaints[0] = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    else:
        complaints.clear()

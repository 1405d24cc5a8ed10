"""What the agent reads from us: whole, or not at all."""

import select

from compact_guard.hook import deadline, storage

STDOUT = 1
_READER_SECONDS_MAX = 0.5  # an agent that reads at all empties the pipe at once


def write(text: str) -> None:
    """All of it or an OSError. From here on no deadline of ours may leave half of it."""
    if not select.select([], [STDOUT], [], _READER_SECONDS_MAX)[1]:
        raise OSError("nobody reads the reply")
    deadline.disarm()
    storage.write_all(STDOUT, text.encode())

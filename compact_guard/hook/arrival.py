"""Did a text arrive whose hook died behind its print? Some agents hear such a hook, others do not.

Only the transcript knows, and only a claim that outlived its process gives reason to ask it.
"""

from compact_guard.hook.limits import ARRIVAL_BYTES_MAX
from compact_guard.hook.transcript import objects_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.transcript import Transcript


def is_recorded(
    transcript: "Transcript", adapter: "HookAdapter", checkpoint_hash: str, since: int
) -> bool:
    """Whether the agent noted, after the offset `since`, that a hook gave it this checkpoint."""
    mark = checkpoint_hash.encode()
    return any(
        line is not None and mark in line and _is_noted(line, adapter, checkpoint_hash)
        for line in _lines_since(transcript, since)
    )


def is_absent(
    transcript: "Transcript", adapter: "HookAdapter", checkpoint_hash: str, since: int
) -> bool:
    """Whether it surely noted no such thing: every line since then is there and was looked at."""
    if transcript.complete_bytes - since > ARRIVAL_BYTES_MAX:
        return False
    mark = checkpoint_hash.encode()
    return all(
        line is not None and not (mark in line and _is_noted(line, adapter, checkpoint_hash))
        for line in _lines_since(transcript, since)
    )


def _lines_since(transcript: "Transcript", since: int) -> "Iterator[bytes | None]":
    bytes_max = min(ARRIVAL_BYTES_MAX, transcript.complete_bytes - since + (since > 0))
    return (line for _, line in transcript.lines_backward(bytes_max))


def _is_noted(line: bytes, adapter: "HookAdapter", checkpoint_hash: str) -> bool:
    return any(
        checkpoint_hash in text
        for _, record in objects_in(line)[0]
        for text in adapter.injected_in(record)
    )

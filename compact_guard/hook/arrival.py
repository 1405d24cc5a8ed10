"""Did a text arrive whose hook died behind its print? Some agents hear such a hook, others do not.

Only the transcript knows, and only a claim that outlived its process gives reason to ask it.
"""

from compact_guard.hook.limits import ARRIVAL_BYTES_MAX
from compact_guard.hook.transcript import objects_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.transcript import Transcript


def is_recorded(
    transcript: "Transcript", adapter: "HookAdapter", checkpoint_hash: str, since: int
) -> bool:
    """Whether the agent noted, after the offset `since`, that a hook gave it this checkpoint."""
    mark = checkpoint_hash.encode()
    bytes_max = min(ARRIVAL_BYTES_MAX, transcript.complete_bytes - since + (since > 0))
    for _, line in transcript.lines_backward(bytes_max):
        for _, record in objects_in(line)[0] if line is not None and mark in line else ():
            if any(checkpoint_hash in text for text in adapter.injected_in(record)):
                return True
    return False

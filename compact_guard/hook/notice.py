"""One line to the person after a compaction, where they chose it; never to the model.

An agent whose PostCompact can speak to the person alone is given the line at once. For others
it waits in the session's folder until the turn ends.
"""

import os

from compact_guard.hook import begun, checkpoint, reply, storage
from compact_guard.hook.limits import CHECKPOINT_AGE_SECONDS_MAX, NOTICE_BYTES_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter

_FILE = "notice.txt"
_FAILED = (
    "compact-guard: nothing could be saved before this compaction; `compact-guard doctor` tells why"
)


def after_receipt(
    adapter: "HookAdapter",
    row: "dict[str, Any]",
    saved: "checkpoint.Saved | None",
    items: "list[dict[str, Any]]",
) -> None:
    """Tell of the compaction that the receipt `row` is of. Raises nothing."""
    try:
        if begun.has_failed(row["session_hash"]):
            _tell(_FAILED, adapter, row)
        elif saved is not None and storage.is_first(saved.told_file, CHECKPOINT_AGE_SECONDS_MAX):
            _tell(_line(adapter, row, saved, items), adapter, row)
    except OSError:
        return  # a line to a person is worth no failed row


def at_turn_end(adapter: "HookAdapter", session_hash: str) -> None:
    """Print the line that waits for this session, if one does. Raises OSError."""
    waiting = os.path.join(checkpoint.session_folder(session_hash), _FILE)
    if not os.path.lexists(waiting):
        return
    taken = f"{waiting}.{os.getpid()}"
    os.rename(waiting, taken)  # of two runs one can do this
    line = storage.read_private(taken, NOTICE_BYTES_MAX).decode()
    storage.remove_quietly(taken)
    reply.write(adapter.render_notice(line))


def _tell(line: str, adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    if adapter.TELLS_AT_RECEIPT:
        reply.write(adapter.render_notice(line))
        return
    folder = checkpoint.open_session_folder(row["session_hash"])
    storage.write_private(os.path.join(folder, _FILE), line.encode(), is_durable=False)


def _line(
    adapter: "HookAdapter",
    row: "dict[str, Any]",
    saved: checkpoint.Saved,
    items: "list[dict[str, Any]]",
) -> str:
    count, lost = _items(len(items)), _lost(row["counts"])
    if os.path.lexists(saved.used_file):
        return f"compact-guard: {count} given back; {lost}"
    if adapter.BOUNDARY_COMES_FIRST:  # the receipt is written before the delivery is due
        return f"compact-guard: {count} saved, to be given back; {lost}"
    return f"compact-guard: {count} saved but not given back; `compact-guard doctor` may tell why"


def _lost(counts: "dict[str, Any]") -> str:
    rescued = {
        name.removeprefix("rescued_"): count
        for name, count in counts.items()
        if name.startswith("rescued_")
    }
    if None in rescued.values() or not rescued:
        return "what the summary lost of them cannot be read here"
    named = [f"{rank}: {count}" for rank, count in rescued.items() if count]
    if not named:
        return "the summary has lost none of them"
    return f"the summary has lost {sum(rescued.values())} of them ({', '.join(named)})"


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"

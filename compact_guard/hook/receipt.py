"""PostCompact: the compaction finished. Counts only, never a word of the summary."""

from compact_guard.hook import boundary, checkpoint, configuration, storage
from compact_guard.hook.configuration import NOTICE_OPTION
from compact_guard.hook.delivery import look_at_transcript
from compact_guard.hook.transcript import objects_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import CompactionFinished
    from compact_guard.hook.transcript import Transcript


def write(event: "CompactionFinished", adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Tell `row` that the compaction finished, and what its summary left to the checkpoint."""
    transcript = look_at_transcript(event, adapter, row)
    row["counts"]["summary_characters"] = event.summary_characters
    row["outcome"] = "recorded"
    saved, items = None, []
    try:
        saved, content = _checkpoint(adapter.AGENT, row)
        items = content["items"]
        if adapter.BOUNDARY_COMES_FIRST and content["turn_hash"] == row["turn_hash"]:
            # For a resume to find; other agents deliver the checkpoint before the receipt.
            storage.write_private(saved.receipt_file, b"", is_durable=False)
        _count_rescued(content, event.summary or _in_clear(transcript, adapter, row), row)
    except (LookupError, OSError, ValueError, TypeError, checkpoint.Refused):
        pass  # the receipt is a row first of all
    if configuration.is_on(adapter.AGENT, NOTICE_OPTION):
        from compact_guard.hook import notice

        notice.after_receipt(adapter, row, saved, items)


def _checkpoint(agent: str, row: "dict[str, Any]") -> "tuple[checkpoint.Saved, dict[str, Any]]":
    """The session's newest checkpoint. Raises LookupError, Refused, OSError, ValueError."""
    for saved in checkpoint.all_saved(checkpoint.session_folder(row["session_hash"])):
        content = checkpoint.load(saved, agent, row["session_hash"])
        if content["transcript_hash"] == row["transcript_hash"]:
            return saved, content
    raise LookupError("no checkpoint")


def _count_rescued(content: "dict[str, Any]", summary: str | None, row: "dict[str, Any]") -> None:
    """Null for every rank where the summary cannot be read."""
    from compact_guard.hook import rescue  # weighs as much as all else a receipt needs

    ranks = dict.fromkeys({item["rank"] for item in content["items"]})
    counts = rescue.count_rescued(content["items"], summary) if summary else ranks
    for rank in ranks:
        row["counts"][f"rescued_{rank}"] = counts[rank]


def _in_clear(
    transcript: "Transcript | None", adapter: "HookAdapter", row: "dict[str, Any]"
) -> str | None:
    """The summary in the newest boundary's record, where the agent has written it by now."""
    if transcript is None or not adapter.BOUNDARY_COMES_FIRST:
        return None
    folder = checkpoint.session_folder(row["session_hash"])
    newest = boundary.newest_boundary(transcript, row["transcript_hash"], adapter, folder)
    if newest is None or newest == boundary.UNKNOWN:
        return None
    start, line = transcript.line_around(newest)
    for offset, record in objects_in(line or b"")[0]:
        if start + offset == newest:
            return adapter.summary_in(record)
    return None

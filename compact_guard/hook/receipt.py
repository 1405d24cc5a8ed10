"""PostCompact: the compaction finished. Counts only, never a word of the summary."""

from compact_guard.hook.delivery import look_at_transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.agents.contract import HookAdapter
    from compact_guard.hook.events import CompactionFinished


def write(event: "CompactionFinished", adapter: "HookAdapter", row: "dict[str, Any]") -> None:
    """Tell `row` that the compaction finished and how long its summary is."""
    look_at_transcript(event, adapter, row)
    row["counts"]["summary_characters"] = event.summary_characters
    row["outcome"] = "recorded"

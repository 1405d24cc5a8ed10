"""What the guard costs and gives back, as far as the audit rows of the present period say."""

from typing import Any

from compact_guard.evaluator.marts import Row
from compact_guard.report.phrases import counted

CHARACTERS_PER_TOKEN = 4  # English prose and code; Chinese and Russian take more tokens

_RANKS = ("corrections", "decisions", "constraints", "tasks", "evidence", "recent")
_HOOKS = (
    ("pre_compact", "before a compaction"),
    ("post_compact", "after it"),
    ("session_start", "when the session goes on"),
)


def section(costs: Row | None) -> dict[str, Any] | None:
    """Times of the hooks, size of what they inject, and what it rescued; None without rows."""
    if costs is None:
        return None
    return {"times": _times(costs), "size": _size(costs), "rescued": _rescued(costs)}


def _times(costs: Row) -> list[tuple[str, str, str]]:
    return [
        (words, f"{costs[f'{hook}_ms_median']:.0f} ms", f"{costs[f'{hook}_ms_p90']:.0f} ms")
        for hook, words in _HOOKS
        if costs[f"{hook}_ms_median"] is not None
    ]


def _size(costs: Row) -> str:
    if not costs["count_injections_measured"]:
        return "How long the injected texts were, no row says."
    median, most = costs["injected_characters_median"], costs["injected_characters_max"]
    return (
        f"An injected checkpoint takes about {median / CHARACTERS_PER_TOKEN:,.0f} tokens of the "
        f"new context ({median:,.0f} characters, counted as {CHARACTERS_PER_TOKEN} to a token; "
        f"median of {counted(costs['count_injections_measured'], 'injection')}), the largest one "
        f"about {most / CHARACTERS_PER_TOKEN:,.0f}."
    )


def _rescued(costs: Row) -> str:
    if not costs["count_receipts_measured"]:
        return "What the native summaries lost and the checkpoints gave back, no row says."
    ranks = [
        f"{costs[f'rescued_{rank}']:.0f} {rank}" for rank in _RANKS if costs[f"rescued_{rank}"]
    ]
    return (
        f"In {counted(costs['count_receipts_measured'], 'compaction')} where the agent hands its "
        f"summary over, the checkpoints gave back what neither the summary nor the messages kept "
        f"beside it held: {', '.join(ranks) or 'nothing'}."
    )

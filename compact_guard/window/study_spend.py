"""Where the money went, summed from the bands of a study."""

from collections import defaultdict
from typing import Any

Study = dict[str, Any]

_SUMMED = ("turns", "unpriced_turns", "cost_usd")


def spend_by(bands: list[Study], key: str) -> list[Study]:
    """Turns, unpriced turns, dollars and their share of all, summed by one field of a band."""
    sums: dict[Any, Study] = defaultdict(lambda: dict.fromkeys(_SUMMED, 0))
    for band in bands:
        for name in _SUMMED:
            sums[band[key]][name] += band[name]
    total = sum(row["cost_usd"] for row in sums.values())
    # What has no readable time comes first.
    return [
        {"key": name, "share": row["cost_usd"] / total if total else None, **row}
        for name, row in sorted(sums.items(), key=lambda item: (item[0] is not None, item[0]))
    ]

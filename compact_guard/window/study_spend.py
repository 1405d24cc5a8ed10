"""Where the money went, summed from the bands of a study."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

Study = dict[str, Any]

DAYS_MAX = 31  # a month of days; what is older is told by the month
COLUMNS_MAX = 6  # a wider table does not fit a page

_SUMMED = ("turns", "unpriced_turns", "cost_usd")


def spend_by(bands: list[Study], key: str) -> list[Study]:
    """Turns, unpriced turns, dollars and their share of all, summed by one field of a band."""
    return _summed(bands, lambda band: band[key])


def spend_by_day(bands: list[Study]) -> Study:
    """`rows` by day, the old ones by month, each with its dollars by size of context: `cells`.

    `columns` are where the sizes begin, in tokens; the last one holds all that is larger.
    """
    days = sorted({band["date"] for band in bands if band["date"]})
    oldest = days[-DAYS_MAX] if len(days) > DAYS_MAX else ""
    columns = sorted({band["context_from"] for band in bands if band["cost_usd"]})[:COLUMNS_MAX]

    def named(band: Study) -> str | None:
        day: str | None = band["date"]
        return day if day is None or day >= oldest else day[:7]

    rows = _summed(bands, named)
    cells: dict[Any, list[float]] = {row["key"]: [0.0] * len(columns) for row in rows}
    for band in bands:
        numbers = [n for n, start in enumerate(columns) if start <= band["context_from"]]
        if numbers:
            cells[named(band)][numbers[-1]] += band["cost_usd"]
    return {"columns": columns, "rows": [row | {"cells": cells[row["key"]]} for row in rows]}


def _summed(bands: list[Study], key_of: Callable[[Study], Any]) -> list[Study]:
    sums: dict[Any, Study] = defaultdict(lambda: dict.fromkeys(_SUMMED, 0))
    for band in bands:
        for name in _SUMMED:
            sums[key_of(band)][name] += band[name]
    total = sum(row["cost_usd"] for row in sums.values())
    # What has no readable time comes first.
    return [
        {"key": name, "share": row["cost_usd"] / total if total else None, **row}
        for name, row in sorted(sums.items(), key=lambda item: (item[0] is not None, item[0]))
    ]

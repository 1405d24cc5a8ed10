"""A study that can be shown to anybody: ratios alone, no money, size, time, name or count.

What is measured in tokens or dollars stands relative to another number of its kind.
"""

from typing import Any

import orjson

from compact_guard.window.study_spend import spend_by

Row = dict[str, Any]

_RELATIVE = (
    "cost_per_turn_mean_usd",
    "cost_per_turn_median_usd",
    "cost_per_turn_p90_usd",
    "context_per_turn_mean",
    "boundaries_per_turn",
    "boundaries_per_day",
    "seconds_waited_per_day",
)


def ratios(answer: bytes) -> bytes:
    """The JSON of a study as JSON with nothing but its verdict and ratios, as UTF-8."""
    study = orjson.loads(answer)
    shared = {
        "verdict": study["verdict"],
        "spend_by_context": _spend(study["bands"]),
        "compactions": [_size(row, study["boundary_sizes"]) for row in study["boundary_sizes"]],
        "unpriced_share": _ratio(study["totals"]["unpriced_turns"], study["totals"]["turns"]),
        "output_stub_share": _ratio(study["totals"]["stub_turns"], study["totals"]["turns"]),
        "change": _change(study),
    }
    return orjson.dumps(shared, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _spend(bands: list[Row]) -> list[Row]:
    rows = spend_by(bands, "context_from")
    largest = max((band["context_to"] for band in bands), default=0)
    return [
        {
            "context_of_largest": _ratio(row["key"] + 50_000, largest),
            "share_of_spend": _rounded(row["share"]),
            "share_of_turns": _ratio(row["turns"], sum(one["turns"] for one in rows)),
        }
        for row in rows
    ]


def _size(row: Row, sizes: list[Row]) -> Row:
    return {
        "share": _ratio(row["boundaries"], sum(one["boundaries"] for one in sizes)),
        "is_cache_expired": row["is_cache_expired"],
        "cache_read_after_of_before": _ratio(row["cache_read_after"], row["cache_read_before"]),
        "written_first_of_context": _ratio(row["cache_write_after"], row["context_after"]),
        "rebuild_cost_of_call": _ratio(row["rebuild_cost_usd"], row["cost_usd"]),
    }


def _change(study: Row) -> Row | None:
    change = study["change"]
    if change["at"] is None:
        return None
    periods = {period["period"]: period for period in study["periods"]}
    before, after = periods.get("before", {}), periods.get("after", {})
    intervals = {
        name: {end: _rounded(change[name][end]) for end in ("relative", "low", "high")}
        for name in ("cost_per_turn", "context_per_turn", "output_per_turn")
        if change[name]
    }
    return {
        "window_after_of_before": _ratio(change["window_after"], change["window_before"]),
        "turns_above_old_window": _rounded(after.get("share_above_old_window")),
        **intervals,
        "after_of_before": {name: _ratio(after.get(name), before.get(name)) for name in _RELATIVE},
    }


def _ratio(part: float | None, whole: float | None) -> float | None:
    return _rounded(part / whole) if part is not None and whole else None


def _rounded(share: float | None) -> float | None:
    """Two decimals: more of them could give a small count away."""
    return None if share is None else round(share, 2)

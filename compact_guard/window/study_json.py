"""A study as the JSON object of design.md section 8: every list in the order of time."""

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import orjson

from compact_guard import warehouse

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = dict[str, Any]

REASON_NO_CHANGE = "no change of window is known: there is nothing to compare"

_TOKENS = ("input", "output", "cache_read", "cache_write_5m", "cache_write_1h")

_TOTALS = """
select
    count(*) as turns,
    count(*) filter (where is_main) as main_turns,
    coalesce(sum(cost_usd), 0) as cost_usd,
    coalesce(sum(cost_usd) filter (where is_main), 0) as main_cost_usd,
    count(*) filter (where cost_usd is null) as unpriced_turns
from window_turns
"""
_FILES = "select * from window_files order by first_turn_at nulls last, file"
_BOUNDARIES = """
select window_boundaries.*, window_files.file
from window_boundaries join window_files using (file_number)
order by compacted_at nulls last, file_number, boundary_number
"""
_BANDS = "select * from window_bands order by all"
_DAYS = "select * from window_days order by responded_date"
_UNPRICED = "select distinct model from window_unpriced_models order by first_at nulls last, model"


def encoded(connection: "DuckDBPyConnection") -> bytes:
    """The whole answer as UTF-8."""
    return orjson.dumps(
        as_object(connection), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    )


def as_object(connection: "DuckDBPyConnection") -> Row:
    """The whole answer; money in US dollars, times ISO 8601 in UTC."""

    def rows(query: str) -> list[Row]:
        return warehouse.rows(connection, query)

    return {
        "verdict": "OBSERVE",
        "reasons": [REASON_NO_CHANGE],
        "change": {"at": None, "source": None},
        "totals": rows(_TOTALS)[0],
        "periods": [_day(row) for row in rows(_DAYS)],
        "bands": [_band(row) for row in rows(_BANDS)],
        "files": [_file(row) for row in rows(_FILES)],
        "boundaries": [_boundary(row) for row in rows(_BOUNDARIES)],
        "unpriced_models": [row["model"] for row in rows(_UNPRICED)],
    }


def _file(row: Row) -> Row:
    return {
        "path": row["file"],
        "agent": row["agent"],
        "reject_reason": row["reject_reason"],
        "lines": row["lines_read"],
        "rejected_lines": row["rejected_lines"],
        "rejected": dict(_reasons(row["rejected"])),
        "turns": row["turns"],
        "main_turns": row["main_turns"],
        "boundaries": row["boundaries"],
        "tokens": {name: row[f"{name}_tokens"] for name in _TOKENS},
    }


def _reasons(told: str) -> list[tuple[str, int]]:
    pairs = (pair.split("=") for pair in told.split(";") if pair)
    return [(reason, int(count)) for reason, count in pairs]


def _boundary(row: Row) -> Row:
    plain = (
        "trigger", "tokens_before", "tokens_after", "seconds", "context_before", "context_after",
        "cache_read_before", "cache_read_after", "cache_write_after", "cost_usd",
        "cost_is_estimated", "payback_turns", "rebuild_turns", "rebuild_write_tokens",
        "rebuild_cause", "seconds_since_turn", "seconds_to_turn", "is_copy",
    )  # fmt: skip
    at = {"path": row["file"], "at": _utc(row["compacted_at"])}
    return at | {name: row[name] for name in plain}


def _band(row: Row) -> Row:
    return {
        "date": _date(row["responded_date"]),
        "agent": row["agent"],
        "model": row["model"],
        "context_from": row["context_band"],
        "context_to": row["context_band"] + 50_000,
        "turns": row["turns"],
        "main_turns": row["main_turns"],
        "context_tokens": row["context_tokens"],
        "cost_usd": row["cost_usd"],
        "main_cost_usd": row["main_cost_usd"],
        "unpriced_turns": row["unpriced_turns"],
    }


def _day(row: Row) -> Row:
    day = _date(row["responded_date"])
    numbers = {name: value for name, value in row.items() if name != "responded_date"}
    return {"from": day, "to": day} | numbers


def _date(day: date) -> str | None:
    """Null for what has no readable time."""
    return None if day.year == 1 else day.isoformat()


def _utc(moment: datetime | None) -> str | None:
    """`2026-11-30T03:00:00.123Z`, with the fraction only where there is one."""
    if moment is None:
        return None
    precision = "milliseconds" if moment.microsecond else "seconds"
    return moment.isoformat(timespec=precision) + "Z"

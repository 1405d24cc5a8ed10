"""A study as the JSON object of design.md section 8: every list in the order of time."""

import os
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import orjson

from compact_guard.evaluator import warehouse
from compact_guard.window.comparison import Comparison
from compact_guard.window.setting import SettingChange

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = dict[str, Any]

_SAWTOOTH_POINTS = 400  # a chart 840 points wide shows no more
_TOKENS = ("input", "output", "cache_read", "cache_write_5m", "cache_write_1h")

_TOTALS = """
select
    count(*) as turns,
    count(*) filter (where is_main) as main_turns,
    coalesce(sum(cost_usd), 0) as cost_usd,
    coalesce(sum(cost_usd) filter (where is_main), 0) as main_cost_usd,
    count(*) filter (where cost_usd is null) as unpriced_turns,
    count(*) filter (where is_output_stub) as stub_turns
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
_MODELS = """
select * exclude (first_at) from window_models order by first_at nulls last, agent, model
"""
_WAITS = """
select * exclude (first_at) from window_waits order by first_at nulls last, agent, seconds_evidence
"""
_SIZES = "select * from window_boundary_sizes order by all"
_TYPICAL = "select * from window_typical_boundary"
_SAWTOOTH = "select * from window_sawtooth order by turn_number"
# Without a readable time comes last; the compared sessions of a period follow all of it.
_PERIODS = "select * from window_periods order by period_name = 'undated', from_at, is_compared"
_UNPRICED = "select distinct model from window_unpriced_models order by first_at nulls last, model"


def encoded(connection: "DuckDBPyConnection", compared: Comparison) -> bytes:
    """The whole answer as UTF-8."""
    return orjson.dumps(
        as_object(connection, compared), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    )


def as_object(connection: "DuckDBPyConnection", compared: Comparison) -> Row:
    """The whole answer; money in US dollars, times ISO 8601 in UTC."""

    def rows(query: str) -> list[Row]:
        return warehouse.rows(connection, query)

    return {
        "verdict": compared.verdict,
        "reasons": compared.reasons,
        "change": _change(compared),
        "totals": rows(_TOTALS)[0],
        "periods": _periods(rows(_PERIODS)),
        "days": [_day(row) for row in rows(_DAYS)],
        "boundary_sizes": rows(_SIZES),
        "typical_boundary": rows(_TYPICAL)[0],
        "waits": rows(_WAITS),
        "sawtooth": _sawtooth(rows(_SAWTOOTH)),
        "bands": [_band(row) for row in rows(_BANDS)],
        "models": rows(_MODELS),
        "files": [_file(row) for row in rows(_FILES)],
        "boundaries": [_boundary(row) for row in rows(_BOUNDARIES)],
        "expectations": [one._asdict() | {"success": one.success} for one in compared.expectations],
        "unpriced_models": [row["model"] for row in rows(_UNPRICED)],
    }


def _change(compared: Comparison) -> Row:
    """When, how it is known, and after minus before of each measure, relative to before."""
    change = compared.change
    if change is None:
        return {"at": None, "source": None}
    names = ("cost", "context", "output")
    return {
        "at": _utc(change.at),
        "source": change.source,
        "agent": change.agent,
        "window_before": change.window_before,
        "window_after": change.window_after,
        "p_value": change.p_value,
        "set_apart": compared.set_apart,
        "model": change.model,
        "settings": change.recorded and _recorded(change.recorded),
        "notes": list(change.notes),
    } | {
        f"{name}_per_turn": found and found._asdict()
        for name, found in zip(
            names, (compared.cost, compared.context, compared.output), strict=True
        )
    }


def _recorded(change: SettingChange) -> Row:
    """What was written before and after, and where that is known from."""
    return {
        "file": change.file and os.fsencode(change.file).decode("utf-8", "replace"),
        "before": change.before and change.before.words,
        "after": change.after.words,
        "begins_at_before": change.before and change.before.begins_at,
        "begins_at_after": change.after.begins_at,
        "evidence": change.evidence,
    }


def _periods(rows: list[Row]) -> list[Row]:
    """Each period's sessions; under `compared` the same of those that are compared."""
    compared = {row["period_name"]: _period(row) for row in rows if row["is_compared"]}
    return [
        _period(row) | {"compared": compared.get(row["period_name"])}
        for row in rows
        if not row["is_compared"]
    ]


def _period(row: Row) -> Row:
    named = ("period_name", "is_compared", "from_at", "to_at")
    about = {
        "period": row["period_name"],
        "from": _utc(row["from_at"]),
        "to": _utc(row["to_at"]),
    }
    return about | {name: value for name, value in row.items() if name not in named}


def _sawtooth(turns: list[Row]) -> list[list[int]]:
    """Turn, context and boundaries so far; long sessions thinned, their teeth kept whole."""
    step = -(-len(turns) // _SAWTOOTH_POINTS)
    last = len(turns) - 1
    return [
        [turn["turn_number"], turn["context_tokens"], turn["boundary_number"]]
        for number, turn in enumerate(turns)
        if number % step == 0
        or number == last
        or turns[number + 1]["boundary_number"] != turn["boundary_number"]
        or turns[number - 1]["boundary_number"] != turn["boundary_number"]
    ]


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
        "cache_read_before", "cache_read_after", "cache_reads_after", "cache_write_after",
        "cost_usd", "cost_is_estimated", "payback_turns", "rebuild_turns", "rebuild_write_tokens",
        "rebuild_input_tokens",
        "rebuild_cause", "seconds_evidence", "seconds_since_turn", "seconds_to_turn",
        "seconds_waited", "wait_is_estimated", "is_copy",
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

"""What a change of window did: find it, place the sessions, compare, decide."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple

from compact_guard.evaluator import warehouse
from compact_guard.report.phrases import counted
from compact_guard.window import change as changes
from compact_guard.window import periods, recorded_change
from compact_guard.window.change import Change, Session
from compact_guard.window.rules import Rules
from compact_guard.window.setting import SettingChange

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from compact_guard.window.resample import Difference

Verdict = Literal["KEEP", "REVERT", "OBSERVE"]
Row = dict[str, object]

REASON_NO_CHANGE = (
    "no change of window is known: there is nothing to compare (--change TIME names one)"
)

# In whole logs, hardly one turn in ten writes so little.
_STUB_SHARE_MAX = 0.25

_SESSIONS = f"select {', '.join(Session._fields)} from window_sessions order by all"
_COMPARED = "select * from window_compared_sessions order by started_at, agent, session_hash"


class Expectation(NamedTuple):
    """What was observed against what is allowed; a broken one leaves nothing but OBSERVE."""

    expectation: str
    observed: float
    allowed: float

    @property
    def success(self) -> bool:
        """Whether it holds."""
        return self.observed <= self.allowed


class Comparison(NamedTuple):
    """What became of the cost per turn, and what follows.

    `set_apart` counts sessions by reason; `expectations` are what the study must fulfil.
    """

    verdict: Verdict
    reasons: list[str]
    change: Change | None
    set_apart: dict[str, int]
    cost: "Difference | None" = None
    context: "Difference | None" = None
    output: "Difference | None" = None
    expectations: tuple[Expectation, ...] = ()


def compare(
    connection: "DuckDBPyConnection",
    rules: Rules,
    at: datetime | None = None,
    on_record: Sequence[SettingChange] = (),
) -> Comparison:
    """What it did. Fills raw_window_periods, which models read as views; `at` is naive UTC.

    A change that the user names counts more than one `on_record`, and that more than one seen.
    """
    found = _compared(connection, rules, at, on_record)
    expectations = _expectations(connection, rules)
    broken = [
        f"expectation broken: {one.expectation} ({one.observed:g}, {one.allowed:g} allowed)"
        for one in expectations
        if not one.success
    ]
    return found._replace(
        verdict="OBSERVE" if broken else found.verdict,
        reasons=[*broken, *found.reasons],
        expectations=expectations,
    )


def _expectations(connection: "DuckDBPyConnection", rules: Rules) -> tuple[Expectation, ...]:
    limits = {"nearly_all_turns_have_a_price": rules.max_unpriced}
    rows = connection.execute(
        "select expectation, observed from window_expectations order by expectation"
    ).fetchall()
    return tuple(Expectation(name, seen, limits.get(name, 0.0)) for name, seen in rows)


def _compared(
    connection: "DuckDBPyConnection",
    rules: Rules,
    at: datetime | None,
    on_record: Sequence[SettingChange],
) -> Comparison:
    sessions = [Session(*row) for row in connection.execute(_SESSIONS).fetchall()]
    change = (
        changes.given(at, sessions)
        if at
        else recorded_change.newest(on_record, sessions, rules) or changes.propose(sessions, rules)
    )
    placed = periods.place(sessions, change)
    _keep(connection, placed, change)
    apart = Counter(one.set_apart for one in placed if one.set_apart)
    if change is None:
        return Comparison("OBSERVE", [REASON_NO_CHANGE], None, {})
    return _judged(connection, rules, change, dict(sorted(apart.items())))


def _keep(
    connection: "DuckDBPyConnection", placed: list[periods.Placed], change: Change | None
) -> None:
    connection.execute("delete from raw_window_periods")
    columns = [
        [one.session.agent for one in placed],
        [one.session.session_hash for one in placed],
        [one.period for one in placed],
        [not one.set_apart for one in placed],
        change.window_before if change else None,
    ]
    connection.execute(
        "insert into raw_window_periods "
        "select unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::bool[]), ?",
        columns,
    )


def _judged(
    connection: "DuckDBPyConnection", rules: Rules, change: Change, apart: dict[str, int]
) -> Comparison:
    rows = warehouse.rows(connection, _COMPARED)
    sides = [[row for row in rows if row["period_name"] == name] for name in ("before", "after")]
    cost, context, output = (
        _difference(sides, column, rules)
        for column in ("cost_usd", "context_tokens", "output_tokens")
    )
    reasons = [*_shortfalls(sides, change, rules), *_other_work(output, sides, rules)]
    verdict, reason = _on_cost(cost, rules)
    return Comparison(
        "OBSERVE" if reasons else verdict,
        [*reasons, reason],
        change,
        apart,
        cost,
        context,
        output,
    )


def _difference(sides: list[list[Row]], column: str, rules: Rules) -> "Difference | None":
    # numpy costs a tenth of a second, and most studies have nothing to compare.
    from compact_guard.window.resample import Sums, difference

    before, after = (
        [
            Sums((row["agent"], row["project_hash"], row["main_model"]), row["turns"], row[column])  # type: ignore[arg-type]
            for row in side
        ]
        for side in sides
    )
    return difference(before, after, rules.confidence, rules.resamples)


def _shortfalls(sides: list[list[Row]], change: Change, rules: Rules) -> list[str]:
    reasons = []
    for name, side in zip(("before", "after"), sides, strict=True):
        turns = sum(int(str(row["turns"])) for row in side)
        if len(side) < rules.min_sessions or turns < rules.min_turns:
            missing = max(rules.min_sessions / max(1, len(side)), rules.min_turns / max(1, turns))
            reasons.append(
                f"too little {name} the change: {counted(len(side), 'session')} with "
                f"{counted(turns, 'turn')} can be compared, at least {rules.min_sessions} with "
                f"{rules.min_turns:,} are needed"
                + (_until(side, change, missing) if name == "after" else "")
            )
    return reasons


def _until(side: list[Row], change: Change, missing: float) -> str:
    """When there would be enough of them, if as many came each day as from the change on."""
    starts = [row["started_at"] for row in side if isinstance(row["started_at"], datetime)]
    if not starts:
        return ""
    newest = max(starts)
    passed = max(newest - change.at, timedelta(days=1))
    try:
        enough = change.at + passed * missing
        return f" (at the pace kept until {newest:%Y-%m-%d}: by about {enough:%Y-%m-%d})"
    except OverflowError:
        return ""


def _other_work(output: "Difference | None", sides: list[list[Row]], rules: Rules) -> list[str]:
    if output is None:
        return []
    before, after = map(_stub_share, sides)
    if max(before, after) > _STUB_SHARE_MAX:
        return [
            f"whether the work is the same cannot be told: {before:.0%} of the turns before and "
            f"{after:.0%} after log a mere stub of what the model wrote"
        ]
    if abs(output.relative) <= rules.max_work_difference:
        return []
    return [
        f"the work is not the same: the model wrote {abs(output.relative):.0%} "
        f"{'more' if output.relative > 0 else 'less'} per turn than before; from "
        f"{rules.max_work_difference:.0%} on, a difference in cost may come from that alone"
    ]


def _stub_share(side: list[Row]) -> float:
    turns, stubs = (sum(int(str(row[name])) for row in side) for name in ("turns", "stub_turns"))
    return stubs / max(1, turns)


def _on_cost(cost: "Difference | None", rules: Rules) -> tuple[Verdict, str]:
    if cost is None:
        return "OBSERVE", "no session can be compared with one on the other side"
    told = (
        f"cost per turn changed by {cost.relative:+.1%} "
        f"({rules.confidence:.0%} sure: between {cost.low:+.1%} and {cost.high:+.1%})"
    )
    if cost.high < 0:
        return "KEEP", told
    if cost.low > 0:
        return "REVERT", told
    return "OBSERVE", f"{told}: it may be nothing"

"""The report's charts as SVG: how the evidence grew, and what became of the compactions.

Each can be drawn for a page and for a phone.
"""

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from compact_guard.evaluator.verdict import OUTCOMES
from compact_guard.report import drawing
from compact_guard.report.drawing import Canvas, Drawn

if TYPE_CHECKING:
    from compact_guard.evaluator.evaluation import Evaluation

OUTCOME_COLOURS = {
    "injected": "#2da44e",
    "missed": "#d1242f",
    "duplicated": "#d63aa0",
    "aborted": "#8c959f",
    "deferred": "#c69026",
    "unconfirmed": "#8957e5",
    "empty": "#57a0c9",
    "uncovered": "#e0823d",
}

# One for each interface; beyond four they repeat, and the legend still tells them apart.
INTERFACE_COLOURS = ("#218bff", "#8957e5", "#1b9e8a", "#c69026")

_MINIMUM_COLOUR = "#8c959f"
_DASHED: dict[str, Any] = {"stroke_style": {"dasharray": "7,5"}}
_EPOCH = datetime(1970, 1, 1)


def charts(evaluation: "Evaluation", canvas: Canvas = drawing.PAGE) -> Drawn:
    """The charts that there is evidence for."""
    drawn: Drawn = {}
    if _with_days(evaluation):
        drawn["evidence"] = (_evidence_in_words(evaluation), _evidence(evaluation, canvas))
    if any(sum(result.evidence.outcomes.values()) for result in evaluation.interfaces):
        drawn["outcomes"] = (_outcomes_in_words(evaluation), _outcomes(evaluation, canvas))
    return drawn


def _evidence(evaluation: "Evaluation", canvas: Canvas) -> str:
    """Counted compactions and their sessions over time, with the minimum; failures are marked."""
    policy, as_of = evaluation.request.policy, evaluation.request.as_of
    shown, failures = _with_days(evaluation), _failures(evaluation)
    most = max(policy.needed, *(day["counted_so_far"] for day in evaluation.days))
    chart = drawing.pygal().XY(
        **drawing.look(
            "evidence",
            canvas,
            plot_height=300,
            legend=2 * len(shown) + 2 + bool(failures),
            has_long_legend=True,
        ),
        title="How the evidence grew",
        range=(0, -(-most // 10) * 10),
        x_value_formatter=lambda days: f"{_EPOCH + timedelta(days=days):%d %b}",
        x_labels=_dates(evaluation, canvas.marks_max),
        show_dots=False,
        show_x_guides=False,
    )
    colours: list[str] = []
    for number, result in enumerate(shown):
        name, colour = result.evidence.interface, INTERFACE_COLOURS[number % 4]
        days = [day for day in evaluation.days if day["interface"] == name]
        colours += [colour, colour]
        chart.add(f"{name}: compactions", _line(days, "counted_so_far", as_of))
        chart.add(f"{name}: sessions (dashed)", _line(days, "sessions_so_far", as_of), **_DASHED)
    chart.add(f"minimum: {policy.needed} compactions", _level(evaluation, policy.needed))
    sessions = f"minimum: {policy.min_sessions} sessions (dashed)"
    chart.add(sessions, _level(evaluation, policy.min_sessions), **_DASHED)
    if failures:
        chart.add("missed or duplicated", failures, stroke=False, show_dots=True, dots_size=6)
    colours += [_MINIMUM_COLOUR, _MINIMUM_COLOUR, OUTCOME_COLOURS["missed"]]
    chart.config.style = drawing.style(colours)
    return drawing.svg(chart, _evidence_in_words(evaluation))


def _outcomes(evaluation: "Evaluation", canvas: Canvas) -> str:
    """What became of the present period's compactions, one bar for each interface."""
    results = [result for result in evaluation.interfaces if sum(result.evidence.outcomes.values())]
    present = [name for name in OUTCOMES if any(one.evidence.outcomes[name] for one in results)]
    chart = drawing.pygal().HorizontalStackedBar(
        **drawing.look("outcomes", canvas, 118 + 36 * len(results), legend=len(present)),
        title="What became of the compactions",
        show_y_guides=False,
    )
    # Bars are stacked upwards: the first interface belongs on top.
    results.reverse()
    chart.x_labels = [result.evidence.interface for result in results]
    for name in present:
        total = sum(result.evidence.outcomes[name] for result in results)
        chart.add(f"{name}: {total}", [result.evidence.outcomes[name] for result in results])
    chart.config.style = drawing.style([OUTCOME_COLOURS[name] for name in present])
    return drawing.svg(chart, _outcomes_in_words(evaluation))


def _with_days(evaluation: "Evaluation") -> list[Any]:
    named = {
        day["interface"]
        for day in evaluation.days
        if day["counted_so_far"] or day["count_failures"]
    }
    return [result for result in evaluation.interfaces if result.evidence.interface in named]


def _line(days: list[dict[str, Any]], column: str, until: datetime) -> list[tuple[float, int]]:
    """From nothing, the day before the first, to the evaluation."""
    start = (_days(_noon(days[0]["evidence_date"])) - 1, 0)
    noons = [min(_days(_noon(day["evidence_date"])), _days(until)) for day in days]
    points = [(noon, day[column]) for noon, day in zip(noons, days, strict=True)]
    return [start, *points, (_days(until), days[-1][column])]


def _level(evaluation: "Evaluation", value: int) -> list[tuple[float, int]]:
    first = _days(_noon(min(day["evidence_date"] for day in evaluation.days))) - 1
    return [(first, value), (max(_days(evaluation.request.as_of), first + 1), value)]


def _failures(evaluation: "Evaluation") -> list[tuple[float, int]]:
    return [
        (_days(_noon(day["evidence_date"])), day["counted_so_far"])
        for day in evaluation.days
        if day["count_failures"]
    ]


def _dates(evaluation: "Evaluation", dates_max: int) -> list[float]:
    """A few dates, evenly apart, from the first to the last."""
    first, last = (moment for moment, _ in _level(evaluation, 0))
    days = int(last - first)
    return [first + number for number in range(0, days + 1, -(-days // (dates_max - 1)))]


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12))


def _days(moment: datetime) -> float:
    return (moment - _EPOCH) / timedelta(days=1)


def _evidence_in_words(evaluation: "Evaluation") -> str:
    policy = evaluation.request.policy
    lines = [
        f"{result.evidence.interface}: {result.evidence.eligible_counted} counted compactions in "
        f"{result.evidence.sessions} sessions, {result.evidence.failures} failed"
        for result in evaluation.interfaces
    ]
    return (
        f"Evidence over time. {'; '.join(lines)}. The minimum is {policy.needed} compactions in "
        f"{policy.min_sessions} sessions."
    )


def _outcomes_in_words(evaluation: "Evaluation") -> str:
    lines = [
        f"{result.evidence.interface}: "
        + (
            ", ".join(
                f"{count} {name}" for name, count in result.evidence.outcomes.items() if count
            )
            or "none"
        )
        for result in evaluation.interfaces
    ]
    return f"Compactions by outcome. {'; '.join(lines)}."

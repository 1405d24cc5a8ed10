"""The study's charts as SVG: a session's sawtooth, the cost of a turn, the spend by context."""

from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from compact_guard.report import drawing
from compact_guard.report.drawing import Canvas, Drawn
from compact_guard.report.phrases import counted

Study = dict[str, Any]

_BLUE, _GREEN, _GREY, _RED = "#218bff", "#2da44e", "#8c959f", "#d1242f"
_QUANTILES = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95)


def charts(study: Study, simulated: Study | None = None, canvas: Canvas = drawing.PAGE) -> Drawn:
    """The charts that there is data for."""
    drawn: Drawn = {}
    if study["sawtooth"]:
        drawn["sawtooth"] = _sawtooth(study["sawtooth"], canvas)
    if any(band["cost_usd"] for band in study["bands"]):
        drawn["spend"] = _spend(study["bands"], canvas)
    if study["change"]["at"] and any(_quantiles(one) for one in study["periods"]):
        drawn["turns"] = _turns(study["periods"], canvas)
    models = [model for model in (simulated or {"models": []})["models"] if model["best"]]
    if models:
        most_used = max(models, key=lambda model: model["turns"])
        drawn["windows"] = _cost_against_window(most_used, canvas)
    return drawn


def _cost_against_window(model: Study, canvas: Canvas) -> tuple[str, str]:
    """Cost per turn of one simulated model, by window; the present and the best one marked."""
    rows = [row for row in model["windows"] if row["window"] <= 2 * model["largest_context"]]
    costs = {row["window"]: row["cost_with_waiting_usd"] for row in rows}
    best, present = model["best"]["window"], model["present_window"]
    is_waiting_priced = any(row["cost_per_turn_usd"] != costs[row["window"]] for row in rows)
    words = f"Simulated cost per turn of {model['model']}: best at {best:,} tokens"
    words += f", ${costs[best]:.4f}" if best in costs else ""
    words += f"; present {present:,}, ${costs[present]:.4f}." if present in costs else "."
    chart = drawing.pygal().XY(
        **drawing.look("windows", canvas, 280, legend=3),
        title=f"{model['model']}: a turn's cost{' and waiting' * is_waiting_priced} by window",
        show_dots=False,
        max_scale=canvas.marks_max + 1,
        x_value_formatter=_thousands,
        value_formatter=_usd(max(costs.values())),
    )
    chart.add("simulated", sorted(costs.items()))
    for name, window in (("best", best), ("present", present)):
        if window in costs:
            mark = [(window, costs[window])]
            chart.add(f"{name}: {_thousands(window)}", mark, show_dots=True, dots_size=5)
    chart.config.style = drawing.style([_BLUE, _GREEN, _RED])
    return words, drawing.svg(chart, words)


def _sawtooth(points: list[list[int]], canvas: Canvas) -> tuple[str, str]:
    boundaries = points[-1][2] - points[0][2]
    turns = points[-1][0] - points[0][0]
    highest = max(context for _, context, _ in points)
    shown = "session that compacted most" if boundaries else "longest session"
    words = (
        f"Context of the {shown}: {points[-1][0]:,} turns, "
        f"{counted(boundaries, 'compaction')}, at most {highest:,} tokens."
    )
    chart = drawing.pygal().XY(
        **drawing.look("sawtooth", canvas, 280, legend=2),
        title=f"Context of the {shown}, by turn",
        show_dots=False,
        max_scale=canvas.marks_max,
        show_x_guides=False,
        range=(0, highest),
        value_formatter=_thousands,
        x_labels=list(range(points[0][0], points[-1][0] + 1, -(-turns // canvas.marks_max) or 1)),
        x_value_formatter=lambda turn: f"{turn:,.0f}",
    )
    chart.add("tokens given to the model", [(turn, context) for turn, context, _ in points])
    tops = [(before[0], before[1]) for before, after in pairwise(points) if after[2] != before[2]]
    chart.add(f"compactions: {boundaries}", tops, stroke=False, show_dots=True, dots_size=4)
    chart.config.style = drawing.style([_BLUE, _RED])
    return words, drawing.svg(chart, words)


def _spend(bands: list[Study], canvas: Canvas) -> tuple[str, str]:
    by_band: dict[int, float] = defaultdict(float)
    for band in bands:
        by_band[band["context_from"]] += band["cost_usd"]
    rows = sorted(by_band.items())
    total = sum(by_band.values())
    told = ", ".join(f"{_thousands(band)}: {spent / total:.0%}" for band, spent in rows)
    words = f"Spend by size of context, from: {told}."
    chart = drawing.pygal().Bar(
        **drawing.look("spend", canvas, 280),
        title="Spend by size of context, from",
        max_scale=canvas.marks_max,
        value_formatter=_usd(max(by_band.values())),
        x_labels=[_thousands(band) for band, _ in rows],
    )
    chart.add("US dollars", [round(spent, 4) for _, spent in rows])
    chart.config.style = drawing.style([_GREEN])
    return words, drawing.svg(chart, words)


def _turns(periods: list[Study], canvas: Canvas) -> tuple[str, str]:
    shown = [period for period in periods if _quantiles(period)]
    told = "; ".join(
        f"{period['period']}: median ${_quantiles(period)[5]:.4f}, "
        f"nine in ten below ${_quantiles(period)[9]:.4f}"
        for period in shown
    )
    words = f"Cost of a turn. {told}."
    chart = drawing.pygal().XY(
        **drawing.look("turns", canvas, 280, legend=len(shown)),
        title="Cost of a turn: this share of turns costs no more",
        max_scale=canvas.marks_max,
        value_formatter=_usd(max(max(_quantiles(period)) for period in shown)),
        x_labels=[0, 20, 40, 60, 80, 100],
        x_value_formatter=lambda share: f"{share:.0f} %",
        dots_size=2,
    )
    for period in shown:
        points = list(zip(_QUANTILES, _quantiles(period), strict=True))
        chart.add(f"{period['period']} the change", points)
    chart.config.style = drawing.style([_GREY, _BLUE])
    return words, drawing.svg(chart, words)


def _quantiles(period: Study) -> list[float]:
    """Of the sessions that are compared, where there are any; never of undated ones."""
    if period["period"] == "undated":
        return []
    shown = period["compared"] or period
    return shown["cost_per_turn_quantiles_usd"] or []


def _usd(largest: float) -> Callable[[float], str]:
    """All marks of an axis with as many decimals."""
    decimals = 0 if largest >= 10 else 2 if largest >= 0.1 else 3 if largest >= 0.01 else 5
    return lambda usd: f"${usd:,.{decimals}f}"


def _thousands(tokens: float) -> str:
    return f"{tokens:,.0f}" if tokens < 10_000 else f"{tokens / 1_000:,.0f}k"

"""The report's charts as SVG: how the evidence grew, and what became of the compactions.

They stand in files that are seen on GitHub, light and dark, and inside one HTML file: so the
background is transparent, the colours are of middle tone, and nothing in them runs or is fetched.
"""

import sys
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from compact_guard.evaluator.verdict import OUTCOMES

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
_WIDTH = 840
_FONT = "-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"

# What pygal draws for a page where pointers hover and scripts run is of no use in an image.
_CSS = """inline:
.title { font-weight: 600; }
.text-overlay { display: none; }
.plot .background { fill: transparent; }
.axis .guide.line { stroke-dasharray: none; }
text { fill: #59636e !important; }
@media (prefers-color-scheme: dark) { text { fill: #9198a1 !important; } }
"""


def charts(evaluation: "Evaluation") -> dict[str, tuple[str, str]]:
    """Name -> the text that says the same without seeing, and the SVG; none without evidence."""
    drawn: dict[str, tuple[str, str]] = {}
    if _with_days(evaluation):
        drawn["evidence"] = (_evidence_in_words(evaluation), evidence(evaluation))
    if any(sum(result.evidence.outcomes.values()) for result in evaluation.interfaces):
        drawn["outcomes"] = (_outcomes_in_words(evaluation), outcomes(evaluation))
    return drawn


def evidence(evaluation: "Evaluation") -> str:
    """Counted compactions and their sessions over time, with the minimum; failures are marked."""
    policy, as_of = evaluation.request.policy, evaluation.request.as_of
    colours: list[str] = []
    chart = pygal().XY(
        **look("evidence", 320 + 20 * len(evaluation.interfaces)),
        title="How the evidence grew",
        range=(0, max(policy.needed, *(day["counted_so_far"] for day in evaluation.days))),
        x_value_formatter=lambda days: f"{_EPOCH + timedelta(days=days):%d %b}",
        x_labels=_dates(evaluation),
        show_dots=False,
        show_x_guides=False,
    )
    for number, result in enumerate(_with_days(evaluation)):
        name, colour = result.evidence.interface, INTERFACE_COLOURS[number % 4]
        days = [day for day in evaluation.days if day["interface"] == name]
        colours += [colour, colour]
        chart.add(f"{name}: compactions", _line(days, "counted_so_far", as_of))
        chart.add(f"{name}: sessions (dashed)", _line(days, "sessions_so_far", as_of), **_DASHED)
    colours += [_MINIMUM_COLOUR, _MINIMUM_COLOUR]
    chart.add(f"minimum: {policy.needed} compactions", _level(evaluation, policy.needed))
    sessions = f"minimum: {policy.min_sessions} sessions (dashed)"
    chart.add(sessions, _level(evaluation, policy.min_sessions), **_DASHED)
    failures = [
        (_days(_noon(day["evidence_date"])), day["counted_so_far"])
        for day in evaluation.days
        if day["count_failures"]
    ]
    if failures:
        colours.append(OUTCOME_COLOURS["missed"])
        chart.add("missed or duplicated", failures, stroke=False, show_dots=True, dots_size=6)
    chart.config.style = style(colours)
    return svg(chart, _evidence_in_words(evaluation))


def outcomes(evaluation: "Evaluation") -> str:
    """What became of the present period's compactions, one bar for each interface."""
    results = [result for result in evaluation.interfaces if sum(result.evidence.outcomes.values())]
    present = [name for name in OUTCOMES if any(one.evidence.outcomes[name] for one in results)]
    chart = pygal().HorizontalStackedBar(
        **look("outcomes", 138 + 36 * len(results)),
        title="What became of the compactions",
        show_y_guides=False,
    )
    # Bars are stacked upwards: the first interface belongs on top.
    results.reverse()
    chart.x_labels = [result.evidence.interface for result in results]
    for name in present:
        total = sum(result.evidence.outcomes[name] for result in results)
        chart.add(f"{name}: {total}", [result.evidence.outcomes[name] for result in results])
    chart.config.style = style([OUTCOME_COLOURS[name] for name in present])
    return svg(chart, _outcomes_in_words(evaluation))


def pygal() -> Any:
    """pygal, without the finder of map plugins that it leaves among Python's importers."""
    import pygal

    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "pygal"]
    return pygal


def look(name: str, height: int) -> dict[str, Any]:
    """Size, legend and style sheet of every chart; `name` tells charts on one page apart."""
    return {
        "width": _WIDTH,
        "height": height,
        "explicit_size": True,
        "legend_at_bottom": True,
        "legend_at_bottom_columns": 2 if name == "evidence" else 4,
        "legend_box_size": 10,
        "truncate_legend": -1,
        "margin": 12,
        "margin_bottom": 36,  # pygal forgets a row of the legend that is not full
        "js": (),
        "disable_xml_declaration": True,
        "css": ["file://style.css", "file://graph.css", _CSS],
        "classes": (name,),
    }


def style(colours: list[str]) -> Any:
    """One colour for each series, on whatever background."""
    from pygal.style import Style

    return Style(
        background="transparent",
        plot_background="transparent",
        foreground="#59636e",
        foreground_strong="#59636e",
        foreground_subtle="#8c959f55",
        guide_stroke_color="#8c959f44",
        major_guide_stroke_color="#8c959f44",
        colors=tuple(colours),
        opacity=".9",
        stroke_width="2",
        font_family=_FONT,
        title_font_size=15,
        label_font_size=12,
        major_label_font_size=12,
        legend_font_size=12,
    )


def svg(chart: Any, words: str) -> str:
    """The chart without scripts, comments and dates, and with what it shows in words."""
    chart.uuid = chart.config.classes[0]
    svg = ElementTree.fromstring(chart.render())
    namespace = svg.tag.partition("}")[0] + "}"
    ElementTree.register_namespace("", namespace[1:-1])
    for parent in list(svg.iter()):
        for child in list(parent):
            if child.tag in (f"{namespace}script", f"{namespace}desc"):
                parent.remove(child)
    svg.set("role", "img")
    svg.set("aria-label", words)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


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


def _dates(evaluation: "Evaluation") -> list[float]:
    """At most seven dates, evenly apart, from the first to the last."""
    first, last = (moment for moment, _ in _level(evaluation, 0))
    days = int(last - first)
    return [first + number for number in range(0, days + 1, -(-days // 6))]


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

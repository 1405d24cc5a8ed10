"""What every chart shares: its canvas, its look, and how pygal's drawing becomes a quiet SVG.

Charts stand in files that are seen on GitHub, light and dark, and inside one HTML file: so the
background is transparent, the colours are of middle tone, and nothing in them runs or is fetched.
"""

import sys
from typing import Any, NamedTuple
from xml.etree import ElementTree

# Name -> the text that says the same without seeing, and the SVG.
Drawn = dict[str, tuple[str, str]]


class Canvas(NamedTuple):
    """For what a chart is drawn: pixels across, entries in a row of the legend, marks on an axis.

    `suffix` tells the drawings of one chart apart where they stand on one page.
    """

    width: int
    legend_columns: int
    marks_max: int
    suffix: str = ""


PAGE = Canvas(width=840, legend_columns=4, marks_max=7)
# A page's chart, shrunk to a phone's width, has letters half as high as the text around it.
PHONE = Canvas(width=360, legend_columns=1, marks_max=4, suffix="-phone")

_LEGEND_ROW = 20
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


def pygal() -> Any:
    """pygal, without the finder of map plugins that it leaves among Python's importers."""
    import pygal

    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "pygal"]
    return pygal


def look(
    name: str, canvas: Canvas, plot_height: int, legend: int = 0, *, has_long_legend: bool = False
) -> dict[str, Any]:
    """Size, legend and style sheet of a chart with so many entries in its legend."""
    columns = -(-canvas.legend_columns // 2) if has_long_legend else canvas.legend_columns
    return {
        "width": canvas.width,
        "height": plot_height + _LEGEND_ROW * -(-legend // columns),
        "explicit_size": True,
        "show_legend": legend > 0,
        "legend_at_bottom": True,
        "legend_at_bottom_columns": columns,
        "legend_box_size": 10,
        "truncate_legend": -1,
        "margin": 12,
        "margin_bottom": 36 if legend else 12,  # pygal forgets a row that is not full
        "js": (),
        "disable_xml_declaration": True,
        "css": ["file://style.css", "file://graph.css", _CSS],
        "classes": (f"{name}{canvas.suffix}",),
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

"""A study as a report: markdown with its charts beside it, and on demand one HTML file."""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import orjson

from compact_guard.install import safe_file
from compact_guard.report import drawing, html_file, output
from compact_guard.report.phrases import counted
from compact_guard.window import study_charts, study_words
from compact_guard.window.study_spend import spend_by, spend_by_day
from compact_guard.window.uncertainty import SESSIONS_MIN

Study = dict[str, Any]

_DAMAGED_SHOWN = 100
_MEASURES = (
    ("cost per turn, mean", "cost_per_turn_mean_usd", "usd"),
    ("cost per turn, median", "cost_per_turn_median_usd", "usd"),
    ("cost per turn, p90", "cost_per_turn_p90_usd", "usd"),
    ("context per turn, mean", "context_per_turn_mean", "tokens"),
    ("context per turn, median", "context_per_turn_median", "tokens"),
    ("context per turn, p90", "context_per_turn_p90", "tokens"),
    ("turns above the old window", "share_above_old_window", "share"),
    ("compactions per 100 turns", "boundaries_per_turn", "hundred"),
    ("compactions per day", "boundaries_per_day", "plain"),
    ("waiting per day, minutes", "seconds_waited_per_day", "minutes"),
    ("sessions", "sessions", "count"),
    ("turns of main sessions", "main_turns", "count"),
    ("of them with a stub for output", "stub_turns", "count"),
)


def write(
    answer: bytes,
    folder: Path,
    day: date,
    *,
    simulated: Study | None = None,
    is_html_wanted: bool = False,
) -> Path:
    """Write `<day>-window.md` and its charts into `folder`; returns it.

    `simulated` is what simulation.answer says of the same transcripts. With `is_html_wanted`
    also `<day>-window.html`, which holds everything in one file. Each file is the old one or the
    new one, whole. Raises UsageError where nothing can be written.
    """
    study: Study = orjson.loads(answer)
    name = f"{day:%Y-%m-%d}-window"
    drawn = study_charts.charts(study, simulated)
    words = {f"{name}-{chart}.svg": drawn[chart][0] for chart in drawn}
    markdown = render(study, day, words, simulated)
    # The charts first: no report ever points to one that is not there.
    files = {f"{name}-{chart}.svg": svg for chart, (_, svg) in drawn.items()}
    if is_html_wanted:
        phone = study_charts.charts(study, simulated, drawing.PHONE)
        both = {f"{name}-{chart}.svg": (drawn[chart][1], phone[chart][1]) for chart in drawn}
        files[f"{name}.html"] = html_file.page(study_words.headline(study), markdown, both)
    files[f"{name}.md"] = markdown
    output.put_all(folder, files, _put)
    return folder / f"{name}.md"


def _put(file: Path, text: str) -> None:
    safe_file.write_private(file, text.encode())


def render(
    study: Study, day: date, charts: Mapping[str, str], simulated: Study | None = None
) -> str:
    """The whole report as markdown; `charts` are their files, each with what it shows in words."""
    by_kind = {file.rpartition("-")[2].removesuffix(".svg"): file for file in charts}
    return output.template("window.md.j2", _FORMATS).render(
        study=study,
        words=study_words,
        sessions_min=SESSIONS_MIN,
        simulated=simulated,
        simulations=list(_simulations(simulated)),
        day=day.isoformat(),
        read=_read(study),
        damaged=study_words.damaged(study["files"])[:_DAMAGED_SHOWN],
        charts={kind: {"file": file, "words": charts[file]} for kind, file in by_kind.items()},
        bands=spend_by(study["bands"], "context_from"),
        models=spend_by(study["bands"], "model"),
        spend_by_day=spend_by_day(study["bands"]),
        measures=list(_measures(study["periods"])),
    )


def _read(study: Study) -> str:
    """What was read, and what was not."""
    files, totals = study["files"], study["totals"]
    told = f"Read: {counted(len(files), 'file')}"
    if damaged := study_words.damaged(files):
        told += f", {len(damaged):,} of them damaged or unreadable (listed at the end)"
    told += f", with {counted(totals['turns'], 'turn')}, each counted once"
    if totals["unpriced_turns"]:
        told += f", {totals['unpriced_turns']:,} of them without a price"
    return told + "."


def _simulations(simulated: Study | None) -> Iterator[Study]:
    """Each model that could be replayed: its best window, and cost there and at present."""
    for model in (simulated or {"models": []})["models"]:
        rows = {row["window"]: row for row in model["windows"]}
        if model["best"]:
            best, present = rows[model["best"]["window"]], rows.get(model["present_window"])
            yield model | {"at_best": best, "at_present": present}


def _measures(periods: list[Study]) -> list[list[str]]:
    """A row for each measure: before, after, and both again for the sessions that compare."""
    sides = {period["period"]: period for period in periods}
    columns = [
        one and (one["compared"] if is_compared else one)
        for is_compared in (True, False)
        for one in (sides.get("before"), sides.get("after"))
    ]
    return [
        [name, *(_FORMATS[kind](column[field] if column else None) for column in columns)]
        for name, field, kind in _MEASURES
    ]


def _formatted(pattern: str, factor: float = 1) -> Any:
    return lambda value: "" if value is None else pattern.format(value * factor)


_FORMATS: dict[str, Any] = {
    "usd": _formatted("${:,.4f}"),
    "dollars": lambda usd: "" if usd is None else "<$0.01" if 0 < usd < 0.005 else f"${usd:,.2f}",
    "cell_dollars": lambda usd: "" if usd < 0.005 else f"{usd:,.2f}" if usd < 10 else f"{usd:,.0f}",
    "tokens": _formatted("{:,.0f}"),
    "count": _formatted("{:,}"),
    "share": _formatted("{:.1%}"),
    "thousands": lambda tokens: f"{tokens // 1_000}k" if tokens else "0",
    "sentence": lambda told: told[0].upper() + told[1:] + ".",
    "signed": _formatted("{:+.1%}"),
    "hundred": _formatted("{:.2f}", 100),
    "plain": _formatted("{:.1f}"),
    "minutes": _formatted("{:.1f}", 1 / 60),
    "seconds": _formatted("{:,.0f}"),
}

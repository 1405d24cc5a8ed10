"""The table of a replay: one row per compaction, in groups by session."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from compact_guard.hook import cues
from compact_guard.hook.selection import RULES
from compact_guard.replay.rows import Boundary, File
from compact_guard.replay.terminal import Paint, harmless, shortened
from compact_guard.replay.totals import Counts, Totals

_NONE = "·"
_INDENT = "  "
_SESSION_DIGITS = 8
_LONG_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]+$")
_ROWS_BEFORE_HEADINGS_AGAIN = 20


class Cell(NamedTuple):
    """A text and its style."""

    text: str
    style: str = ""


class Layout(NamedTuple):
    """How wide the words are."""

    headings: tuple[str, ...]
    has_year: bool
    gap: str


_RANKS_CUT = ("corr", "dec", "cons", "task", "evid", "rec")
_WIDE = ("compacted", "trigger", *cues.RANKS, "secrets", "size", "ms")
_NARROW = ("compacted", "by", *_RANKS_CUT, "secrets", "size", "ms")
_LAYOUTS = (
    Layout(_WIDE, True, "  "),
    Layout(_NARROW, True, "  "),
    Layout(_NARROW, False, "  "),
    Layout(_NARROW, False, " "),
)
_LEFT = ("compacted", "trigger", "by")


def fitting(files: list[File], totals: Totals, columns: int, paint: Paint) -> "Table":
    """The widest that fits into so many columns, else the narrowest."""
    tables = [Table(files, totals, layout, paint) for layout in _LAYOUTS]
    return next((one for one in tables if one.width <= columns), tables[-1])


class Table:
    """A table in one layout; `width` in columns, `legend` says what cut headings stand for."""

    def __init__(self, files: list[File], totals: Totals, layout: Layout, paint: Paint) -> None:
        self._paint = paint
        self._layout = layout
        self._headings = [Cell(heading, "faint") for heading in layout.headings]
        self._all = _total_cells(totals)
        self._sessions = [
            (file, [_cells(each, layout, number) for number, each in enumerate(_own(file), 1)])
            for file in files
            if _own(file)
        ]
        rows = [self._headings, self._all, *(row for _, rows in self._sessions for row in rows)]
        self._widths = [max(map(len, column)) for column in zip(*map(_texts, rows), strict=True)]
        self.width = len(_INDENT) + sum(self._widths) + len(layout.gap) * (len(self._widths) - 1)

    @property
    def legend(self) -> str | None:
        """Words for the headings that were cut, None where none was."""
        if self._layout.headings is _WIDE:
            return None
        *ranks, last = cues.RANKS
        return f"{_RANKS_CUT[0]} to {_RANKS_CUT[-1]}: {', '.join(ranks)} and {last} messages."

    def lines(self, columns: int) -> Iterator[str]:
        """The rows, and what they come to."""
        count = sum(len(rows) for _, rows in self._sessions)
        yield self._line(self._headings)
        for file, rows in self._sessions:
            yield self._paint(shortened(_name(file), columns), "name")
            for row in rows:
                yield self._line(row)
        if count > 1:
            yield ""
            if count > _ROWS_BEFORE_HEADINGS_AGAIN:
                yield self._line(self._headings)
            yield self._line(self._all)

    def _line(self, row: list[Cell]) -> str:
        cells = zip(row, self._widths, self._layout.headings, strict=True)
        line = self._layout.gap.join(
            _padded(cell, width, heading in _LEFT, self._paint) for cell, width, heading in cells
        )
        return f"{_INDENT}{line}".rstrip()


def _own(file: File) -> list[Boundary]:
    return [each for each in file.boundaries if not each.is_copy]


def _name(file: File) -> str:
    """Where the work was done, with which agent, and which session it is."""
    versions = [each.agent_version for each in file.boundaries if each.agent_version]
    origin = file.origin
    version = versions[-1] if versions else origin.agent_version if origin else None
    project = (
        harmless(origin.project.rstrip("/").rpartition("/")[2]) if origin and origin.project else ""
    )
    session = harmless((origin.session_id if origin else None) or "")
    if _LONG_ID.match(session):
        session = session[:_SESSION_DIGITS]
    agent = f"{file.agent} {version}" if version else str(file.agent)
    parts = (project, harmless(agent), session)
    return " · ".join(part for part in parts if part)


def _cells(boundary: Boundary, layout: Layout, number: int) -> list[Cell]:
    when = f"{boundary.at:%Y-%m-%d %H:%M}" if boundary.at else f"number {number}"
    rescued = boundary.rescued()
    return [
        Cell(when if layout.has_year or not boundary.at else when[5:]),
        Cell(boundary.trigger or "-"),
        *(_rank_cell(rank, boundary.held, rescued) for rank in cues.RANKS),
        _count_cell(boundary.redactions),
        _count_cell(boundary.units) if boundary.outcome == "saved" else Cell(boundary.outcome),
        Cell(f"{boundary.cpu_ms:,.0f}", "faint"),
    ]


def _total_cells(totals: Totals) -> list[Cell]:
    return [
        Cell(f"all {totals.compactions:,}", "strong"),
        Cell(""),
        *(
            _rank_cell(rank, totals.held_judged, totals.rescued)
            if totals.judged
            else _rank_cell(rank, totals.held, None)
            for rank in cues.RANKS
        ),
        _count_cell(totals.redactions),
        Cell(""),  # a sum of sizes or times says nothing
        Cell(""),
    ]


def _rank_cell(rank: str, held: Counts, rescued: Counts | None) -> Cell:
    """`5/7`: lost of held; `-/7` where nobody can tell."""
    if not held[rank]:
        return Cell(_NONE, "faint")
    if rescued is None:
        return Cell(f"-/{held[rank]:,}", "faint")
    is_striking = bool(rescued[rank]) and rank in RULES
    return Cell(f"{rescued[rank]:,}/{held[rank]:,}", "lost" if is_striking else "")


def _count_cell(number: int) -> Cell:
    return Cell(f"{number:,}") if number else Cell(_NONE, "faint")


def _texts(row: list[Cell]) -> list[str]:
    return [cell.text for cell in row]


def _padded(cell: Cell, width: int, is_left: bool, paint: Paint) -> str:
    padding = " " * (width - len(cell.text))
    painted = paint(cell.text, cell.style)
    return painted + padding if is_left else padding + painted

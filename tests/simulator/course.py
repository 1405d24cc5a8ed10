"""One session as what was left of it tells it, walked in the order in which things happened."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from tests.simulator.guard import Row
from tests.simulator.shipping import Left, ShippedFile
from tests.simulator.transcript import Mark


class Finding(NamedTuple):
    """One compaction's outcome. `name` is the event id of its row, or its boundary's key."""

    name: str
    outcome: str
    evidence: str
    is_unresolved: bool
    interface: str
    fingerprint: str


@dataclass
class Trail:
    """One pre_compact row and all that belongs to it."""

    row: Row
    next: "Trail | None" = None
    starts: list[Row] = field(default_factory=list)
    has_receipt: bool = False
    is_later_row: bool = False  # another row of the session came later
    boundaries: list[Mark] = field(default_factory=list)  # until the next row with an offset
    after: list[Mark] = field(default_factory=list)  # all that follows the first boundary
    vague_rows: int = 0  # rows without an offset that follow before the next with one
    strays: list[Row] = field(default_factory=list)  # rows of compactions without a hook
    transcript: str = "silent"
    reads_on: bool = False  # nothing behind the first boundary is garbled
    newer: list["Trail"] = field(default_factory=list)


@dataclass
class Course:
    """One session, read."""

    left: Left
    rows: list[Row]
    head: Trail  # what happened before the first row: a trail without a row
    trails: list[Trail]
    orphans: list[Row]


def read(left: Left, as_of: datetime) -> Course:
    kept = [row for row in left.rows if row.at <= as_of and not row.subagent]
    reading = _Reading(left, kept)
    events = {row.event_id for row in kept}
    for moment in left.session.stream:
        if isinstance(moment, Row):
            if moment.event_id in events:
                reading.take_row(moment)
        elif left.file and left.file.shows(moment) and moment.at <= as_of:
            reading.take_mark(moment)
    return reading.course()


class _Reading:
    def __init__(self, left: Left, kept: list[Row]) -> None:
        self.left = left
        self.kept = kept
        self.head = Trail(None)  # type: ignore[arg-type]
        self.trails: list[Trail] = []
        self.orphans: list[Row] = []
        self.delivered = {row.checkpoint_hash for row in kept if row.outcome == "injected"}
        self.stretch = self.head  # whose stretch of the transcript it is
        self.previous: Row | None = None
        self.loose: set[str] = set()  # starts that belong to no row

    @property
    def latest(self) -> Trail | None:
        return self.trails[-1] if self.trails else None

    def take_mark(self, mark: Mark) -> None:
        for trail in (self.head, *self.trails):
            if trail.boundaries:
                trail.after.append(mark)
        if mark.kind == "boundary":
            self.stretch.boundaries.append(mark)

    def take_row(self, row: Row) -> None:
        match row.event:
            case "pre_compact":
                self._take_pre(row)
            case "session_start":
                self._take_start(row)
            case "post_compact":
                self._take_receipt(row)
        self.previous = row

    def _take_pre(self, row: Row) -> None:
        trail = Trail(row)
        for earlier in self.trails:
            earlier.is_later_row = True
            earlier.newer.append(trail)
        if self.latest:
            self.latest.next = trail
        self.trails.append(trail)
        if row.transcript_bytes is None:
            self.stretch.vague_rows += 1
        else:
            self.stretch = trail

    def _take_start(self, row: Row) -> None:
        owner = self._owner(row)
        if owner:
            owner.starts.append(row)
        elif row.checkpoint_hash and row.outcome == "injected":
            self.orphans.append(row)
            self._take_loose_start(row)
        elif row.source == "compact" and not self._is_echo(row):
            self._take_loose_start(row).append(row)
        for trail in self.trails if owner is None else [owner]:
            trail.is_later_row = True

    def _owner(self, row: Row) -> Trail | None:
        if row.checkpoint_hash:
            own = [
                trail for trail in self.trails if trail.row.checkpoint_hash == row.checkpoint_hash
            ]
            return own[0] if own else None
        is_free = self.latest is not None and not self.latest.starts
        return self.latest if row.source == "compact" and is_free else None

    def _is_echo(self, row: Row) -> bool:
        if row.checkpoint_hash:  # of an orphan injection
            return row.checkpoint_hash in self.delivered
        return self.latest is not None and self.latest.row.delivery == "next_turn"

    def _take_loose_start(self, row: Row) -> list[Row]:
        """The strays of its stretch, without the receipt that belongs to it."""
        self.loose.add(row.event_id)
        strays = (self.latest or self.head).strays
        if self.previous in strays and self.previous.event == "post_compact":
            strays.remove(self.previous)  # Codex writes the receipt first
        return strays

    def _take_receipt(self, row: Row) -> None:
        if self.previous is not None and self.previous.event_id in self.loose:
            return
        if self.latest:
            self.latest.has_receipt = True
        else:
            self.head.strays.append(row)

    def course(self) -> Course:
        if self.left.file:
            for trail in self.trails:
                _ask_transcript(trail, self.left.file)
        return Course(self.left, self.kept, self.head, self.trails, self.orphans)


def _ask_transcript(trail: Trail, file: ShippedFile) -> None:
    begin = trail.row.transcript_bytes
    if begin is None:
        return
    later = [newer.row.transcript_bytes for newer in trail.newer]
    end = next((offset for offset in later if offset is not None), None)
    if file.complete < max(begin, end or 0) or not file.is_readable(begin, end):
        return
    trail.transcript = "finished" if trail.boundaries else "contradicted"
    trail.reads_on = file.is_readable(begin, None)

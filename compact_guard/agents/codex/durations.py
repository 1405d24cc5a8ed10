"""How long the compactions of a rollout took. Facts: README.md, "Counting"."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import chain, islice
from typing import NamedTuple

from compact_guard.agents.codex.usage_records import Payload, Record
from compact_guard.transcripts.facts import utc_time
from compact_guard.window.usage import Event

# A compaction writes its own few records before it is told of; then comes what came before it.
_RECENT = 32
_OF_THE_CALL = {
    ("event_msg", "token_count"),
    ("token_usage_record", None),
    ("response_item", "message"),  # the summary
    ("response_item", "reasoning"),
    ("response_item", "compaction"),
}
_MILLISECOND = timedelta(milliseconds=1)


class Recent:
    """The records before the present one."""

    def __init__(self) -> None:
        self._older: list[Record] = []
        self._first_line = 1
        self._records: Sequence[Record] = ()

    def take(self, line_number: int, records: Sequence[Record]) -> None:
        """The next ones, the first of them at this line."""
        self._older = [*self._older, *self._records[-_RECENT:]][-_RECENT:]
        self._first_line, self._records = line_number, records

    def before(self, line_number: int) -> Iterator[Record]:
        """Those before this line, newest first; the line is one of those taken last."""
        newer = self._records[: line_number - self._first_line]
        return islice(chain(reversed(newer), reversed(self._older)), _RECENT)


class Preceding(NamedTuple):
    """When a compaction began, and how many lines before its own its summary stands, if it does."""

    began_at: str | None
    summary_lines_before: int | None


def preceding(records: Iterable[Record]) -> Preceding:
    """Of the records before a compaction, newest first."""
    summary = None
    for distance, record in enumerate(records, 1):
        kind = record.payload.type if record.payload else None
        if (record.type, kind) not in _OF_THE_CALL:
            return Preceding(record.timestamp, summary)
        if kind == "message":
            summary = distance
    return Preceding(None, summary)


class Durations:
    """Newer files log it; in older ones a compaction begins where the record before it ends.

    That holds within a turn alone: between turns, time passes with nobody waiting.
    """

    def __init__(self) -> None:
        self.is_turn_open = False
        self._newest: Event | None = None  # the compaction that the next item may tell of

    def take_event(self, payload: Payload) -> None:
        """One event of the session."""
        match payload.type:
            case "task_started" | "task_complete" | "turn_aborted":
                self.is_turn_open = payload.type == "task_started"
                self._newest = None
            case "item_completed" if payload.item and payload.item.type == "ContextCompaction":
                self._take_item(payload)

    def take_boundary(self, boundary: Event, before: Preceding) -> None:
        """One compaction."""
        self._newest = boundary
        boundary.duration_evidence = "outside_a_turn"
        if self.is_turn_open:
            boundary.duration_ms = _milliseconds(before.began_at, boundary.event_at)
            is_told = boundary.duration_ms is not None
            boundary.duration_evidence = "records" if is_told else "no_time"

    def _take_item(self, payload: Payload) -> None:
        began, ended = payload.started_at_ms, payload.completed_at_ms
        if self._newest is None or began is None or ended is None or ended < began:
            return
        self._newest.duration_ms = ended - began
        self._newest.duration_evidence = "logged"
        self._newest = None


def _milliseconds(began_at: str | None, ended_at: str | None) -> int | None:
    """None unless both are times and some passed between: a fork's copies share one moment."""
    began, ended = utc_time(began_at), utc_time(ended_at)
    if began is None or ended is None or ended <= began:
        return None
    return round((ended - began) / _MILLISECOND)

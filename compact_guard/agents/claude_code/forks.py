"""How a transcript begins: with its session, in its midst, or with rows of the session it was
forked from. What the marks are, and on which versions they were seen: README.md."""

from datetime import datetime
from typing import Any, NamedTuple

from compact_guard.transcripts.facts import dictionary, utc_time


class Place(NamedTuple):
    """How a line stands to others; `has_earlier_part` is a boundary's, whose parent is no row
    that the model still sees."""

    is_row: bool
    at: object
    has_parent: bool
    has_earlier_part: bool
    is_marked_copy: bool


def place_of(record: dict[str, Any]) -> Place:
    """The place that a record tells of."""
    return Place(
        is_row=record.get("uuid") is not None,
        at=record.get("timestamp") or dictionary(record.get("snapshot")).get("timestamp"),
        has_parent=bool(record.get("parentUuid")),
        has_earlier_part=bool(record.get("logicalParentUuid")),
        is_marked_copy=isinstance(record.get("forkedFrom"), dict),
    )


class Beginning:
    """What the lines up to the first row of the conversation say."""

    def __init__(self) -> None:
        self.is_slice: bool | None = None  # not known before the first row
        self._opened_at: datetime | None = None
        self._forked_at: datetime | None = None

    def take(self, place: Place) -> None:
        """The next line; behind the first row none says anything more."""
        if self.is_slice is not None:
            return
        if place.is_row:
            self._take_first_row(place)
        else:
            self._opened_at = utc_time(place.at) or self._opened_at

    def _take_first_row(self, first: Place) -> None:
        """A fork's file begins with the newest boundary of its parent, older than what it wrote
        itself before; a row with parents elsewhere is the beginning of a slice."""
        at = utc_time(first.at)
        is_older = bool(at and self._opened_at and at < self._opened_at)
        is_fork = first.is_marked_copy or (first.has_earlier_part and is_older)
        if is_fork and not first.has_parent:
            self._forked_at = self._opened_at
            self.is_slice = False
        else:
            self.is_slice = first.has_parent or first.has_earlier_part

    def is_copied(self, place: Place) -> bool:
        """Whether a row is the parent's: what it tells of did not happen in this session."""
        at = utc_time(place.at)
        return place.is_marked_copy or bool(at and self._forked_at and at < self._forked_at)

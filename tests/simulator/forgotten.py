"""The oracle's second half: compactions for which the agent ran no PreCompact hook."""

from collections.abc import Iterator
from datetime import datetime
from itertools import zip_longest

from tests.simulator.course import Course, Finding, Trail
from tests.simulator.guard import Row
from tests.simulator.transcript import Mark
from tests.simulator.world import Session


def uncovered(courses: list[Course]) -> Iterator[Finding]:
    """What only stray rows, or only boundaries, tell of; each compaction once."""
    claimed = {
        trail.boundaries[0].key
        for course in courses
        for trail in course.trails
        if trail.transcript == "finished"
    }
    counted = _boundaries_to_count(courses, claimed)
    rows = [row for course in courses for row in course.rows]
    for course in courses:
        for trail in all_of(course):
            marks = counted.get((id(course), id(trail)), [])
            for stray, mark in zip_longest(trail.strays, marks):
                if stray:  # the row tells under which guard, whoever else tells of it
                    yield _of_row(stray, mark)
                elif finding := _placed(course, mark, rows):
                    yield finding


def _boundaries_to_count(
    courses: list[Course], claimed: set[str | None]
) -> dict[tuple[int, int], list[Mark]]:
    """By course and trail. Forks hold copies: the session that began first counts, and what lies
    in a stretch that cannot be read counts nowhere."""
    seen: set[str | None] = set(claimed)
    spoilt: set[str | None] = set()
    counted: dict[tuple[int, int], list[Mark]] = {}
    for course in sorted(courses, key=_began_at):
        for trail in all_of(course):
            fresh = [mark for mark in trail.boundaries if mark.key not in seen]
            counted[id(course), id(trail)] = fresh
            if not _may_count(course, trail):
                spoilt.update(mark.key for mark in trail.boundaries)
        seen.update(mark.key for trail in all_of(course) for mark in trail.boundaries)
    vague = {id(trail): trail.vague_rows for course in courses for trail in all_of(course)}
    return {
        (course, trail): [mark for mark in marks if mark.key not in spoilt][vague[trail] :]
        for (course, trail), marks in counted.items()
    }


def all_of(course: Course) -> list[Trail]:
    return [course.head, *course.trails]


def _began_at(course: Course) -> tuple[bool, datetime]:
    times = [row.at for row in course.rows]
    return not times, min(times, default=datetime.max)


def _may_count(course: Course, trail: Trail) -> bool:
    file = course.left.file
    if trail is not course.head or file is None:
        return trail.transcript == "finished"
    offsets = [t.row.transcript_bytes for t in course.trails if t.row.transcript_bytes is not None]
    end = offsets[0] if offsets else None
    return file.complete >= (end or 0) and file.is_readable(0, end)


def _placed(course: Course, mark: Mark, rows: list[Row]) -> Finding | None:
    """In the period whose guard was in force at the time; None where there was none."""
    session = course.left.session
    own = course.rows
    interface = own[0].interface if own else _interface_of_file(session, rows)
    origin = own[0].origin if own else "natural"
    before = [
        row
        for row in rows
        if row.interface == interface and row.origin == origin and row.at <= mark.at
    ]
    if interface is None or not before:
        return None
    latest = max(before, key=lambda row: (row.at, row.event_id))
    assert mark.key
    return Finding(mark.key, "uncovered", "transcript", False, interface, latest.guard_fingerprint)


def _interface_of_file(session: Session, rows: list[Row]) -> str | None:
    if session.agent_name == "codex":
        return str(session.interface)
    known = {row.interface for row in rows if row.agent == session.agent_name}
    return known.pop() if len(known) == 1 else None


def _of_row(row: Row, mark: Mark | None) -> Finding:
    evidence = "session_start" if row.event == "session_start" else "receipt"
    name = mark.key if mark and mark.key else row.event_id
    evidence = "transcript" if mark else evidence
    return Finding(name, "uncovered", evidence, False, row.interface, row.guard_fingerprint)

"""Small spaces, enumerated: every possible trail of one compaction, and of two in a queue."""

import itertools
import random
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from tests.simulator import oracle, shipping
from tests.simulator.judging import found, loaded
from tests.simulator.shipping import Left
from tests.simulator.test_simulation import GRACE, told
from tests.simulator.world import KINDS, MORNING, NIGHT, Session

HASHED = ("injected", "already_used", "refused")
HASHLESS = ("none", "failed", "skipped")
STARTS = (
    *((outcome,) for outcome in (*HASHED, *HASHLESS)),
    (),
    ("injected", "injected"),
    ("injected", "already_used"),
    ("injected", "none"),
    ("none", "injected"),
    ("refused", "injected"),
    ("already_used", "already_used"),
    ("none", "none"),
)
FOLLOWERS = (
    (),
    ("turn",),
    ("text", "turn"),
    ("text", "text", "turn"),
    ("prompt", "turn"),
    ("text", "prompt"),
)
RNG = random.Random(0)


class Case(NamedTuple):
    """Everything that can be known of one compaction."""

    delivery: str
    trigger: str
    saving: str
    starts: tuple[str, ...]
    has_receipt: bool
    finishes: bool
    followers: tuple[str, ...]
    next_row: str
    has_file: bool
    is_young: bool


def one_compaction() -> Iterator[Case]:
    booleans = (True, False)
    for case in itertools.starmap(
        Case,
        itertools.product(
            ("immediate", "next_turn"),
            ("auto", "manual"),
            ("saved", "empty", "failed"),
            STARTS,
            booleans,
            booleans,
            FOLLOWERS,
            ("none", "without offsets", "with offsets"),
            booleans,
            booleans,
        ),
    ):
        if is_possible(case):
            yield case


def is_possible(case: Case) -> bool:
    """No hash without a checkpoint; no text where nothing was replaced."""
    if case.saving != "saved":
        has_hash = not set(case.starts).isdisjoint(HASHED)
        return not has_hash and "text" not in case.followers
    return case.finishes or "text" not in case.followers


def told_as_session(case: Case, number: int) -> Left:
    at = NIGHT - timedelta(minutes=20) if case.is_young else MORNING
    session = Session(f"{number:06}", RNG, KINDS[0], at)
    session.work()
    truth = session.guard.pre(case.trigger, case.delivery, case.saving)
    for outcome in case.starts:
        start(session, outcome, truth.checkpoint_hash)
    if case.has_receipt:
        session.guard.receipt()
    if case.finishes:
        session.finish(truth, case.trigger)
    follow(session, case.followers, truth.checkpoint_hash)
    if case.next_row != "none":
        session.pass_time(seconds=5)
        knows_bytes = case.next_row == "with offsets"
        session.guard.pre("auto", case.delivery, "saved", knows_bytes=knows_bytes)
    left = shipping.leave_all(session)
    return left if case.has_file else left._replace(file=None)


def start(session: Session, outcome: str, checkpoint_hash: str | None) -> None:
    session.pass_time(seconds=1)
    known = {"checkpoint_hash": checkpoint_hash} if outcome in HASHED else {}
    session.guard.write("session_start", outcome=outcome, source="compact", **known)


def follow(session: Session, followers: tuple[str, ...], checkpoint_hash: str | None) -> None:
    for kind in followers:
        session.pass_time(seconds=1)
        if kind == "text":
            session.tell("hook_text", checkpoint_hash)
        else:
            session.tell(kind)


def test_every_trail_of_one_compaction_gets_the_outcome_of_the_table():
    lefts = [told_as_session(case, number) for number, case in enumerate(one_compaction())]

    with loaded(lefts) as connection:
        assert told(found(connection)) == told(oracle.findings(lefts, NIGHT, GRACE))


class Queue(NamedTuple):
    """Two compactions that wait for the next prompt."""

    trigger: str
    asked_between: bool
    first: str
    second: str
    second_arrives: bool
    asked_after: bool
    damage: str


def two_queued() -> Iterator[Queue]:
    starts = ("not_run", "injected", "refused", "none")
    booleans = (True, False)
    damages = ("no file", "whole", "between", "after")
    yield from itertools.starmap(
        Queue,
        itertools.product(
            ("auto", "manual"), booleans, starts, starts, booleans, booleans, damages
        ),
    )


def told_as_queue(case: Queue, number: int) -> Left:
    session = Session(f"q{number:06}", RNG, KINDS[3], MORNING)
    session.work()
    first = session.guard.pre(case.trigger, "next_turn", "saved")
    session.finish(first, case.trigger)
    between = len(session.writer.transcript.content)
    session.tell("prompt" if case.asked_between else "noise")
    session.pass_time(minutes=1)
    second = session.guard.pre(case.trigger, "next_turn", "saved")
    session.finish(second, case.trigger)
    after = len(session.writer.transcript.content)
    for outcome, truth in ((case.first, first), (case.second, second)):
        if outcome != "not_run":
            start(session, outcome, truth.checkpoint_hash)
    follow(session, ("text",) * case.second_arrives, second.checkpoint_hash)
    follow(session, ("prompt", "turn") if case.asked_after else ("noise",), None)
    return damaged(session, case.damage, {"between": between, "after": after})


def damaged(session: Session, damage: str, places: dict[str, int]) -> Left:
    left = shipping.leave_all(session)
    if damage == "no file":
        return left._replace(file=None)
    if damage == "whole":
        return left
    lines = shipping.line_places(bytes(session.writer.transcript.content))
    line = next(line for line in lines if line[0] == places[damage])
    assert left.file
    return left._replace(file=left.file._replace(garbled=(line,)))


def test_every_trail_of_two_queued_compactions_gets_the_outcome_of_the_table():
    lefts = [told_as_queue(case, number) for number, case in enumerate(two_queued())]

    with loaded(lefts) as connection:
        assert told(found(connection)) == told(oracle.findings(lefts, NIGHT, GRACE))

"""Sessions told by hand instead of drawn: what tests of single stories begin with."""

import random
from typing import Any

from tests.simulator import shipping
from tests.simulator.guard import Truth
from tests.simulator.shipping import Left
from tests.simulator.world import KINDS, MORNING, Session

CLAUDE, OLD_CLAUDE, GATEWAY, CODEX, OLD_CODEX = KINDS[:5]


def a_session(name: str, kind: tuple[str, str] = CLAUDE, **fields: Any) -> Session:
    """A session in which the model has worked once."""
    session = Session(name, random.Random(0), kind, fields.pop("at", MORNING), **fields)
    session.work()
    return session


def compacted(session: Session, delivery: str = "immediate", trigger: str = "auto") -> Truth:
    """A compaction that finished; nothing is delivered yet."""
    truth = begun(session, delivery, trigger)
    session.finish(truth, trigger)
    return truth


def begun(
    session: Session, delivery: str = "immediate", trigger: str = "auto", saving: str = "saved"
) -> Truth:
    """A compaction of which only the PreCompact hook has run."""
    session.pass_time(minutes=1)
    return session.guard.pre(trigger, delivery, saving)


def start(
    session: Session, truth: Truth | None, outcome: str = "injected", source: str = "compact"
) -> None:
    """A SessionStart hook, by default with that compaction's checkpoint."""
    session.pass_time(seconds=1)
    known = truth.checkpoint_hash if truth else None
    session.guard.write("session_start", outcome=outcome, source=source, checkpoint_hash=known)


def delivered(
    session: Session, delivery: str = "immediate", trigger: str = "auto", source: str = "compact"
) -> Truth:
    """A compaction whose text arrived before the model worked on."""
    truth = compacted(session, delivery, trigger)
    arrives(session, truth, source)
    return truth


def arrives(session: Session, truth: Truth, source: str = "compact") -> None:
    """The text goes out, stands in the transcript, and the model works on."""
    start(session, truth, source=source)
    session.tell("hook_text", truth.checkpoint_hash)
    session.work()


def asked(session: Session) -> None:
    """Somebody types, and the model works."""
    session.new_turn()
    session.tell("prompt")
    session.work()


def forgotten(session: Session) -> None:
    """A compaction for which the agent ran no PreCompact hook, but the other two."""
    session.pass_time(minutes=1)
    start(session, None, "none")
    session.guard.receipt()
    session.finish(Truth(), "auto")


def with_damage(session: Session, *line_numbers: int) -> Left:
    """Everything arrives, but those lines of the transcript are garbled."""
    left = shipping.leave_all(session)
    assert left.file is not None
    lines = shipping.line_places(bytes(session.writer.transcript.content))
    garbled = tuple(sorted(lines[number] for number in line_numbers))
    return left._replace(file=left.file._replace(garbled=garbled))


def last_line(session: Session) -> int:
    """The number of the transcript's newest line."""
    return bytes(session.writer.transcript.content).count(b"\n") - 1

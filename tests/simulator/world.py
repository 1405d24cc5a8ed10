"""Sessions of both agents on several hosts, drawn from a seed."""

import random
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from tests.simulator.agents import ClaudeCode, Codex, Plan
from tests.simulator.guard import Guard, Row, Truth, digest
from tests.simulator.records import ClaudeWriter, CodexWriter
from tests.simulator.transcript import Mark

MORNING = datetime(2026, 11, 5, 3, 0)
NIGHT = datetime(2026, 11, 30, 3, 0)
UPGRADE = datetime(2026, 11, 20, 12, 0)

KINDS = (  # interface, agent version
    ("claude-code/anthropic", "2.1.332"),
    ("claude-code/anthropic", "2.1.7"),  # records no hook text
    ("claude-code/gateway", "2.1.332"),
    ("codex/cli", "0.171.0"),
    ("codex/cli", "0.144.6"),
    ("codex/desktop", "0.171.0"),
)
ORIGINATORS = {"codex/cli": "codex-tui", "codex/desktop": "Codex Desktop"}
START_FATES = ("injected",) * 24 + (
    "not_arrived", "twice", "refused", "failed", "none", "already_used", "skipped", "crashed",
    "crashed", "unrecorded", "not_run", "not_run",
)  # fmt: skip
HASHLESS_FATES = ("failed", "none", "skipped")


class Host(NamedTuple):
    """A machine and by how much its clock is wrong."""

    name: str
    skew: timedelta


HOSTS = (Host("a1" * 8, timedelta(0)), Host("b2" * 8, timedelta(minutes=7)))


class Session:
    """One session: its clock, its guard, its transcript, and everything that happened, in order."""

    def __init__(
        self,
        name: str,
        rng: random.Random,
        kind: tuple[str, str] = KINDS[0],
        at: datetime = MORNING,
        *,
        host: Host = HOSTS[0],
        origin: str = "natural",
        has_transcript: bool = True,
        forked_from: "Session | None" = None,
    ) -> None:
        self.name = name
        self.rng = rng
        self.interface, self.version = kind
        self.agent_name = self.interface.split("/")[0]
        self.agent = (ClaudeCode if self.agent_name == "claude-code" else Codex)(self.version)
        self.host = host
        self.forked_from = forked_from
        self.origin = origin
        self.true_time = at
        self.clock_error = host.skew
        self.stream: list[Row | Mark] = []
        self.truths: list[Truth] = []
        self.is_steady = True  # its clock never steps
        self.guard = Guard(self)
        self.turn_hash = digest(f"turn {name}")
        self.writer: Any = None
        if has_transcript:
            self._open_transcript(forked_from)

    def _open_transcript(self, forked_from: "Session | None") -> None:
        if self.agent_name == "claude-code":
            copied = forked_from.writer if forked_from else None
            self.writer = ClaudeWriter(self.name, self.version, self.now(), copied)
            self.stream += self.writer.transcript.marks
        else:
            originator = ORIGINATORS[self.interface]
            self.writer = CodexWriter(self.name, self.version, self.now(), originator)

    # Time

    def now(self) -> datetime:
        return self.true_time + self.clock_error

    def pass_time(self, **duration: float) -> None:
        self.true_time += timedelta(**duration)

    def step_clock(self, seconds: int) -> None:
        self.clock_error += timedelta(seconds=seconds)
        self.is_steady = self.is_steady and not seconds

    # What the agent writes

    def tell(self, kind: str, *words: Any) -> Mark | None:
        """One line of the transcript, and its place in the course of events."""
        if kind == "prompt" and self.agent_name == "claude-code":
            self.new_turn()
        if self.writer is None:
            return None
        mark: Mark | None = getattr(self.writer, kind)(self.now(), *words)
        if mark:
            self.stream.append(mark)
        return mark

    def new_turn(self) -> None:
        self.pass_time(seconds=20)
        self.turn_hash = digest(f"turn {self.name} {len(self.stream)} {self.true_time}")

    def work(self) -> None:
        self.pass_time(seconds=30)
        self.tell("turn")

    def finish(self, truth: Truth, trigger: str) -> None:
        """The compaction replaced the context."""
        self.pass_time(seconds=9)
        truth.has_finished = True
        mark = self.tell("boundary", trigger)
        truth.boundary_key = mark.key if mark else None

    # What the guard sees

    def bytes_on_disk(self) -> int | None:
        """Claude Code flushes lazily: the newest prompt may not be on disk yet."""
        if self.writer is None:
            return None
        transcript = self.writer.transcript
        newest = transcript.marks[-1] if transcript.marks else None
        is_lazy = self.agent_name == "claude-code" and newest and newest.kind == "user_prompt"
        if newest and is_lazy and newest.line[1] == len(transcript.content):
            return int(newest.line[self.rng.randrange(2)])
        return len(transcript.content)

    def last_boundary(self) -> int | None:
        return self.writer.transcript.last_boundary if self.writer else None

    @property
    def transcript_hash(self) -> str | None:
        return self.writer.transcript.first_line_hash if self.writer else None

    @property
    def session_hash(self) -> str:
        return digest(f"{self.agent_name}:{self.name}")

    def identity(self) -> dict[str, Any]:
        """The fields that every row of the session has."""
        return {
            "host": self.host.name,
            "guard_fingerprint": ("a" if self.true_time < UPGRADE else "b") * 12,
            "interface": self.interface,
            "agent": self.agent_name,
            "agent_version": self.version,
            "session_hash": self.session_hash,
            "transcript_hash": self.transcript_hash,
            "origin": self.origin,
        }


def a_world(seed: int, count_sessions: int = 100) -> list[Session]:
    """Sessions as `seed` has them, some of them forks of earlier ones."""
    rng = random.Random(seed)
    sessions: list[Session] = []
    for number in range(count_sessions):
        sessions.append(_a_session(rng, f"{seed:04}-{number:04}", sessions))
        _live(sessions[-1], rng)
    return sessions


def _a_session(rng: random.Random, name: str, earlier: list[Session]) -> Session:
    kind = rng.choice(KINDS)
    parent = rng.choice(earlier) if earlier and rng.random() < 0.08 else None
    if parent and parent.writer and parent.agent_name == "claude-code":
        at = parent.true_time + timedelta(hours=1)
        return Session(
            name,
            rng,
            (parent.interface, parent.version),
            at,
            host=parent.host,
            origin=parent.origin,
            forked_from=parent,
        )
    length = NIGHT - MORNING
    is_late = rng.random() < 0.15  # may be under way when the evaluation is made
    at = (
        NIGHT - timedelta(minutes=rng.randrange(90)) if is_late else MORNING + length * rng.random()
    )
    return Session(
        name,
        rng,
        kind,
        at.replace(microsecond=0),
        host=rng.choice(HOSTS),
        origin="synthetic" if rng.random() < 0.1 else "natural",
        has_transcript=rng.random() < 0.85,
    )


def _live(session: Session, rng: random.Random) -> None:
    steps = session.writer is not None and rng.random() < 0.15
    for _ in range(rng.randint(1, 5)):
        _fill(session, rng)
        session.agent.compact(session, a_plan(session, rng, steps=steps))
        session.pass_time(seconds=rng.randrange(2, 400))
        if steps and session.is_steady:
            session.step_clock(-rng.randrange(60, 7200))
    if rng.random() < 0.7:
        session.agent.prompt(session)


def _fill(session: Session, rng: random.Random) -> None:
    """Between compactions."""
    for _ in range(rng.randrange(3)):
        match rng.randrange(8):
            case 0:
                session.guard.subagent()
            case 1:
                session.tell("microcompaction")
            case 2:
                session.tell("noise")
            case 3:
                session.agent.resume(session)
            case 4 if session.is_steady and rng.random() < 0.1:
                session.guard.orphan(rng.choice(("compact", "resume")))
            case _:
                session.agent.prompt(session)
    session.work()


def a_plan(session: Session, rng: random.Random, *, steps: bool) -> Plan:
    """What becomes of one compaction. Where the clock steps, only what hashes, offsets and turns
    can tell apart."""
    start = rng.choice(START_FATES)
    if steps and start in (*HASHLESS_FATES, "crashed"):
        start = "injected"
    saving = rng.choice(("saved",) * 12 + ("empty", "failed", "skipped"))
    if steps and (session.agent_name == "codex" or not session.truths):
        saving = "saved"
    can_step_inside = steps and not session.truths and start in ("injected", "twice", "refused")
    is_old_claude = session.version == "2.1.7"
    plan = Plan(
        trigger=rng.choice(("auto", "auto", "auto", "manual")),
        is_hook_run=steps or rng.random() < 0.93,
        saving=saving,
        knows_bytes=steps or rng.random() < 0.95,
        finishes=rng.random() < 0.8,
        start=start,
        has_receipt=rng.random() < 0.85,
        receipt=rng.choice(("recorded",) * 8 + ("failed", "skipped")),
        works_on=rng.random() < 0.85,
        step_seconds=-rng.randrange(60, 7200) if can_step_inside and rng.random() < 0.5 else 0,
        is_subagents=is_old_claude and rng.random() < 0.1,
    )
    return plan._replace(is_subagents=plan.is_subagents and plan.is_hook_run)

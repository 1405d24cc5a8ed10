"""The rules of both agents, as the labs measured them: what runs when, and what is written.

Claude Code: PreCompact, SessionStart, PostCompact, then the transcript's boundary and the hook's
text. Codex: PreCompact, the boundary, PostCompact, and SessionStart at once (automatic, from 0.145)
or before the next prompt (idle, and all of 0.144): one run per queued compaction, lost where the
process ends.
"""

from typing import TYPE_CHECKING, NamedTuple

from tests.simulator.guard import Truth

if TYPE_CHECKING:
    from tests.simulator.world import Session


class Plan(NamedTuple):
    """What is to happen to one compaction."""

    trigger: str = "auto"
    is_hook_run: bool = True
    saving: str = "saved"
    knows_bytes: bool = True
    finishes: bool = True
    start: str = "injected"
    has_receipt: bool = True
    receipt: str = "recorded"
    works_on: bool = True
    step_seconds: int = 0  # the clock steps by this between the hooks
    is_subagents: bool = False  # told under the main identity


class ClaudeCode:
    """Delivers before the model is asked again."""

    def __init__(self, version: str) -> None:
        self.version = version

    def compact(self, session: "Session", plan: Plan) -> None:
        session.tell("prompt") if plan.trigger == "manual" else None
        truth = begin(session, plan, "immediate")
        if not (plan.finishes or plan.is_subagents):
            return
        session.step_clock(plan.step_seconds)
        texts = session.guard.start(plan.start, turn_hash=session.turn_hash)
        if plan.has_receipt:
            session.guard.receipt(plan.receipt)
        if plan.is_subagents:  # boundary and text go into the subagent's file
            for text in texts:
                text.arrivals -= 1
            return
        session.finish(truth, plan.trigger)
        for text in texts:
            session.tell("hook_text", text.checkpoint_hash)
        if plan.works_on:
            session.work()
            truth.has_gone_on = True

    def prompt(self, session: "Session") -> None:
        session.tell("prompt")
        session.work()

    def resume(self, session: "Session") -> None:
        resume(session)
        self.prompt(session)


class Codex:
    """Delivers at once in the middle of a turn (from 0.145), else before the next prompt."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.queues_all = tuple(int(n) for n in version.split(".")) < (0, 145)
        self.queue: list[str] = []

    def compact(self, session: "Session", plan: Plan) -> None:
        is_immediate = plan.trigger == "auto" and not self.queues_all
        if plan.trigger == "manual":
            session.new_turn()
        elif self.queue:  # nothing runs by itself before the next prompt drains the queue
            self.prompt(session)
        truth = begin(session, plan, "immediate" if is_immediate else "next_turn")
        if not plan.finishes:
            return
        session.finish(truth, plan.trigger)
        session.step_clock(plan.step_seconds)
        if plan.has_receipt:
            session.guard.receipt(plan.receipt)
        if is_immediate:
            self.deliver(session, plan.start)
        elif plan.start != "not_run":
            self.queue.append(plan.start)
        if plan.trigger == "auto" and plan.works_on:
            session.work()
            truth.has_gone_on = True

    def deliver(self, session: "Session", *fates: str) -> None:
        texts = [text for fate in fates for text in session.guard.start(fate)]
        for text in texts:
            session.tell("hook_text", text.checkpoint_hash)

    def prompt(self, session: "Session") -> None:
        queue, self.queue = self.queue, []
        self.deliver(session, *queue)
        session.new_turn()
        session.tell("prompt")
        for truth in session.truths:
            truth.has_gone_on = truth.has_gone_on or truth.has_finished
        session.work()

    def resume(self, session: "Session") -> None:
        self.queue = []  # it died with the process
        resume(session)
        self.prompt(session)


def begin(session: "Session", plan: Plan, delivery: str) -> Truth:
    if plan.is_hook_run:
        return session.guard.pre(plan.trigger, delivery, plan.saving, knows_bytes=plan.knows_bytes)
    session.truths.append(Truth())
    return session.truths[-1]


def resume(session: "Session") -> None:
    """The guard delivers at resume what a finished compaction still waits for."""
    newest = session.guard.newest
    if newest and newest.has_finished and newest.checkpoint_hash not in session.guard.used:
        for text in session.guard.start("injected", "resume"):
            session.tell("hook_text", text.checkpoint_hash)

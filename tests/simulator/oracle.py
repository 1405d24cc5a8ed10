"""What could be known from what was left: design.md section 4, told a second time.

Each session is walked once, in the order in which things really happened (`course.py`). The SQL
does not know that order: it has hashes, offsets and clocks. Nothing here is shared with it.
"""

from collections import Counter
from datetime import datetime, timedelta

from tests.simulator.course import Finding, Trail, read
from tests.simulator.forgotten import uncovered
from tests.simulator.shipping import Left

FAILED_STARTS = ("none", "refused", "failed", "already_used")
NO_HOOK_TEXT_VERSIONS = ("2.1.7",)


def findings(lefts: list[Left], as_of: datetime, grace: timedelta) -> Counter[Finding]:
    """Every compaction of every session, as the shipped witnesses show it."""
    courses = [read(left, as_of) for left in lefts]
    found = [
        finding_of(trail, as_of, grace)
        for course in courses
        for trail in course.trails
        if trail.row.outcome in ("saved", "empty", "failed")
    ]
    return Counter([*found, *uncovered(courses)])


def finding_of(trail: Trail, as_of: datetime, grace: timedelta) -> Finding:
    outcome, evidence, is_unresolved = decide(trail, as_of, grace)
    row = trail.row
    return Finding(
        row.event_id, outcome, evidence, is_unresolved, row.interface, row.guard_fingerprint
    )


def decide(trail: Trail, as_of: datetime, grace: timedelta) -> tuple[str, str, bool]:
    """Outcome, evidence, whether unresolved. Three questions: has it finished? did the text go
    out? and if not, did anybody go on without it?"""
    rows, texts = injections(trail), arrivals(trail)
    if as_of - trail.row.at < grace and not rows and not texts:
        return "deferred", shown_by(trail), False
    if witness := contradicted_by(trail):
        outcome = "unconfirmed" if trail.starts or trail.has_receipt else "aborted"
        return outcome, witness, False
    if not finished_by(trail):
        return "aborted", "absence", True
    if trail.row.outcome != "saved":
        outcome = {"failed": "missed", "empty": "empty"}[trail.row.outcome]
        return outcome, shown_by(trail), False
    if rows or texts:
        return _delivered(trail, rows, texts)
    return _not_delivered(trail)


def _delivered(trail: Trail, rows: int, texts: int) -> tuple[str, str, bool]:
    if max(rows, texts) > 1:
        return "duplicated", "transcript" if texts > 1 else "session_start", False
    if rows and not texts and _text_is_absent(trail):
        return "missed", "transcript", False
    if trail.row.delivery == "next_turn" and trail.row.trigger == "auto":
        return "deferred", shown_by(trail), False
    return "injected", "transcript" if texts else "session_start", False


def _not_delivered(trail: Trail) -> tuple[str, str, bool]:
    if any(start.outcome in FAILED_STARTS for start in trail.starts):
        return "missed", shown_by(trail), False
    followed = {mark.kind for mark in trail.after} if trail.transcript == "finished" else set()
    if trail.row.delivery == "next_turn":
        if _is_superseded(trail):
            return "deferred", shown_by(trail), False
        has_gone_on = "user_prompt" in followed
    else:
        has_gone_on = trail.is_later_row or "model_turn" in followed
    if has_gone_on:
        return "missed", shown_by(trail), False
    is_settled = trail.transcript == "finished" and trail.reads_on
    return "deferred", shown_by(trail), not is_settled


def _text_is_absent(trail: Trail) -> bool:
    """The transcript would show the text, had it arrived before the model went on."""
    is_recorded = trail.row.agent_version not in NO_HOOK_TEXT_VERSIONS
    if trail.transcript != "finished" or not is_recorded:
        return False
    can_be_elsewhere = trail.row.delivery == "next_turn" and not trail.reads_on
    return not can_be_elsewhere and any(mark.kind == "model_turn" for mark in trail.after)


def _is_superseded(trail: Trail) -> bool:
    """The nearest newer one that went out, unless somebody asked between the two."""
    newer = next((newer for newer in trail.newer if _went_out(newer)), None)
    if newer is None or trail.transcript != "finished":
        return newer is not None
    begun = newer.row.transcript_bytes
    if newer.transcript == "finished":
        begun = newer.boundaries[0].offset
    prompts = [mark.offset for mark in trail.after if mark.kind == "user_prompt"]
    return not prompts or begun is None or prompts[0] > begun


def _went_out(trail: Trail) -> bool:
    rows, texts = injections(trail), arrivals(trail)
    return bool(rows or texts) and not (rows == 1 and not texts and _text_is_absent(trail))


def injections(trail: Trail) -> int:
    return sum(start.outcome == "injected" for start in trail.starts)


def arrivals(trail: Trail) -> int:
    if trail.transcript != "finished" or not trail.row.checkpoint_hash:
        return 0
    return sum(
        mark.kind == "injected_text" and mark.key == trail.row.checkpoint_hash
        for mark in trail.after
    )


def next_row_says(trail: Trail) -> str:
    if trail.next is None or trail.next.row.transcript_bytes is None:
        return "silent"
    boundary = trail.next.row.last_boundary_bytes
    if boundary is None:
        return "contradicted"
    if trail.row.transcript_bytes is None:
        return "silent"
    return "finished" if boundary >= trail.row.transcript_bytes else "contradicted"


def contradicted_by(trail: Trail) -> str | None:
    if trail.transcript != "silent":
        return "transcript" if trail.transcript == "contradicted" else None
    return "next_row" if next_row_says(trail) == "contradicted" else None


def finished_by(trail: Trail) -> list[str]:
    """The witnesses of the end, the most independent first."""
    signs = {
        "transcript": trail.transcript == "finished",
        "session_start": bool(trail.starts),
        "next_row": next_row_says(trail) == "finished",
        "receipt": trail.has_receipt,
    }
    return [witness for witness, speaks in signs.items() if speaks]


def shown_by(trail: Trail) -> str:
    return next(iter(finished_by(trail)), "absence")

"""Evaluations for the tests of reports: audit logs and a transcript, told as stories."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from compact_guard.evaluator import evaluation, policy
from tests.builders import (
    MORNING,
    OLD_FINGERPRINT,
    Session,
    busy_weeks,
    digest,
    rows_of,
    write_log,
)
from tests.models import NIGHT
from tests.transcripts.stories import ClaudeStory, label

TRANSCRIPT = "transcripts/s1.jsonl"


def everything_that_can_happen() -> list[dict[str, Any] | str]:
    """Real work with one of each exclusion, other periods, and lines that are no rows."""
    queued = Session("queued", "codex/desktop", at=MORNING + timedelta(days=3))
    queued.queued("aa").queued("bb").start("bb").queued("cc", "manual").start("cc")
    odd = Session("odd", at=MORNING + timedelta(days=4))
    odd.aborted("dd").pre("ee").start("ee").receipt().delivered("ff", "manual")
    odd.pre(None, outcome="empty").finish().start(None, "none").receipt()
    odd.finish().start(None, "none").receipt().pre("gg").finish().receipt()
    odd.pre(None, outcome="skipped", reason="subagent", subagent=True)
    rehearsed = Session("bench", at=MORNING, origin="synthetic").delivered("hh")
    old = Session("old", at=MORNING - timedelta(days=9), fingerprint=OLD_FINGERPRINT)
    old.delivered("ii").pre("jj").finish().start(None, "none")
    beside = Session("beside", at=MORNING + timedelta(days=6), fingerprint="c" * 12)
    beside.delivered("kk").delivered("ll").start("ll")
    fresh = Session("fresh", at=NIGHT - timedelta(minutes=15)).pre("mm")
    late = Session("late", at=NIGHT + timedelta(hours=1)).delivered("nn")
    sessions = [*busy_weeks(), queued, odd, rehearsed, old, beside, fresh, late]
    lines: list[dict[str, Any] | str] = list(rows_of(sessions))
    return [*lines, lines[0], "torn {", '{"schema": "compact-guard.audit/2"}']


def failures() -> list[dict[str, Any]]:
    """Real work with one checkpoint passed by and one given back twice."""
    bad = Session("bad", at=MORNING + timedelta(days=5)).pre("aa").finish().delivered("bb")
    worse = Session("worse", at=MORNING + timedelta(days=6)).delivered("cc").start("cc")
    return rows_of([*busy_weeks(), bad, worse])


def witnessed(folder: Path) -> list[dict[str, Any]]:
    """Real work that measures itself, and an injection that its transcript contradicts."""
    transcript = ClaudeStory(folder / TRANSCRIPT).typed().answered("m1")
    place = {
        "transcript_hash": digest(transcript.path.read_text(encoding="utf-8").splitlines()[0]),
        "transcript_bytes": transcript.path.stat().st_size,
    }
    transcript.boundary().hook_said(label(digest("zz"))).answered("m2")
    session = Session("s1", at=datetime(2026, 11, 30, 1, 55)).delivered("aa")
    rows = rows_of(busy_weeks()) + [
        row | {name: value for name, value in place.items() if row[name] is not None}
        for row in session.rows
    ]
    return [measured(row) for row in rows]


def measured(row: dict[str, Any]) -> dict[str, Any]:
    """The row with the counts that a guard writes."""
    counts: dict[str, dict[str, int]] = {
        "pre_compact": {"items_kept": 14, "redactions": 1},
        "session_start": {"characters": 5_200, "items_kept": 14},
        "post_compact": {"summary_characters": 9_000, "rescued_corrections": 1, "rescued_tasks": 2},
    }
    return row | {"counts": counts[row["event"]], "duration_ms": 20.0 + row["event_id"].count("a")}


STORIES = {
    "keep": lambda folder: rows_of(busy_weeks()),
    "observe": lambda folder: everything_that_can_happen(),
    "observe_thin": lambda folder: rows_of(busy_weeks(sessions=3, compactions=5)),
    "revert": lambda folder: failures(),
    "revert_witnessed": witnessed,
    "rehearsal": lambda folder: rows_of(busy_weeks(origin="synthetic")),
    "nothing": lambda folder: ["torn {"],
}


def judged(folder: Path, name: str) -> evaluation.Evaluation:
    """The evaluation of a story as of NIGHT; its files lie below `folder`."""
    audit = write_log(folder / "audit", STORIES[name](folder))
    transcripts = (folder / TRANSCRIPT,) if (folder / TRANSCRIPT).exists() else ()
    request = evaluation.Request(
        audit=(audit,),
        policy=policy.load(),
        as_of=NIGHT,
        transcripts=transcripts,
        is_rehearsal=name == "rehearsal",
    )
    return evaluation.evaluate(request)

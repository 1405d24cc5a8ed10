"""Reports as a whole, one for each verdict, and the terminal's summary."""

from datetime import timedelta
from pathlib import Path

import pytest

from compact_guard import console, evaluation, policy, report, wording
from tests import snapshots
from tests.builders import MORNING, OLD_FINGERPRINT, Session, busy_weeks, rows_of, write_log
from tests.models import NIGHT

pytestmark = pytest.mark.slow

SNAPSHOTS = Path(__file__).parent / "snapshots"


def everything_that_can_happen() -> list[dict | str]:
    """Real work with one of each exclusion, an older period, and lines that are no rows."""
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
    fresh = Session("fresh", at=NIGHT - timedelta(minutes=15)).pre("kk")
    late = Session("late", at=NIGHT + timedelta(hours=1)).delivered("ll")
    lines: list[dict | str] = rows_of([*busy_weeks(), queued, odd, rehearsed, old, fresh, late])
    return [*lines, lines[0], "torn {", '{"schema": "compact-guard.audit/2"}']


def judged(folder: Path, rows: list, *, is_rehearsal: bool = False) -> evaluation.Evaluation:
    request = evaluation.Request(
        audit=(write_log(folder / "audit", rows),),
        policy=policy.load(),
        as_of=NIGHT,
        is_rehearsal=is_rehearsal,
    )
    return evaluation.evaluate(request)


STORIES = {
    "keep": lambda: rows_of(busy_weeks()),
    "observe": everything_that_can_happen,
    "observe_thin": lambda: rows_of(busy_weeks(sessions=3, compactions=5)),
    "revert": lambda: rows_of(
        [
            *busy_weeks(),
            Session("bad", at=MORNING + timedelta(days=5)).pre("aa").finish().delivered("bb"),
            Session("worse", at=MORNING + timedelta(days=6)).delivered("cc").start("cc"),
        ]
    ),
}


@pytest.mark.parametrize("story", STORIES)
def test_the_report_of_a_story_is_the_one_that_was_read_and_accepted(story, tmp_path):
    found = report.render(judged(tmp_path, STORIES[story]()))

    snapshots.check(found, SNAPSHOTS / f"{story}.md")


def test_a_rehearsal_says_so_before_anything_else(tmp_path):
    rows = rows_of(busy_weeks(origin="synthetic"))

    found = report.render(judged(tmp_path, rows, is_rehearsal=True))

    snapshots.check(found, SNAPSHOTS / "rehearsal.md")


@pytest.mark.parametrize("story", STORIES)
def test_the_summary_is_plain_text_where_nobody_looks(story, tmp_path, capsys):
    console.print_summary(judged(tmp_path, STORIES[story]()), Path("reports/2026-11-30-verdict.md"))

    snapshots.check(capsys.readouterr().out, SNAPSHOTS / f"{story}.txt")


def test_a_report_is_replaced_whole_and_leaves_no_draft(tmp_path):
    outcome = judged(tmp_path, rows_of(busy_weeks(1, 1)))

    first = report.write(outcome, tmp_path / "reports")
    assert report.write(outcome, tmp_path / "reports") == first
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["2026-11-30-verdict.md"]


def test_no_conversation_text_reaches_a_report_through_an_audit_log(tmp_path):
    rows = [*rows_of(busy_weeks(1, 1)), '{"prompt": "hunter22"}']
    spoilt = rows[0] | {"event_id": "c" * 24, "note": "hunter22", "reason": "hunter22"}

    assert "hunter22" not in report.render(judged(tmp_path, [*rows, spoilt]))


def test_every_word_of_the_marts_has_a_wording():
    sql = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(report.assets.folder("sql", "intermediate")).glob("int_compactions_*.sql")
    )

    for detail in wording.EXCLUSIONS | wording.FAILURES:
        assert f"'{detail}'" in sql, detail

"""Reports as a whole, one for each verdict, and what must hold for any of them."""

import os
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from compact_guard import assets
from compact_guard.agents import registry
from compact_guard.agents.claude_code import hook as claude_code
from compact_guard.agents.codex import hook_client
from compact_guard.errors import UsageError
from compact_guard.evaluator import evaluation, policy
from compact_guard.report import console, phrases, rules, verdict_report, wording
from compact_guard.transcripts import facts, witness
from tests import snapshots
from tests.builders import OLD_FINGERPRINT, Session, busy_weeks, rows_of, write_log
from tests.evaluator.stories import STORIES
from tests.models import NIGHT

pytestmark = pytest.mark.slow

SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("story", STORIES)
def test_what_a_story_leads_to_is_what_was_read_and_accepted(story, evaluation_of, capsys):
    outcome = evaluation_of(story)
    console.print_summary(outcome, Path("reports/2026-11-30-verdict.md"))

    snapshots.check(capsys.readouterr().out, SNAPSHOTS / f"{story}.txt")
    snapshots.check(verdict_report.render(outcome), SNAPSHOTS / f"{story}.md")


def test_every_way_in_which_an_agent_of_ours_is_attached_is_explained():
    behind_gateway = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:8080"}
    named = {claude_code.interface({}), claude_code.interface(behind_gateway)}
    named |= {hook_client.CLI, hook_client.DESKTOP, hook_client.OTHER}

    assert all(registry.interface_words(name) for name in named)
    assert len(named) == 5
    assert registry.interface_words("another-tool/cli") is None


@pytest.mark.parametrize(
    ("triggers", "words"),
    [
        (("auto",), "if the agent began it by itself. Where somebody asked for it, it can convict"),
        (
            ("manual",),
            "if somebody asked for it. Where the agent began it by itself, it can convict",
        ),
        (("auto", "manual"), "lost or repeated."),
    ],
)
def test_it_says_which_compactions_count(triggers, words):
    assert words in rules.what_counts(replace(policy.load(None), natural_triggers=triggers))


@pytest.mark.parametrize("story", STORIES)
def test_every_table_has_as_many_cells_in_each_row_as_in_its_head(story, evaluation_of):
    tables = [
        block.splitlines()
        for block in verdict_report.render(evaluation_of(story)).split("\n\n")
        if block.startswith("|")
    ]

    for head, _, *rows in tables:
        assert {row.count("|") for row in rows} == {head.count("|")}, head


def test_a_trail_tells_rows_and_transcript_in_the_order_of_their_times(evaluation_of):
    text = verdict_report.render(evaluation_of("revert_witnessed"))

    trail = text.partition("## What failed")[2].partition("\n## ")[0]
    steps = ["pre_compact", "boundary", "injected_text", "model_turn", "session_start"]
    places = [trail.index(f"(`{step}`)") for step in steps]
    assert places == sorted(places)
    assert "the transcript shows another text or none" in trail
    assert "another checkpoint's text arrived" in trail


def test_of_many_failures_the_first_are_told_in_full_and_the_rest_counted(evaluation_of):
    outcome = evaluation_of("revert")
    [result] = outcome.interfaces
    more = replace(
        result,
        evidence=replace(result.evidence, outcomes=result.evidence.outcomes | {"missed": 300}),
    )

    text = verdict_report.render(replace(outcome, interfaces=(more,)))

    assert "299 more failures of the present periods" in text


def test_what_others_wrote_stays_within_its_cell(evaluation_of):
    outcome = evaluation_of("keep")
    reasons = outcome.request.policy.reasons | {"grace": "mine | not\nyours <b>"}
    request = replace(outcome.request, policy=replace(outcome.request.policy, reasons=reasons))

    assert "| mine \\| not yours <b> |" in verdict_report.render(replace(outcome, request=request))


def test_no_conversation_text_reaches_a_report_through_an_audit_log(tmp_path):
    rows = [*rows_of(busy_weeks(1, 1)), '{"prompt": "hunter22"}']
    spoilt = rows[0] | {"event_id": "c" * 24, "note": "hunter22", "reason": "hunter22"}
    request = evaluation.Request(
        audit=(write_log(tmp_path / "audit", [*rows, spoilt]),), policy=policy.load(), as_of=NIGHT
    )

    verdict_report.write(evaluation.evaluate(request), tmp_path / "reports", is_html_wanted=True)

    written = [file.read_text("utf-8") for file in (tmp_path / "reports").iterdir()]
    assert len(written) == 4
    assert not any("hunter22" in text for text in written)


class TestWhatChanged:
    """Verdicts night by night, on one warehouse that is kept."""

    def night(self, tmp_path, rows, as_of) -> str:
        request = evaluation.Request(
            audit=(write_log(tmp_path / f"{as_of:%d}" / "audit", rows),),
            policy=policy.load(),
            as_of=as_of,
        )
        outcome = evaluation.evaluate(request)
        self.told = (*getattr(self, "told", ()), *outcome.history)
        return verdict_report.render(replace(outcome, history=self.told))

    def test_the_first_verdict_changed_nothing(self, tmp_path):
        assert "## What changed" not in self.night(tmp_path, rows_of(busy_weeks()), NIGHT)

    def test_what_grew_since_the_last_verdict_is_counted(self, tmp_path):
        rows = rows_of(busy_weeks())

        self.night(tmp_path, rows, NIGHT - timedelta(days=9))
        text = self.night(tmp_path, rows, NIGHT)

        assert "**OBSERVE became KEEP**; " in text
        assert (
            "- claude-code/anthropic, since 2026-11-21 03:00 UTC: **OBSERVE became KEEP**; "
            "30 natural events more, 10 counted compactions more, 5 sessions more\n"
        ) in text
        assert "| 2026-11-21 03:00 UTC | claude-code/anthropic | OBSERVE | 147 | 49 | 0 |" in text
        assert "| 2026-11-30 03:00 UTC | claude-code/anthropic | KEEP | 177 | 59 | 0 |" in text

    def test_a_night_without_work_says_so(self, tmp_path):
        rows = rows_of(busy_weeks())

        self.night(tmp_path, rows, NIGHT - timedelta(days=1))

        assert ": still KEEP; nothing new\n" in self.night(tmp_path, rows, NIGHT)

    def test_a_new_period_is_no_shrinking_of_the_old_one(self, tmp_path):
        old = rows_of(busy_weeks(fingerprint=OLD_FINGERPRINT))
        new = Session("new", at=NIGHT - timedelta(hours=2)).delivered("aa").rows

        self.night(tmp_path, old, NIGHT - timedelta(days=1))
        text = self.night(tmp_path, [*old, *new], NIGHT)

        assert "**KEEP became OBSERVE**; a new observation period began (fingerprint `bbb" in text


def test_charts_lie_beside_the_report_and_html_only_on_demand(evaluation_of, tmp_path):
    outcome = evaluation_of("keep")

    file = verdict_report.write(outcome, tmp_path)
    charts = {"2026-11-30-verdict-evidence.svg", "2026-11-30-verdict-outcomes.svg"}
    assert {path.name for path in tmp_path.iterdir()} == {file.name, *charts}
    assert all(f"]({chart})" in file.read_text("utf-8") for chart in charts)

    verdict_report.write(outcome, tmp_path, is_html_wanted=True)
    assert (tmp_path / "2026-11-30-verdict.html").is_file()


CALLS = [(call, number) for call in ("write_text", "replace") for number in (1, 2, 3, 4)]


@pytest.mark.parametrize(("call", "number"), CALLS)
def test_whichever_write_fails_each_file_is_the_old_one_or_the_new_one(
    call, number, evaluation_of, tmp_path, monkeypatch
):
    verdict_report.write(evaluation_of("keep"), tmp_path / "new", is_html_wanted=True)
    verdict_report.write(evaluation_of("revert"), tmp_path / "reports", is_html_wanted=True)
    old = contents(tmp_path / "reports")
    new = contents(tmp_path / "new")
    owner = os if call == "replace" else Path
    real, made = getattr(owner, call), []

    def failing(*arguments, **keywords):
        made.append(call)
        if len(made) == number:
            raise OSError("failed on purpose")
        return real(*arguments, **keywords)

    monkeypatch.setattr(owner, call, failing)
    with pytest.raises(UsageError, match="give --reports a folder"):
        verdict_report.write(evaluation_of("keep"), tmp_path / "reports", is_html_wanted=True)

    found = contents(tmp_path / "reports")
    assert found.keys() == old.keys()
    assert all(found[name] in (old[name], new[name]) for name in found)


def contents(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in folder.iterdir()}


def test_a_folder_that_cannot_be_written_is_named_with_the_mend(evaluation_of, tmp_path):
    (tmp_path / "reports").write_text("a file, no folder")

    with pytest.raises(UsageError, match=r"reports .*: give --reports a folder"):
        verdict_report.write(evaluation_of("keep"), tmp_path / "reports")


def test_every_word_of_the_marts_has_a_wording():
    sql = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(assets.folder("sql", "intermediate")).glob("int_compactions_*.sql")
    )

    for detail in wording.EXCLUSIONS | wording.FAILURES:
        assert f"'{detail}'" in sql, detail
    assert wording.QUARANTINE_MENDS.keys() == wording.QUARANTINE_REASONS.keys()
    events = {"pre_compact", "session_start", "post_compact"}
    kinds = {*get_args(facts.Kind)} - {"unreadable"}
    assert wording.TRAIL_STEPS.keys() == events | kinds


def test_every_use_of_a_transcript_has_words():
    sql = (assets.folder("sql", "marts") / "transcripts_read.sql").read_text("utf-8")
    words = set(re.findall(r"(?:then|else) '(\w+)'", sql))
    rejected = set(re.findall(r"`(\w+)`", witness.File.__doc__)) - {"reject_reason"}

    assert words | rejected == wording.TRANSCRIPT_USES.keys()


def test_of_many_quarantined_lines_the_first_are_told_and_the_rest_counted(evaluation_of):
    outcome = evaluation_of("observe")
    many = replace(outcome, rows=replace(outcome.rows, quarantined=5_002))

    assert "5000 more quarantined lines stand in the warehouse" in verdict_report.render(many)


def test_boundaries_of_no_known_interface_are_listed(evaluation_of):
    boundary = {
        "event_at": NIGHT,
        "transcript_hash": "d" * 64,
        "agent_version": None,
        "trigger": "auto",
    }

    text = verdict_report.render(replace(evaluation_of("keep"), unplaced=(boundary,)))

    assert "1 compaction in these transcripts belongs to an interface that nothing names" in text
    assert "| 2026-11-30 03:00 UTC | `dddddddddddd` | unknown | auto |" in text


def test_notes_about_the_warehouse_stand_at_the_top(evaluation_of, capsys):
    outcome = replace(evaluation_of("keep"), notes=("The warehouse was made anew.",))
    console.print_summary(outcome, Path("x.md"))

    assert "The warehouse was made anew." in capsys.readouterr().out
    assert "> The warehouse was made anew." in verdict_report.render(outcome).partition("## ")[0]


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0495, "5 in 100"), (0.05, "5 in 100"), (0.0501, "6 in 100"), (1.0, "all of them")],
)
def test_a_bound_in_whole_cases_is_rounded_up(share, words):
    assert phrases.of_hundred(share) == words


def test_one_is_singular_and_many_are_not():
    assert phrases.counted(1, "copy", "copies") == "1 copy"
    assert phrases.counted(2_000, "copy", "copies") == "2,000 copies"
    assert phrases.counted(0, "row") == "0 rows"

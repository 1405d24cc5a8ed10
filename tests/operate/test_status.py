"""`compact-guard status`: the state in a few lines, and in an exit status."""

import json
import time
from datetime import timedelta
from pathlib import Path

import pytest

from compact_guard import cli
from compact_guard.checkpoints import inventory
from compact_guard.hook import limits, paths
from tests.builders import Session
from tests.hook.codex import CodexGuard, Rollout
from tests.hook.conftest import Guard
from tests.hook.transcripts import Transcript
from tests.operate.stories import failing


@pytest.fixture
def status(capsys):
    """Run the command; returns exit status and standard output."""

    def run(*options: str):
        code = cli.main(["status", *options])
        out, err = capsys.readouterr()
        assert err == ""
        return code, out

    return run


@pytest.fixture
def guard(a_home_of_its_own) -> Guard:
    """Hooks that really run, on the home that `status` looks at."""
    return Guard(Path(paths.audit_folder()).parent)


@pytest.fixture
def own(log, a_home_of_its_own, capsys):
    """The user's own audit log, with the hooks installed."""
    (a_home_of_its_own / ".claude").mkdir()
    assert cli.main(["install", "claude-code", "--yes"]) == 0
    capsys.readouterr()
    log.audit = Path(paths.audit_folder())
    return log


def test_before_anything_it_says_what_to_do_first(status):
    code, out = status()

    assert code == 1
    assert out == (
        "hooks       not installed: run `compact-guard install AGENT`\n"
        "compaction  none seen by the hooks\n"
        "verdict     none yet: run `compact-guard evaluate`\n"
    )


def test_hooks_without_a_verdict_are_under_observation(status, own):
    code, out = status()

    assert code == 3
    assert "claude-code: installed in" in out


@pytest.mark.parametrize(
    ("is_failing", "expected", "evidence"),
    [
        (False, 0, "KEEP, 59 of 59 counted compactions, 25 of 20 sessions, 177 of 171 audit rows"),
        (True, 4, "REVERT, 60 of 59 counted compactions, 26 of 20 sessions"),
    ],
)
def test_a_verdict_is_told_with_its_evidence_and_its_exit_status(
    status, own, is_failing, expected, evidence
):
    own.grow_busy_weeks()
    if is_failing:
        own.grow(failing("bad"))
    own.news()

    code, out = status()

    assert code == expected
    assert f"claude-code/anthropic: {evidence}" in out
    assert ("FAILURES: 1" in out) == is_failing
    assert out.endswith("reports/2026-11-30-verdict.md\n")


def test_the_last_compaction_is_that_of_real_work(status, own):
    real = Session("s").delivered("a")
    own.grow(real, Session("t", at=real.now + timedelta(days=1), origin="synthetic").delivered("b"))

    [last] = json.loads(status("--json")[1])["last_compactions"]
    assert last["at"].startswith("2026-11-05T03:05:00")
    assert (last["interface"], last["saved"]) == ("claude-code/anthropic", "saved")
    assert last["delivery"] == "injected"
    assert "claude-code/anthropic: checkpoint saved, given back\n" in status()[1]


def test_each_interface_tells_its_own_newest_compaction(guard, tmp_path, status):
    claude = Transcript(tmp_path / "s1.jsonl").typed("Never deploy on Fridays.")
    codex, story = CodexGuard(guard.home), Rollout(tmp_path / "rollout-t1.jsonl")
    guard.pre_compact(claude.path)
    guard.session_start(claude.path)
    codex.compact(story.prompt("Never deploy on Fridays."), "c1")
    guard.pre_compact(tmp_path / "nowhere.jsonl", session_id="s2")

    told = status()[1]

    assert "in claude-code/anthropic: checkpoint failed (no_transcript)\n" in told
    assert "in codex/cli: checkpoint saved\n" in told
    assert "pending     codex: 1 checkpoint not given back yet\n" in told
    assert "pending     claude-code" not in told
    [pending] = json.loads(status("--json")[1])["pending_checkpoints"]
    assert (pending["agent"], pending["is_used"]) == ("codex", False)


def test_what_is_too_old_or_was_changed_waits_for_nobody(guard, tmp_path):
    claude = Transcript(tmp_path / "s1.jsonl").typed("Never deploy on Fridays.")
    guard.pre_compact(claude.path)
    now = time.time()

    assert len(inventory.pending(now)) == 1
    assert inventory.pending(now + limits.DELIVERY_AGE_SECONDS_MAX + 5) == []
    guard.checkpoints()[0].write_bytes(b"{}")
    assert inventory.pending(now) == []


def test_json_holds_what_the_lines_say(status, own):
    own.grow(failing("s")).news()

    answer = json.loads(status("--json")[1])

    [place] = answer["installed"]
    assert place["agent"] == "claude-code"
    assert answer["problems"] == []
    assert answer["last_evaluation"]["verdict"] == "OBSERVE"
    [interface] = answer["last_evaluation"]["interfaces"]
    assert (interface["failures"], interface["needed"]) == (1, 59)
    assert "told" not in answer["last_evaluation"]


def test_settings_that_cannot_be_read_are_a_line_and_no_crash(status, own, a_home_of_its_own):
    (a_home_of_its_own / ".claude" / "settings.json").write_text("{")

    code, out = status()

    assert code == 1
    assert "claude-code: " in out
    assert "settings.json, line 1" in out


def test_garbled_rows_are_passed_over(status, own):
    own.grow(Session("s").delivered("a"))
    [log] = own.audit.glob("*.jsonl")
    with log.open("ab") as stream:
        stream.write(b'\xff\n[]\n{"event": "pre_compact"}\n{"event": 5\n')

    assert "claude-code/anthropic: checkpoint saved" in status()[1]

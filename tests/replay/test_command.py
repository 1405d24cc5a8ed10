"""`compact-guard replay` as it is typed: whole outputs as snapshots, exit statuses, no trace."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from compact_guard import cli
from compact_guard.progress import silent
from compact_guard.replay import answer, answer_text, dry_guard, examples
from compact_guard.replay.terminal import Paint
from tests import snapshots
from tests.replay import heron
from tests.replay.conftest import CORRECTION
from tests.source_tree import ROOT

SNAPSHOTS = Path(__file__).with_name("snapshots")
EXAMPLES = "docs/examples/replay"


@pytest.fixture(autouse=True)
def still_clocks(monkeypatch):
    """Each checkpoint takes 47 ms, all of it two seconds."""
    cpu, wall = iter(range(1_000)), iter([0.0, 2.0] * 100)
    monkeypatch.setattr(dry_guard.time, "process_time", lambda: next(cpu) * 0.047)
    monkeypatch.setattr(answer.time, "monotonic", lambda: next(wall))
    monkeypatch.chdir(ROOT)


@pytest.fixture
def replay(capsys):
    def typed(*arguments: object) -> str:
        status = cli.main(["replay", *map(str, arguments)])
        printed = capsys.readouterr()
        assert (status, printed.err) == (0, "")
        return printed.out

    return typed


def test_the_examples_are_what_their_stories_tell(tmp_path):
    heron.write(tmp_path)

    told = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert told == {file.name: file.read_bytes() for file in heron.EXAMPLES.iterdir()}


@pytest.mark.parametrize("columns", [80, 120])
def test_what_a_newcomer_sees(replay, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))

    told = replay(EXAMPLES)

    snapshots.check(told, SNAPSHOTS / f"terminal-{columns}.txt")
    assert max(map(len, told.splitlines())) <= columns


def test_what_a_newcomer_sees_in_colour():
    found = answer.replay(sorted(heron.EXAMPLES.iterdir()), silent)
    chosen = examples.choose(found, 3)

    coloured = list(answer_text.lines(found, chosen, 80, Paint(is_wanted=True), ["try it"]))

    plain = list(answer_text.lines(found, chosen, 80, Paint(is_wanted=False), ["try it"]))
    assert [re.sub(r"\x1b\[[\d;]*m", "", line) for line in coloured] == plain
    assert "\x1b[1;33m2/2\x1b[0m" in coloured[2]


def test_what_programs_get(replay):
    told = replay(EXAMPLES, "--json")

    snapshots.check(told, SNAPSHOTS / "answer.json")
    assert json.loads(told)["totals"]["compactions"] == 5


@pytest.mark.parametrize(("option", "suffix"), [((), "txt"), (("--json",), "json")])
def test_what_is_shared(replay, option, suffix):
    told = replay(EXAMPLES, "--share", *option)

    snapshots.check(told, SNAPSHOTS / f"shared.{suffix}")
    spoken = [text for story in (heron.FIRST, heron.SECOND, heron.THIRD, heron.IN_CODEX)
              for said in story for text in said]  # fmt: skip
    secret = [
        *spoken,
        heron.CLAUDE[:8],
        heron.CODEX[:8],
        "heron",
        "2026",
        "2.1.332",
        "jsonl",
        "docs",
    ]
    assert [text for text in secret if text in told] == []


def test_share_tells_nothing_of_what_was_left_out_either(replay, tmp_path, claude):
    claude.typed(CORRECTION).compacted()
    (tmp_path / "private-name.jsonl").write_text('{"hello": "world"}\n')

    told = replay(tmp_path, "--share", "--json")

    assert "private-name" not in told
    assert str(tmp_path) not in told


def test_as_many_examples_as_are_asked_for(replay):
    assert replay(EXAMPLES, "--show", 5).count("“") == 5
    assert "for example" not in replay(EXAMPLES, "--show", 0)


def test_without_a_compaction_there_is_nothing_to_replay(replay, claude):
    claude.typed(CORRECTION)

    assert replay(claude.path).startswith("No compaction yet in 1 transcript: nothing to replay.\n")


def test_what_was_left_out_is_told_by_reason(replay, claude, tmp_path):
    claude.typed(CORRECTION).raw(b'{"type":"user","half\n').compacted()
    (tmp_path / "other.jsonl").write_text('{"hello": "world"}\n')

    told = replay(tmp_path)

    assert "Left out: 1 file of no agent that is known here; 1 line damaged.\n" in told


def test_where_no_summary_can_be_read_nothing_is_claimed(replay, rollout):
    rollout.prompt(CORRECTION).boundary()

    told = replay(rollout.path)

    assert "1 compaction in 1 session: no summary can be read" in told
    assert "-/1" in told


def test_where_nothing_was_lost_that_is_said(replay, claude):
    claude.typed(CORRECTION).compacted(summary=CORRECTION)

    told = " ".join(replay(claude.path).split())
    assert "1 session: the summaries lost no correction, decision or constraint of yours." in told


def test_names_and_quotations_can_do_no_harm_to_a_terminal(replay, claude):
    claude.typed(f"{CORRECTION}\x1b[2J\n\tIt is so.", cwd="/home/user/\x1b]0;evil\x07bird")
    claude.compacted()

    told = replay(claude.path)

    assert "\x1b" not in told
    assert "]0;evilbird · claude-code" in told


def test_the_sessions_of_both_agents_are_the_default(replay, a_home_of_its_own):
    heron.in_claude_code(folder(a_home_of_its_own / ".claude/projects/heron") / "a.jsonl")
    heron.in_codex(folder(a_home_of_its_own / ".codex/sessions/2026/11/28") / "rollout-a.jsonl")

    assert replay().count("heron-api · ") == 2


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def test_an_agent_that_has_the_hooks_needs_no_hint(replay, claude):
    claude.typed(CORRECTION).compacted()
    assert "compact-guard install claude-code --dry-run" in replay(claude.path)
    assert cli.main(["install", "claude-code", "--yes"]) == 0

    assert "compact-guard install" not in replay(claude.path).partition("nothing was written")[2]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "no transcripts in "),
        (["nowhere"], "no transcript at nowhere: mend the path or leave it out"),
        (["docs/policy.md"], "nothing to replay: 1 file without a single record"),
        (["sql"], "no transcripts in sql: name a PATH"),
    ],
)
def test_where_nothing_is_readable_the_status_is_2(capsys, arguments, complaint):
    assert cli.main(["replay", *arguments]) == cli.EXIT_USAGE
    assert capsys.readouterr().err.startswith(f"compact-guard: {complaint}")


def test_a_negative_number_is_bad_usage(capsys):
    with pytest.raises(SystemExit) as exit_:
        cli.main(["replay", "--show", "-1"])

    assert exit_.value.code == cli.EXIT_USAGE
    assert "0 or more" in capsys.readouterr().err


def test_the_base_installation_can_replay_and_leaves_no_trace(tmp_path):
    """No package but ours, a home that stays empty, transcripts that stay as they are."""
    home = folder(tmp_path / "home")
    heron.write(tmp_path)
    before = {file: file.stat().st_mtime_ns for file in tmp_path.glob("*.jsonl")}

    finished = subprocess.run(
        [sys.executable, "-S", "-m", "compact_guard", "replay", str(tmp_path)],
        cwd=ROOT,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (finished.returncode, finished.stderr) == (0, "")
    assert "5 compactions in 2 sessions" in finished.stdout
    assert list(home.rglob("*")) == []
    assert {file: file.stat().st_mtime_ns for file in tmp_path.glob("*.jsonl")} == before

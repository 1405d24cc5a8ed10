"""Names of runs, summaries, service units, best effort."""

import plistlib
import shlex
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from compact_guard import cli
from compact_guard.commands import serve
from compact_guard.evaluator.gate import ExpectationResult
from compact_guard.evaluator.verdict import OUTCOMES
from compact_guard.operate import digest, follow_up, naming, units
from compact_guard.operate.best_effort import BestEffort
from compact_guard.report import verdict_report
from tests import tools
from tests.builders import Session
from tests.evaluator.nights import NIGHT
from tests.operate.stories import failing


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({}, "2026-11-30 own audit log"),
        ({"catch_up": True}, "2026-11-30 nightly"),
        ({"paths": ["/a/recorded"], "rehearse": True}, "2026-11-30 recorded, rehearsal"),
        (
            {"paths": ["a", "b", "c"], "interface": "codex/cli"},
            "2026-11-30 codex/cli, a and b, and 1 more",
        ),
        ({"as_of": datetime(2026, 10, 1, tzinfo=UTC)}, "2026-10-01 own audit log"),
        ({"as_of": "2026-10-01T03:00:00Z"}, "2026-10-01 own audit log"),
    ],
)
def test_runs_are_called_what_they_are(parameters, name):
    assert naming.run_name(parameters, NIGHT) == name


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({}, "2026-11-30 window, own transcripts"),
        ({"paths": ["/a/herons"]}, "2026-11-30 window, herons"),
        ({"paths": ["a", "b", "c"]}, "2026-11-30 window, a and b, and 1 more"),
    ],
)
def test_studies_are_called_what_they_are(parameters, name):
    assert naming.study_name(parameters, NIGHT) == name


def test_times_are_naive_utc():
    zone = timezone(timedelta(hours=2))

    assert naming.naive_utc(datetime(2026, 11, 30, 2, tzinfo=zone)) == datetime(2026, 11, 30)
    assert naming.naive_utc(datetime(2026, 11, 30)) == datetime(2026, 11, 30)
    assert naming.naive_utc(None) is None


def test_a_github_step_gets_a_summary(log, monkeypatch):
    summary = log.folder / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    outcome = log.grow_busy_weeks().grow(failing("bad")).judged()

    follow_up.tell_news(outcome, verdict_report.write(outcome, log.folder))

    assert summary.read_text() == (
        "before\n"
        "## REVERT: the guard lost or repeated a checkpoint in real work\n\n"
        "As of 2026-11-30 03:00 UTC.\n\n"
        "| interface | verdict | counted | missed | duplicated | sessions |\n"
        "|---|---|---:|---:|---:|---:|\n"
        "| claude-code/anthropic | REVERT | 60 of 59 | 1 | 0 | 26 |\n\n"
        "- claude-code/anthropic: 1 missed of 60 delivered or due\n\n"
    )


def test_a_summary_that_cannot_be_written_costs_a_warning(log, monkeypatch, capfd):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(log.folder))

    assert log.grow(failing("s")).events() == ["missed"]
    assert "WARNING: GITHUB_STEP_SUMMARY" in capfd.readouterr().err


def test_every_outcome_that_happened_has_its_column_and_failures_always_have(log):
    aborted = Session("t").aborted("a").delivered("b")
    [row] = digest.outcomes(log.grow(failing("s"), aborted).judged())

    found = {name: row[name] for name in row if name in OUTCOMES}
    assert found == {"injected": 1, "missed": 1, "duplicated": 0, "aborted": 1}


def test_what_the_gate_checked_begins_with_what_does_not_hold(log):
    held, broken = (
        ExpectationResult("stg_audit_rows", "is well", "critical", "why", success, not success)
        for success in (True, False)
    )
    outcome = log.grow(failing("s")).judged()
    [result] = outcome.interfaces

    rows = digest.expectations(
        replace(outcome, interfaces=(replace(result, expectations=(held, broken)),))
    )

    assert [row["holds"] for row in rows] == ["NO", "yes"]


COMMAND = ["/opt/my env/python", "-m", "compact_guard", "--cron", "5 2 * * *", '100%"$HOME"\\']


def test_a_systemd_unit_runs_the_very_command():
    lines = units.systemd(COMMAND, {"COMPACT_GUARD_HOME": "/my home"}).splitlines()

    [command] = [line.removeprefix("ExecStart=") for line in lines if "ExecStart" in line]
    as_systemd_reads_it = [
        word.replace("%%", "%").replace("$$", "$") for word in shlex.split(command)
    ]
    assert as_systemd_reads_it == COMMAND
    assert 'Environment="COMPACT_GUARD_HOME=/my home"' in lines
    assert "Restart=on-failure" in lines


def test_systemd_has_nothing_to_say_against_the_unit(tmp_path):
    unit = tmp_path / "compact-guard.service"
    program = tmp_path / "my env" / "python"
    program.parent.mkdir()
    program.symlink_to(sys.executable)
    unit.write_text(units.systemd([str(program), *COMMAND[1:]], {"COMPACT_GUARD_HOME": "/my home"}))

    answer = subprocess.run(
        [tools.path_of("systemd-analyze"), "verify", "--user", "--man=no", str(unit)],
        env={"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_launchd_agent_runs_the_very_command():
    agent = plistlib.loads(units.launchd(COMMAND, {"A": "b"}).encode())

    assert agent["ProgramArguments"] == COMMAND
    assert agent["EnvironmentVariables"] == {"A": "b"}
    assert agent["KeepAlive"] == {"SuccessfulExit": False}


@pytest.mark.parametrize("kind", ["systemd", "launchd"])
def test_serve_prints_a_unit_that_serves_as_asked(kind, capsys):
    options = ["--cron", "0 4 * * 1", "--timezone", "Asia/Tokyo", "--policy", "mine.toml"]
    options += ["--weekly", "5 5 * * 5", "--window-policy", "of the window.toml"]

    assert cli.main(["serve", *options, "--print-unit", kind]) == 0

    out = capsys.readouterr().out
    for word in ("serve", "0 4 * * 1", "5 5 * * 5", "Asia/Tokyo", "mine.toml", "window.toml"):
        assert word in out


def test_the_time_zone_is_that_of_the_machine(monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Paris")
    assert serve.local_timezone() == "Europe/Paris"
    monkeypatch.setenv("TZ", "/etc/localtime")
    assert serve.local_timezone()


def test_what_works_is_done_until_something_does_not(capfd):
    done = []
    attempt = BestEffort()

    assert attempt(lambda: done.append(1))
    assert not attempt(lambda: 1 / 0)
    assert not attempt(lambda: done.append(2))

    assert done == [1]
    err = capfd.readouterr().err
    assert err.count("WARNING") == 1
    assert "ZeroDivisionError: division by zero" in err


def test_what_hangs_is_left_behind(capfd):
    hanging = threading.Event()

    assert not BestEffort(seconds_max=0.05)(hanging.wait)

    hanging.set()
    assert "no answer" in capfd.readouterr().err

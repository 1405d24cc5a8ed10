"""Names of runs, summaries, service units, best effort."""

import plistlib
import shlex
import threading
from datetime import UTC, datetime

import pytest

from compact_guard import cli
from compact_guard.commands import serve
from compact_guard.operate import digest, follow_up, naming, units
from compact_guard.operate.best_effort import BestEffort
from compact_guard.report import verdict_report
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


def test_every_outcome_has_its_column(log):
    [row] = digest.outcomes(log.grow(failing("s")).judged())

    assert row["missed"] == 1
    assert {"injected", "uncovered", "deferred"} <= set(row)


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


def test_a_launchd_agent_runs_the_very_command():
    agent = plistlib.loads(units.launchd(COMMAND, {"A": "b"}).encode())

    assert agent["ProgramArguments"] == COMMAND
    assert agent["EnvironmentVariables"] == {"A": "b"}
    assert agent["KeepAlive"] == {"SuccessfulExit": False}


@pytest.mark.parametrize("kind", ["systemd", "launchd"])
def test_serve_prints_a_unit_that_serves_as_asked(kind, capsys):
    options = ["--cron", "0 4 * * 1", "--timezone", "Asia/Tokyo", "--policy", "mine.toml"]

    assert cli.main(["serve", *options, "--print-unit", kind]) == 0

    out = capsys.readouterr().out
    for word in ("serve", "0 4 * * 1", "Asia/Tokyo", "mine.toml"):
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

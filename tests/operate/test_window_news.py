"""A study of the window that says something new: told once, remembered, shown by `status`."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from compact_guard import cli
from compact_guard.errors import UsageError
from compact_guard.operate import window_news, window_standing
from compact_guard.operate.channels import Channels
from tests.window.stories import ClaudeStory

PATHS = (Path("/home/user/herons"),)


@pytest.fixture
def serving():
    """Imported late: Prefect makes a folder in HOME as soon as it is imported."""
    from compact_guard.operate import serving

    return serving


def answer(verdict, reason="because"):
    return {"verdict": verdict, "reasons": [reason]}


def events(verdict, tmp_path, whom=Channels()):  # noqa: B008 - frozen
    told = window_news.tell(answer(verdict), tmp_path / "report.md", PATHS, whom)
    return [news.text for news in told]


def test_a_window_is_under_observation_until_it_is_judged(tmp_path):
    assert events("OBSERVE", tmp_path) == []


def test_each_change_of_verdict_is_told_once(tmp_path):
    told = [events(verdict, tmp_path) for verdict in ("KEEP", "KEEP", "REVERT", "REVERT")]

    assert told == [
        ["window: OBSERVE became KEEP: because"],
        [],
        ["window: KEEP became REVERT: because"],
        [],
    ]


def test_what_could_not_be_told_is_told_next_time(tmp_path, listener, capfd):
    listener.status = 500
    whom = Channels(webhook=listener.address)

    first, second = events("REVERT", tmp_path, whom), events("REVERT", tmp_path, whom)
    listener.status = 204
    third, fourth = events("REVERT", tmp_path, whom), events("REVERT", tmp_path, whom)

    assert first == second == third == ["window: OBSERVE became REVERT: because"]
    assert fourth == []
    assert listener.heard[-1][1]["event"] == "compact-guard.window.verdict.changed"
    assert "WARNING: the notify webhook failed" in capfd.readouterr().err


def test_what_cannot_be_remembered_costs_a_warning(tmp_path, monkeypatch, capfd):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path / "file"))

    assert len(events("KEEP", tmp_path)) == 1
    assert "it may be told again" in capfd.readouterr().err


@pytest.mark.parametrize("content", [b"", b"[]", b'{"schema": "other"}', b"\xff"])
def test_a_standing_that_cannot_be_read_is_begun_anew(tmp_path, content):
    events("KEEP", tmp_path)
    window_standing.file_of(PATHS).write_bytes(content)

    assert window_standing.newest() is None
    assert len(events("KEEP", tmp_path)) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[notify]\ncommand = ['true']\n[min_sessions]\nvalue = 3\n", Channels(("true",))),
        ("min_sessions = 3\n", Channels()),
    ],
)
def test_a_policy_of_the_study_says_whom_to_tell(tmp_path, text, told):
    policy = tmp_path / "policy.toml"
    policy.write_text(text)

    assert window_news.channels_of(policy) == told
    assert window_news.channels_of(None) == Channels()


@pytest.mark.parametrize("text", ["[notify]\nmail = 'me'\n", "[notify"])
def test_a_policy_that_cannot_be_used_is_named(tmp_path, text):
    policy = tmp_path / "policy.toml"
    policy.write_text(text)

    with pytest.raises(UsageError, match=r"policy\.toml"):
        window_news.channels_of(policy)


def test_status_tells_of_the_last_study(tmp_path, capsys):
    events("REVERT", tmp_path)

    cli.main(["status"])
    out = capsys.readouterr().out
    cli.main(["status", "--json"])
    told = json.loads(capsys.readouterr().out)["last_study"]

    assert "window      REVERT, studied just now (" in out
    assert out.endswith(f"            because\nreport      {tmp_path}/report.md\n")
    assert (told["verdict"], told["reasons"]) == ("REVERT", ["because"])
    assert "told" not in told


@pytest.mark.slow
def test_a_study_is_overdue_after_a_week(tmp_path, monkeypatch, serving):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    now = datetime(2026, 11, 30)
    assert not serving.is_study_overdue(now)

    ClaudeStory(tmp_path / "claude" / "projects" / "p" / "a.jsonl").said("m1")
    assert serving.is_study_overdue(now)
    standing = window_standing.WindowStanding(now, "OBSERVE", (), "", "OBSERVE")
    file = window_standing.file_of((tmp_path / "claude" / "projects",))
    window_standing.write(file, standing)
    assert not serving.is_study_overdue(now + timedelta(days=7))
    assert serving.is_study_overdue(now + timedelta(days=7, minutes=1))


@pytest.mark.slow
def test_what_is_served_is_what_prefect_yaml_has(serving):
    schedule = serving.Schedule("1 2 * * *", "3 4 * * 5", "Asia/Tokyo", {"rehearse": True}, {})

    served = {one.name: one for one in serving.deployments(schedule)}

    assert list(served) == ["nightly", "on-demand", "weekly"]
    assert [one.flow_name for one in served.values()] == ["verdict", "verdict", "window"]
    assert served["nightly"].parameters == {"rehearse": True, "catch_up": True}
    [weekly] = served["weekly"].schedules
    assert (weekly.schedule.cron, weekly.schedule.timezone) == ("3 4 * * 5", "Asia/Tokyo")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("resource", "is_heard"),
    [
        ("compact-guard.window", True),
        ("compact-guard.interface.codex.cli", True),
        ("prefect.flow-run.1", False),
    ],
)
def test_automations_hear_of_windows_and_interfaces_alike(resource, is_heard):
    from prefect.blocks.notifications import CustomWebhookNotificationBlock

    from compact_guard.operate import automations

    block = CustomWebhookNotificationBlock(name="a", url="http://127.0.0.1:1/")
    block._block_document_id = uuid4()
    trigger = automations.automations(block)[0].trigger

    assert window_news.VERDICT_CHANGED in trigger.expect
    assert trigger.match.matches({"prefect.resource.id": resource}) == is_heard

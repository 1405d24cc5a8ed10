"""What is told, when, and that it is told once."""

from datetime import timedelta

import pytest

from compact_guard.operate import standing
from tests.builders import OLD_FINGERPRINT, Session
from tests.evaluator.nights import NIGHT
from tests.operate.stories import INTERFACE, failing


def test_a_guard_under_observation_is_no_news(log):
    assert log.grow(Session("s").delivered("a")).news() == []


def test_the_first_missed_injection_is_told_at_once_and_once(log):
    log.grow(failing("s"))

    [news] = log.news()

    assert (news.event, news.verdict) == ("compact-guard.injection.missed", "OBSERVE")
    assert news.text == (
        f"{INTERFACE}: 1 missed injection more, the newest at 2026-11-05 03:05:00 UTC: "
        "the session went on, and its start hook delivered nothing"
    )
    assert log.news(NIGHT + timedelta(days=1)) == []


def test_a_duplicated_injection_is_told_like_a_missed_one(log):
    log.grow(Session("s").pre("a").finish().start("a").start("a"))

    assert log.events() == ["duplicated"]


def test_each_further_failure_is_told(log):
    log.grow(failing("s")).news()
    log.grow(failing("t"), failing("u"))

    [news] = log.news(NIGHT + timedelta(days=1))

    assert news.text.startswith(f"{INTERFACE}: 2 missed injections more, ")


def test_a_verdict_that_changes_is_told_with_its_reasons(log):
    log.grow_busy_weeks()

    [kept] = log.news()
    log.grow(failing("bad"))
    missed, reverted = log.news(NIGHT + timedelta(days=1))

    assert kept.text.startswith(f"{INTERFACE}: OBSERVE became KEEP: 59 counted compactions")
    assert missed.event == "compact-guard.injection.missed"
    assert reverted.text == f"{INTERFACE}: KEEP became REVERT: 1 missed of 60 delivered or due"
    assert reverted.as_json()["verdict"] == "REVERT"


def test_failures_of_earlier_periods_are_history_at_first_and_news_later(log):
    log.grow(failing("old", fingerprint=OLD_FINGERPRINT))
    log.grow(Session("new", at=NIGHT - timedelta(days=2)).delivered("a"))
    assert log.events() == []

    log.grow(failing("late", fingerprint=OLD_FINGERPRINT))

    [news] = log.news(NIGHT + timedelta(days=1))
    assert (news.event, news.guard_fingerprint) == (
        "compact-guard.injection.missed",
        OLD_FINGERPRINT,
    )


@pytest.mark.parametrize(
    "options", [{"is_rehearsal": True}, {"guard_fingerprint": "b" * 12}], ids=["rehearsal", "past"]
)
def test_what_is_no_verdict_on_the_present_is_no_news(log, options):
    log.grow(failing("s"))

    assert log.news(**options) == []
    assert log.events() == ["missed"]


def test_a_look_back_is_no_news_and_changes_nothing(log):
    log.grow_busy_weeks().news()
    before = standing.read(standing.file_of([log.audit]))

    assert log.news(NIGHT - timedelta(days=10)) == []
    assert standing.read(standing.file_of([log.audit])) == before


def test_a_time_that_has_not_come_does_not_silence_what_comes(log):
    log.grow(Session("s").delivered("a")).news(NIGHT + timedelta(days=3650))
    log.grow(failing("t"))

    assert log.events() == ["missed"]


def test_what_could_not_be_told_is_told_by_the_next_evaluation(log, capfd):
    log.grow(failing("s")).notifying(command=["false"])

    first, second = log.events(), log.events(NIGHT + timedelta(days=1))

    assert (first, second) == (["missed"], ["missed"])
    assert capfd.readouterr().err.count("WARNING: the notify command false failed") == 2


def test_a_standing_that_is_damaged_is_begun_anew(log):
    log.grow(failing("s")).news()
    file = standing.file_of([log.audit])
    file.write_text('{"schema": "compact-guard.standing/1", "as_of": 5}')

    assert log.events() == ["missed"]
    assert standing.read(file) is not None


def test_a_home_that_cannot_be_written_costs_a_warning_and_no_verdict(log, monkeypatch, capfd):
    log.grow(failing("s"))
    (log.folder / "file").touch()
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(log.folder / "file" / "home"))

    assert log.news() == []
    assert "WARNING: what is new could not be remembered" in capfd.readouterr().err


def test_logs_are_told_apart(log):
    log.grow(failing("s")).news()

    assert standing.read(standing.file_of([log.folder / "another"])) is None

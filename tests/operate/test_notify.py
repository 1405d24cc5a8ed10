"""A command or an address hears of news; nothing else calls out."""

import json
import sys

import pytest

from compact_guard.errors import UsageError
from compact_guard.evaluator.policy import load
from compact_guard.operate import notify
from compact_guard.operate.channels import Channels
from compact_guard.operate.news import News

NEWS = News(
    event="compact-guard.injection.missed",
    interface="codex/cli",
    guard_fingerprint="b" * 12,
    verdict="OBSERVE",
    text="codex/cli: 1 missed injection more",
    key="missed codex/cli",
    value=1,
)


def test_a_command_gets_the_text_where_it_asks_for_it(tmp_path):
    code = "import os, sys; open(sys.argv[1], 'w').write('|'.join([*sys.argv[2:], sys.stdin.read(),"
    code += " os.environ['COMPACT_GUARD_NEWS']]))"
    command = [sys.executable, "-c", code, str(tmp_path / "told"), "{verdict}: {text}", "{other}"]

    assert notify.tell(NEWS, Channels(tuple(command))) == []

    words = (tmp_path / "told").read_text().split("|")
    assert words[:3] == [f"OBSERVE: {NEWS.text}", "{other}", f"{NEWS.text}\n"]
    assert json.loads(words[3]) == NEWS.as_json()


def test_a_text_is_never_read_by_a_shell(tmp_path):
    news = News(**{**vars(NEWS), "text": f"$(touch {tmp_path}/pwned); `touch {tmp_path}/pwned`"})

    assert notify.tell(news, Channels(("echo", "{text}"))) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("nowhere-to-be-found",), "the notify command nowhere-to-be-found failed: "),
        (
            ("sh", "-c", "echo sorry >&2; exit 3"),
            "the notify command sh failed: exit status 3: sorry",
        ),
    ],
)
def test_a_command_that_fails_is_complained_of(command, complaint):
    [said] = notify.tell(NEWS, Channels(command))

    assert said.startswith(complaint)


def test_a_command_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(notify, "COMMAND_SECONDS_MAX", 0.1)

    [said] = notify.tell(NEWS, Channels(("sleep", "5")))

    assert "timed out" in said


def test_a_webhook_gets_json_without_any_path(listener):
    assert notify.tell(NEWS, Channels(webhook=listener.address)) == []

    [(path, heard)] = listener.heard
    assert path == "/hook"
    assert heard == {
        "event": "compact-guard.injection.missed",
        "interface": "codex/cli",
        "guard_fingerprint": "b" * 12,
        "verdict": "OBSERVE",
        "text": "codex/cli: 1 missed injection more",
    }


@pytest.mark.parametrize("status", [302, 307, 404, 500])
def test_a_webhook_that_refuses_or_sends_us_elsewhere_is_complained_of(listener, status):
    listener.status = status

    [said] = notify.tell(NEWS, Channels(webhook=listener.address))

    assert said.startswith(f"the notify webhook failed: HTTP Error {status}")
    assert len(listener.heard) == 1
    assert listener.address not in said


def test_without_channels_nobody_is_called():
    assert notify.tell(NEWS, Channels()) == []


@pytest.mark.parametrize(
    ("table", "mend"),
    [
        ("notify = 5", "takes `command` and `webhook`"),
        ("[notify]\nemail = 'me'", "takes `command` and `webhook`"),
        ("[notify]\ncommand = 'mail me'", "must be a list of words"),
        ("[notify]\ncommand = []", "must be a list of words"),
        ("[notify]\nwebhook = 'ftp://127.0.0.1/x'", "must be an http or https address"),
        ("[notify]\nwebhook = 'http://'", "must be an http or https address"),
        ("[notify]\nwebhook = 7", "must be an http or https address"),
    ],
)
def test_a_mistake_in_the_policy_is_named(tmp_path, table, mend):
    file = tmp_path / "mine.toml"
    file.write_text(table)

    with pytest.raises(UsageError, match=mend) as raised:
        load(file)
    assert str(file) in str(raised.value)


def test_the_address_is_a_secret_that_no_policy_prints(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[notify]\nwebhook = 'http://127.0.0.1/secret'")

    policy = load(file)

    assert policy.notify.webhook == "http://127.0.0.1/secret"
    assert "secret" not in repr(policy)
    assert policy == load()
    assert "notify" not in policy.reasons

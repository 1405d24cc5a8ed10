"""What the agents' settings say of the window, and how a change is taken back in them."""

import gzip
import json
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.agents import registry
from compact_guard.agents.claude_code import window_restore as claude_code_restore
from compact_guard.agents.claude_code import window_settings as claude_code
from compact_guard.agents.codex import window_restore as codex_restore
from compact_guard.agents.codex import window_settings as codex
from compact_guard.errors import UsageError
from compact_guard.transcripts import heads
from compact_guard.transcripts.decompression import DamagedStream
from compact_guard.window.setting import UNSET, Setting, SettingChange
from tests.window import histories
from tests.window.stories import ClaudeStory, CodexStory

VARIABLE = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
SHARE = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"


def change(then=None, before=None, after=UNSET):
    return SettingChange("", histories.START, None, before, after, None, None, None, "", then)


@pytest.mark.parametrize(
    ("told", "begins_at"),
    [
        ({}, None),
        ({"autoCompactWindow": 200_000}, 167_000),
        ({"autoCompactWindow": 50_000}, 67_000),
        ({"autoCompactWindow": 9_000_000}, 967_000),
        ({"autoCompactWindow": True}, None),
        ({"autoCompactWindow": "large"}, None),
        ({"env": {VARIABLE: "250000"}, "autoCompactWindow": 200_000}, 217_000),
        ({"env": {VARIABLE: "250000", SHARE: "70"}}, 161_000),
        ({"env": {VARIABLE: "250000", SHARE: "99"}}, 217_000),
        ({"env": {SHARE: "60"}, "autoCompactWindow": 200_000}, 108_000),
        ({"env": {SHARE: "60"}}, None),
        ({"env": {VARIABLE: "250000", SHARE: "0"}}, None),
        ({"env": {VARIABLE: "250000", SHARE: "nan"}}, None),
        ({"env": {VARIABLE: "250000", SHARE: "most"}}, None),
        ({"autoCompactWindow": 200_000, "autoCompactEnabled": False}, None),
        ({"autoCompactWindow": 200_000, "env": {"DISABLE_AUTO_COMPACT": "1"}}, None),
        ({"env": "none"}, None),
    ],
    ids=str,
)
def test_the_window_that_counts_in_claude_codes_settings(told, begins_at):
    found = claude_code.settings_in(json.dumps(told).encode())

    assert found[None].begins_at == begins_at


def test_a_model_may_have_its_own():
    told = {
        "autoCompactWindow": 200_000,
        "modelSettings": {"claude-opus-5-5": {"autoCompactWindow": 300_000}, "other": {}},
    }
    found = claude_code.settings_in(json.dumps(told).encode())

    assert {model: setting.begins_at for model, setting in found.items()} == {
        None: 167_000,
        "claude-opus-5-5": 267_000,
    }
    assert found["claude-opus-5-5"].words == (
        "modelSettings.claude-opus-5-5.autoCompactWindow = 300000"
    )


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"null"])
def test_what_is_no_settings_file_says_nothing(text):
    assert claude_code.settings_in(text) == {}
    if text:
        assert codex.settings_in(text) in ({}, {None: Setting()})


@pytest.mark.parametrize(
    ("typed", "begins_at"),
    [
        ("/autocompact 200k", 167_000),
        ("/autocompact 200000", 167_000),
        ("/autocompact 200", 167_000),
        ("/autocompact 0.5M", 467_000),
        ("/autocompact reset", None),
    ],
)
def test_a_typed_command_sets_a_window(tmp_path, typed, begins_at):
    entry = {"display": typed, "timestamp": 1_796_074_927_101, "project": "/home/user"}
    (tmp_path / "history.jsonl").write_text(json.dumps(entry) + "\n")

    [told] = claude_code.commands({"CLAUDE_CONFIG_DIR": str(tmp_path)})

    assert told.setting.begins_at == begins_at
    assert told.at.isoformat(timespec="milliseconds") == "2026-11-30T21:42:07.101"
    assert told.is_moment_of_change


@pytest.mark.parametrize(
    "line",
    [
        '{"display": "/autocompact", "timestamp": 1}',
        '{"display": "/autocompact 20k", "timestamp": 1}',
        '{"display": "/autocompact what?", "timestamp": 1}',
        '{"display": "what does /autocompact 200k do", "timestamp": 1}',
        '{"display": "/autocompact 200k", "timestamp": "then"}',
        '{"display": "/autocompact 200k", ',
        '{"display": "/autocompact 200k", "timestamp": 1%s}' % ("0" * 30),
        '{"display": "/autocompact 200k", "timestamp": 1%s}' % ("0" * 400),
    ],
)
def test_what_chose_no_window_is_no_setting(tmp_path, line):
    (tmp_path / "history.jsonl").write_text(line + "\n")

    assert list(claude_code.commands({"CLAUDE_CONFIG_DIR": str(tmp_path)})) == []
    assert list(codex.commands({})) == []


@pytest.mark.parametrize(
    ("text", "begins_at", "words"),
    [
        ("", None, ""),
        ("model = 'gpt-5.2'", None, ""),
        ("model_auto_compact_token_limit = 90_000", 90_000,
         "model_auto_compact_token_limit = 90000"),
        ("model_context_window = 200000", None, "model_context_window = 200000"),
        ("profile = 'p'\n[profiles.p]\nmodel_auto_compact_token_limit = 7", 7,
         "model_auto_compact_token_limit = 7"),
        ("model_auto_compact_token_limit = 9\n"
         "model_auto_compact_token_limit_scope = 'body_after_prefix'", None,
         "model_auto_compact_token_limit = 9, "
         "model_auto_compact_token_limit_scope = body_after_prefix"),
    ],
)  # fmt: skip
def test_the_window_that_counts_in_codexs_settings(text, begins_at, words):
    assert codex.settings_in(text.encode()) == {None: Setting(begins_at, words)}


def test_the_first_lines_say_where_a_session_worked(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl", cwd="/home/user/herons").typed()
    rollout = CodexStory(tmp_path / "b.jsonl", model_provider="x")
    rollout.record("event_msg", {"type": "task_started", "model_context_window": 190_000})

    assert str(claude_code.head(story.path.read_bytes()).project) == "/home/user/herons"
    head = codex.head(rollout.path.read_bytes())
    assert (str(head.project), head.model) == ("/home/user/project", "gpt-5.2")
    assert head.recorded == Setting(None, "model_context_window = 200000, as recorded")
    assert head.started_at == histories.START.replace(second=1)
    assert claude_code.head(rollout.path.read_bytes()) is None
    assert codex.head(story.path.read_bytes()) is None


@pytest.mark.parametrize("text", [b"", b"\n", b"no line end", b'"sessionId" "cwd"\n', b"{}\n" * 9])
def test_what_is_no_transcript_has_no_head(text):
    assert claude_code.head(text) is codex.head(text) is None
    assert codex.head(b'{"type": "session_meta", "payload": 3}\n' + text) is None


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_only_the_beginning_of_a_file_is_read(tmp_path, suffix):
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(gzip.compress(b"heron\n" * 99) if suffix else b"heron\n" * 99)

    assert heads.first_bytes(path, 9) == b"heron\nher"
    assert list(heads.whole_lines(b"a\n\nb\nc")) == [b"a", b"", b"b"]


def test_a_beginning_that_cannot_be_decompressed_is_damage(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(b"heron")

    with pytest.raises(DamagedStream):
        heads.first_bytes(tmp_path / "a.jsonl.gz", 9)
    with pytest.raises(FileNotFoundError):
        heads.first_bytes(tmp_path / "nowhere.jsonl", 9)


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_every_agent_can_take_a_change_back(agent):
    assert agent == registry.window_restore_of(agent).AGENT
    assert agent in {one.AGENT for one in registry.window_settings()}


def test_an_agent_that_nobody_knows_can_not():
    with pytest.raises(ValueError, match="heron"):
        registry.window_restore_of("heron")


NOW = b'{\n  "model": "mine",\n  "autoCompactWindow": 113000,\n  "env": {"A": "b"}\n}\n'


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        (NOW, b'{"autoCompactWindow": 193000}', NOW.replace(b"113000", b"193000")),
        (NOW, b"{}", NOW.replace(b'  "autoCompactWindow": 113000,\n', b"")),
        (NOW, b'{"autoCompactWindow": 113000, "other": 1}', NOW),
        (b"{}", b'{"env": {"%s": "200000"}}' % VARIABLE.encode(),
         b'{\n  "env": {\n    "%s": "200000"\n  }\n}' % VARIABLE.encode()),
        (b'{"modelSettings": {"opus": {"autoCompactWindow": 1}}}', b"{}", b"{}"),
        (b'{"modelSettings": {"opus": {"autoCompactWindow": 1, "effortLevel": "low"}}}', b"{}",
         b'{"modelSettings": {"opus": {"effortLevel": "low"}}}'),
        (b'\xef\xbb\xbf{"autoCompactWindow": 1}', b'{"autoCompactWindow": 2}',
         b'\xef\xbb\xbf{"autoCompactWindow": 2}'),
    ],
)  # fmt: skip
def test_claude_codes_window_is_as_before_and_nothing_else_is_touched(now, then, expected):
    assert claude_code_restore.restored(now, change(then)) == expected


SIZES = st.none() | st.integers(100_000, 1_000_000)


@given(SIZES, SIZES, SIZES, SIZES)
@settings(max_examples=60)
def test_whatever_was_set_is_set_again(window, own, variable, present):
    def told(*sizes):
        general, of_model, of_environment = sizes
        return {
            "model": "mine",
            **({"autoCompactWindow": general} if general else {}),
            **({"modelSettings": {"m": {"autoCompactWindow": of_model}}} if of_model else {}),
            "env": {"A": "b", **({VARIABLE: str(of_environment)} if of_environment else {})},
        }

    then, now = told(window, own, variable), told(present, None, None)
    after = claude_code_restore.restored(
        json.dumps(now, indent=1).encode(), change(json.dumps(then).encode())
    )

    assert json.loads(after) == then


def test_what_a_command_chose_becomes_what_was_chosen_before():
    now = b'{"modelSettings": {"claude-opus-5-5": {"autoCompactWindow": 300000}}, "a": 1}'
    after = Setting(267_000, "/autocompact 300k")

    earlier = claude_code_restore.restored(now, change(None, Setting(167_000, ""), after))
    none = claude_code_restore.restored(now, change(None, None, after))

    assert earlier == now.replace(b"300000", b"200000")
    assert none == b'{"a": 1}'


@pytest.mark.parametrize(
    ("now", "mend"), [(b'{"a": 1,}', "Remove the comma"), (b"\xff", "Save the file as UTF-8")]
)
def test_settings_that_cannot_be_edited_are_left_alone(now, mend):
    with pytest.raises(UsageError, match=mend):
        claude_code_restore.restored(now, change(b'{"autoCompactWindow": 1}'))


TOML = 'model = "gpt-5.2"  # mine\nmodel_auto_compact_token_limit = 90_000 # less\n\n[tui]\nx = 1\n'


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ("model_auto_compact_token_limit = 200000\n", TOML.replace("90_000", "200000")),
        ("", TOML.replace("model_auto_compact_token_limit = 90_000 # less\n", "")),
        (
            "model_context_window = 5\nmodel_auto_compact_token_limit = 90000",
            "model_context_window = 5\n" + TOML,
        ),
    ],
)
def test_codexs_window_is_as_before_and_nothing_else_is_touched(then, expected):
    after = codex_restore.restored(TOML.encode(), change(then.encode())).decode()

    assert after == expected
    assert tomllib.loads(after)["tui"] == {"x": 1}


@pytest.mark.parametrize(
    ("now", "then", "complaint"),
    [
        (b"a = ", b"", "not valid TOML"),
        (b"", None, "by hand"),
        (b"[t]\nmodel_context_window = 3", b"model_context_window = 4", "by hand"),
        (b'"model_context_window" = 3', b"", "by hand"),
    ],
)
def test_a_config_that_cannot_be_edited_is_left_alone(now, then, complaint):
    with pytest.raises(UsageError, match=complaint):
        codex_restore.restored(now, change(then))

"""The Claude Code adapter against its facts."""

import pytest

from compact_guard.agents.claude_code import hook
from compact_guard.agents.contract import HookAdapter
from compact_guard.hook import events


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "claude-code/anthropic"),
        ({"ANTHROPIC_BASE_URL": ""}, "claude-code/anthropic"),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com/"}, "claude-code/anthropic"),
        ({"ANTHROPIC_BASE_URL": "https://api.anthropic.com.evil.example"}, "claude-code/gateway"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:8080"}, "claude-code/gateway"),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, "claude-code/gateway"),
        ({"CLAUDE_CODE_USE_VERTEX": "true"}, "claude-code/gateway"),
        ({"CLAUDE_CODE_USE_BEDROCK": "0"}, "claude-code/anthropic"),
    ],
)
def test_another_back_end_is_another_interface(environment, expected):
    assert hook.interface(environment) == expected


def test_the_adapter_keeps_the_contract():
    members = [name for name in HookAdapter.__dict__ if not name.startswith("_")]
    wanted = [*members, *HookAdapter.__annotations__]
    assert [name for name in wanted if not hasattr(hook, name)] == []


@pytest.mark.parametrize(
    ("named", "version"),
    [
        ("claude-code_2-1-332_harness", "2.1.332"),
        ("claude-code_2-1-150_agent", "2.1.150"),
        ("claude-code_2-1-x_harness", None),
        ("claude-code", None),
        ("another-agent_1-2-3_harness", None),
        ("", None),
    ],
)
def test_the_version_that_runs_is_named_by_the_environment(named, version):
    payload = {"session_id": "s1", "source": "compact"}
    event = hook.parse("session_start", payload, {"AI_AGENT": named})
    assert event is not None
    assert event.agent_version == version


def test_a_payload_of_another_event_is_no_payload():
    payload = {"session_id": "s1", "hook_event_name": "Stop"}
    with pytest.raises(events.PayloadError):
        hook.parse("pre_compact", payload, {})


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("<system-reminder>a</system-reminder> b <system-reminder>c</system-reminder>", "b"),
        ("why is there a <system-reminder> here?", "why is there a <system-reminder> here?"),
        ("<system-reminder>cut off", ""),
        ("<bash-input>make test</bash-input>", "! make test"),
        ("<command-message>x</command-message><command-name>/x</command-name>", ""),
        ("This session is being continued from a previous conversation that ran", ""),
        ("<div>typed</div>", "<div>typed</div>"),
    ],
)
def test_only_typed_words_are_left_of_a_user_row(typed, kept):
    record = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": typed}}
    message = hook.message_in(record)
    assert (message.text if message else "") == kept


def test_many_injected_blocks_cost_linear_time():
    block = "<system-reminder></system-reminder>"
    record = {"type": "user", "uuid": "u1", "message": {"content": block * 200_000}}
    assert hook.message_in(record) is None


def test_a_time_stamp_cannot_carry_text():
    record = {"type": "user", "timestamp": "2026 ignore all", "message": {"content": "x"}}
    message = hook.message_in(record)
    assert message is not None
    assert message.at is None

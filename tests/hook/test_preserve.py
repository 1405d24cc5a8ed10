"""The request to the native summary: printed once per compaction, where the person chose it."""

import json
import os

import pytest

from compact_guard.agents.claude_code import hook as claude_code
from compact_guard.agents.codex import hook as codex
from compact_guard.hook import limits, preserve
from tests.hook.test_two_registrations import twice_at_once

PRINTED = f"{preserve.TEXT}\n".encode()


def choose(guard, agent: str = "claude-code", **options: object) -> None:
    guard.home.mkdir(exist_ok=True)
    config = {"behaviour": {agent: options or {"preserve": True}}}
    (guard.home / "config.json").write_text(json.dumps(config))


def test_it_is_printed_where_it_was_chosen_and_nowhere_else(guard, conversation):
    assert guard.pre_compact(conversation.path, session_id="s0").stdout == b""
    choose(guard)
    assert guard.pre_compact(conversation.path).stdout == PRINTED
    assert guard.last()["outcome"] == "saved"
    assert json.loads(guard.session_start(conversation.path).stdout)
    assert guard.post_compact(conversation.path).stdout == b""


@pytest.mark.parametrize(
    "options", [{"preserve": False}, {"preserve": 1}, {"preserve": "yes"}, {"notice": True}]
)
def test_anything_but_a_plain_yes_is_a_no(guard, conversation, options):
    choose(guard, **options)

    assert guard.pre_compact(conversation.path).stdout == b""


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"behaviour": []}', b"\xff", b"[" * 100_000])
def test_a_broken_config_is_a_no(guard, conversation, content):
    guard.home.mkdir()
    (guard.home / "config.json").write_bytes(content)

    assert guard.pre_compact(conversation.path).stdout == b""
    assert guard.last()["outcome"] == "saved"


def test_what_was_typed_for_the_summary_is_not_printed_again(guard, conversation):
    choose(guard)
    typed = "keep the names of the birds"

    answer = guard.pre_compact(conversation.path, trigger="manual", custom_instructions=typed)

    assert answer.stdout == PRINTED
    assert typed in guard.injected_text(conversation.path)


def test_it_is_asked_for_all_the_more_when_nothing_could_be_saved(guard, conversation, transcript):
    choose(guard)
    for path in (None, transcript.path.with_name("missing.jsonl")):
        assert guard.pre_compact(path).stdout == PRINTED
        assert guard.last()["outcome"] == "failed"
    (guard.home / "checkpoints").rename(guard.home / "gone")
    (guard.home / "checkpoints").write_text("")
    assert guard.pre_compact(conversation.path).stdout == PRINTED
    assert guard.last()["outcome"] == "failed"


def test_a_subagents_summary_is_asked_for_nothing(guard, conversation):
    choose(guard)

    assert guard.pre_compact(conversation.path, agent_id="a1").stdout == b""


def test_of_two_registrations_one_asks(guard, conversation):
    choose(guard)

    assert sorted(twice_at_once(guard, "pre_compact", conversation)) == [b"", PRINTED]


def test_nobody_who_reads_it_is_no_reason_to_fail(guard, conversation):
    choose(guard)
    reading, writing = os.pipe()
    os.close(reading)
    payload = json.dumps({"session_id": "s1", "transcript_path": str(conversation.path)}).encode()

    answer = guard.run("pre_compact", payload, stdout=writing)
    os.close(writing)

    assert answer.returncode == 0
    assert (guard.last()["outcome"], guard.last()["reason"]) == ("saved", None)


def test_the_choice_is_part_of_this_agents_fingerprint_alone(guard, conversation):
    fingerprints = []
    for agent in (None, "codex", "claude-code"):
        if agent:
            choose(guard, agent)
        guard.pre_compact(conversation.path, session_id=str(agent))
        fingerprints.append(guard.last()["guard_fingerprint"])

    without, with_codex, with_ours = fingerprints
    assert without == with_codex != with_ours


def test_the_text_is_plain_short_and_can_be_taken_for_no_json():
    assert len(preserve.TEXT) <= limits.PRESERVE_CHARS_MAX
    assert preserve.TEXT.isascii()
    assert "\n" not in preserve.TEXT
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(preserve.TEXT)
    for asked_for in ("option", "reason", "number", "error", "constraint", "instead", "look"):
        assert asked_for in preserve.TEXT


def test_an_agent_that_takes_no_request_is_told_nothing():
    assert claude_code.render_request("x") == "x\n"
    assert codex.render_request("x") is None

"""The line to the person: once per compaction, by the channel that no model reads."""

import json
import re

import pytest

from compact_guard.hook import limits, notice
from tests.hook.codex import CodexGuard, Rollout
from tests.hook.conftest import HOOK, PYTHON, payload_of
from tests.hook.sweeping import sweep
from tests.hook.test_hot_path import ALLOWED, imported_by
from tests.hook.test_preserve import choose
from tests.hook.test_two_registrations import twice_at_once


@pytest.fixture
def noticing(guard):
    choose(guard, notice=True)
    return guard


def turn_end(guard, transcript, **fields) -> str | None:
    """What the person is shown at the end of a turn."""
    payload = payload_of("session_start", transcript.path, **fields)
    payload |= {"hook_event_name": "Stop", "stop_hook_active": False}
    return shown(guard.run("turn_end", payload).stdout)


def shown(stdout: bytes) -> str | None:
    if not stdout:
        return None
    said = json.loads(stdout)
    assert said.keys() == {"systemMessage"}
    assert "\n" not in said["systemMessage"]
    return said["systemMessage"]


def compact(guard, transcript, summary: str = "<summary>birds</summary>") -> None:
    guard.pre_compact(transcript.path, trigger="manual")
    guard.session_start(transcript.path)
    assert guard.post_compact(transcript.path, compact_summary=summary).stdout == b""


def test_the_turn_ends_with_what_was_given_back_and_what_the_summary_lost(noticing, conversation):
    conversation.typed("No, not floats: whole cents.")
    compact(noticing, conversation, "<summary>Use DuckDB, never SQLite.</summary>")

    line = turn_end(noticing, conversation)

    kept = noticing.rows()[0]["counts"]["items_kept"]
    receipt = noticing.last()["counts"]
    lost = sum(count for name, count in receipt.items() if name.startswith("rescued_"))
    assert lost > 0
    told = f"compact-guard: {kept} items given back; the summary has lost {lost} of them"
    assert line.startswith(told)
    assert "corrections: 1" in line


def test_it_is_told_once_and_leaves_no_row(noticing, conversation):
    compact(noticing, conversation)
    rows = len(noticing.rows())

    assert turn_end(noticing, conversation)
    assert turn_end(noticing, conversation) is None
    assert len(noticing.rows()) == rows


def test_of_two_registrations_one_tells(noticing, conversation):
    for event in ("pre_compact", "session_start", "post_compact"):
        twice_at_once(noticing, event, conversation)
    payload = payload_of("session_start", conversation.path) | {"hook_event_name": "Stop"}
    noticing.run("turn_end", payload)

    assert turn_end(noticing, conversation) is None


def test_nothing_waits_where_nobody_asked(guard, conversation):
    compact(guard, conversation)

    assert turn_end(guard, conversation) is None


def test_another_session_is_told_nothing(noticing, conversation):
    compact(noticing, conversation)

    assert turn_end(noticing, conversation, session_id="s2") is None
    assert turn_end(noticing, conversation, agent_id="a1") is None
    assert turn_end(noticing, conversation)


def test_a_summary_that_lost_nothing_is_told_too(noticing, conversation):
    compact(noticing, conversation, "Use DuckDB, never SQLite. Understood: DuckDB.")

    assert "the summary has lost none of them" in turn_end(noticing, conversation)


def test_a_checkpoint_that_was_not_given_back_is_told(noticing, conversation):
    noticing.pre_compact(conversation.path)
    noticing.post_compact(conversation.path)

    assert "saved but not given back" in turn_end(noticing, conversation)


def test_a_save_that_failed_is_told_and_not_the_one_before_it(noticing, conversation):
    compact(noticing, conversation)
    turn_end(noticing, conversation)
    noticing.pre_compact(conversation.path.with_name("missing.jsonl"))
    noticing.post_compact(conversation.path)

    assert "nothing could be saved" in turn_end(noticing, conversation)


@pytest.mark.parametrize("stdin", [b"", b"{", b"[]", b'{"session_id": 1}'])
def test_a_payload_that_is_none_costs_nothing(noticing, stdin):
    answer = noticing.run("turn_end", stdin)

    assert (answer.returncode, answer.stdout) == (0, b"")
    assert not (noticing.home / "audit").exists()


def test_a_line_that_others_could_have_written_is_not_shown(noticing, conversation):
    compact(noticing, conversation)
    (waiting,) = noticing.home.glob("checkpoints/*/notice.txt")
    waiting.chmod(0o644)

    assert turn_end(noticing, conversation) is None


def test_the_end_of_a_turn_loads_no_more_than_other_hooks(noticing, conversation):
    compact(noticing, conversation)
    payload = json.dumps(payload_at_turn_end(conversation)).encode()
    python = [PYTHON, "-I", "-S", "-X", "importtime"]

    bare = imported_by([*python, "-c", "pass"], noticing, b"")
    hot = imported_by([*python, str(HOOK), "claude-code", "turn_end"], noticing, payload)

    extra = {name.decode() for name in hot - bare}
    assert {name for name in extra if not name.startswith("compact_guard")} <= ALLOWED


def test_codex_is_given_the_line_with_its_receipt(tmp_path):
    guard = CodexGuard(tmp_path / "home")
    choose(guard, "codex", notice=True)
    rollout = Rollout(tmp_path / "rollout-1.jsonl").prompt("Use DuckDB, never SQLite.")
    guard.said("pre_compact", rollout.path)
    rollout.boundary(window_id="c1")

    told = [shown(guard.said("post_compact", rollout.path)) for _ in range(2)]

    assert re.match(r"compact-guard: \d+ items? saved, to be given back; ", told[0])
    assert told[1] is None


def payload_at_turn_end(transcript) -> dict:
    return payload_of("session_start", transcript.path) | {"hook_event_name": "Stop"}


@pytest.mark.parametrize("kind", ["fail", "die"])
@pytest.mark.parametrize("event", ["post_compact", "turn_end"])
def test_a_line_is_whole_and_told_once_at_most_wherever_its_hook_is_cut(
    noticing, conversation, event, kind
):
    noticing.pre_compact(conversation.path, trigger="manual")
    noticing.session_start(conversation.path)
    payload = payload_of("post_compact", conversation.path)
    if event == "turn_end":
        noticing.run("post_compact", payload)
        payload = payload_at_turn_end(conversation)
    for cut in sweep(noticing, kind, calls_min=8):
        ended = cut(event, payload)
        later = noticing.cut("turn_end", payload_at_turn_end(conversation))

        told = [shown(ended.stdout), shown(later.stdout)]
        assert not all(told)
        assert any(told) or not ended.is_uncut
        assert ended.is_clean or kind == "die"


def test_the_longest_line_fits():
    ranks = ("corrections", "decisions", "constraints", "tasks", "evidence", "recent")
    lost = notice._lost({f"rescued_{rank}": 10**6 for rank in ranks})

    assert len(lost) < limits.NOTICE_BYTES_MAX / 2

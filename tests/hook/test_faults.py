"""Fail, or die at, every call of the operating system in turn: the promises hold at each."""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from compact_guard.hook import preserve
from tests.hook.conftest import PYTHON, payload_of

CUT_CALL = Path(__file__).with_name("cut_call.py")
CALLS_MAX = 250
TOO_FEW_CALLS = 7


def cut(guard, k: int, kind: str, event: str, transcript):
    return subprocess.run(
        [PYTHON, str(CUT_CALL), str(k), kind, event],
        input=json.dumps(payload_of(event, transcript.path, trigger="manual")).encode(),
        capture_output=True,
        env=guard.environment(PYTHONPATH=str(CUT_CALL.parents[2])),
        check=False,
    )


def forget(guard, *patterns: str) -> None:
    for pattern in patterns:
        for file in guard.home.glob(pattern):
            file.unlink()


def is_whole(reply: bytes) -> bool:
    return reply.endswith(b"}}\n")


def is_intact(checkpoint: Path) -> bool:
    return hashlib.sha256(checkpoint.read_bytes()).hexdigest() == checkpoint.name[7:-5]


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_a_text_is_delivered_once_wherever_its_delivery_is_cut(guard, conversation, kind):
    for k in range(1, CALLS_MAX):
        forget(guard, "audit/*", "checkpoints/*/*")
        guard.pre_compact(conversation.path, trigger="manual")
        ended = cut(guard, k, kind, "session_start", conversation)
        injected = [row for row in guard.rows() if row["outcome"] == "injected"]
        # The agent takes the output of a process only if it ends well. Once the used marker is
        # set, the process has only its row to write: whoever kills it then takes the text away.
        ended_well = ended.returncode in (0, TOO_FEW_CALLS)
        is_marked = bool(list(guard.home.glob("checkpoints/*/*.used")))
        delivered = is_whole(ended.stdout) and (ended_well or is_marked)

        assert len(injected) <= is_whole(ended.stdout), f"call {k}: a row for a text not out"
        again = guard.session_start(conversation.path)
        assert is_whole(again.stdout) != delivered, f"call {k}: delivered twice or never"
        if ended.returncode == TOO_FEW_CALLS:
            assert k > 20
            return
    pytest.fail("the sweep never ended")


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_a_checkpoint_is_whole_or_absent_wherever_its_saving_is_cut(guard, conversation, kind):
    guard.pre_compact(conversation.path, trigger="manual")
    (before,) = guard.checkpoints()
    for k in range(1, CALLS_MAX):
        forget(guard, "audit/*", "checkpoints/*/000002*", "checkpoints/*/begun.json")
        ended = cut(guard, k, kind, "pre_compact", conversation)
        after = [file for file in guard.checkpoints() if file != before]
        rows = guard.rows()

        assert is_intact(before)
        assert all(is_intact(file) for file in after)
        announced = [row["checkpoint_hash"] for row in rows if row["outcome"] == "saved"]
        assert announced == [file.name[7:-5] for file in after] or not rows, f"call {k}"
        assert ended.stdout == b""
        if ended.returncode == TOO_FEW_CALLS:
            assert k > 30
            return
        assert ended.returncode == (0 if kind == "fail" else -9)
    pytest.fail("the sweep never ended")


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_a_request_for_the_summary_is_whole_or_absent_wherever_its_hook_is_cut(
    guard, conversation, kind
):
    guard.home.mkdir()
    (guard.home / "config.json").write_text('{"behaviour": {"claude-code": {"preserve": true}}}')
    for k in range(1, CALLS_MAX):
        forget(guard, "audit/*", "checkpoints/*/*")
        ended = cut(guard, k, kind, "pre_compact", conversation)
        asked, saved = ended.stdout.decode(), guard.checkpoints()

        assert asked in ("", f"{preserve.TEXT}\n"), f"call {k}"
        assert all(is_intact(file) for file in saved)
        if kind == "fail":
            assert ended.returncode in (0, TOO_FEW_CALLS)
        if ended.returncode == TOO_FEW_CALLS:
            assert asked
            assert saved
            return
    pytest.fail("the sweep never ended")

"""Fail, or die at, every call of the operating system in turn: the promises hold at each."""

import hashlib
import json
from pathlib import Path

import pytest

from compact_guard.hook import preserve
from tests.hook.codex import CodexGuard, Rollout
from tests.hook.conftest import Guard, payload_of
from tests.hook.sweeping import Cuts, Ended, sweep
from tests.hook.transcripts import Transcript

CORRECTION = "Never use floats, because sums drift."


class ClaudeCode:
    """One session; its agent hears every hook, also one that dies, and notes what it heard."""

    HEARS_THE_DYING = True

    def __init__(self, folder: Path, cuts: Cuts) -> None:
        self.guard: Guard = Guard(folder / "home", cuts)
        self.story = Transcript(folder / "s1.jsonl").typed("Use DuckDB, never SQLite.")

    def payload(self, event: str) -> dict:
        trigger = {} if event == "session_start" else {"trigger": "manual"}
        return payload_of(event, self.story.path, **trigger)

    def say(self, words: str) -> None:
        self.story.typed(words)

    def finish(self) -> None:
        """The summary is there; the boundary is written later, with what hooks said."""

    def hear(self, text: str) -> None:
        self.story.boundary().injected(text)


class Codex:
    """One session; its agent hears only hooks that end well."""

    HEARS_THE_DYING = False

    def __init__(self, folder: Path, cuts: Cuts) -> None:
        self.guard: Guard = CodexGuard(folder / "home", cuts)
        self.story = Rollout(folder / "rollout.jsonl").prompt("Use DuckDB, never SQLite.")

    def payload(self, event: str) -> bytes:
        return self.guard.payload(event, self.story.path)

    def say(self, words: str) -> None:
        self.story.prompt(words)

    def finish(self) -> None:
        self.story.boundary(window_id="w1")

    def hear(self, text: str) -> None:
        self.story.hook_said(text)


@pytest.fixture(params=[ClaudeCode, Codex], ids=lambda agent: agent.__name__)
def session(request, tmp_path, cuts):
    return request.param(tmp_path, cuts)


def run(session, event: str) -> Ended:
    return session.guard.cut(event, session.payload(event))


def text_in(ended: Ended) -> str:
    return json.loads(ended.stdout)["hookSpecificOutput"]["additionalContext"]


def is_intact(checkpoint: Path) -> bool:
    return hashlib.sha256(checkpoint.read_bytes()).hexdigest() == checkpoint.name[7:-5]


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_a_text_is_delivered_once_wherever_its_delivery_is_cut(session, kind):
    run(session, "pre_compact")
    session.finish()
    written = session.story.path.read_bytes()
    for cut in sweep(session.guard, kind, calls_min=20):
        session.story.path.write_bytes(written)
        ended = cut("session_start", session.payload("session_start"))
        injected = [row for row in session.guard.rows() if row["outcome"] == "injected"]
        assert len(injected) <= ended.is_whole, "a row for a text not out"

        is_heard = ended.is_whole and (ended.is_clean or session.HEARS_THE_DYING)
        if is_heard:
            session.hear(text_in(ended))
        # Once it is marked the process has only its row to write: whoever kills it then, and does
        # not hear it, takes the text away.
        is_marked = bool(list(session.guard.home.glob("checkpoints/*/*.used")))
        again = run(session, "session_start")
        assert again.is_whole != (is_heard or is_marked), "delivered twice or never"
        assert ended.is_clean or kind == "die"


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_a_checkpoint_is_whole_or_absent_wherever_its_saving_is_cut(session, kind):
    run(session, "pre_compact")
    (before,) = session.guard.checkpoints()
    session.finish()
    session.say(CORRECTION)
    for cut in sweep(session.guard, kind, calls_min=30):
        ended = cut("pre_compact", session.payload("pre_compact"))
        after = [file for file in session.guard.checkpoints() if file != before]
        rows = session.guard.rows()[1:]

        assert is_intact(before)
        assert all(is_intact(file) for file in after)
        announced = [row["checkpoint_hash"] for row in rows if row["outcome"] == "saved"]
        assert announced == [file.name[7:-5] for file in after] or not rows
        assert ended.stdout == b""
        assert ended.is_clean or kind == "die"


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_what_one_registration_fails_to_save_the_other_saves(session, kind):
    session.guard.home.mkdir()
    for cut in sweep(session.guard, kind, calls_min=30):
        cut("pre_compact", session.payload("pre_compact"))
        run(session, "pre_compact")
        session.finish()

        told = [(row["outcome"], row["reason"]) for row in session.guard.rows()]
        assert ("saved", None) in told or len(told) < 2, "the row itself was cut"
        assert run(session, "session_start").is_whole


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_a_receipt_keeps_nothing_from_being_delivered_wherever_it_is_cut(session, kind):
    run(session, "pre_compact")
    session.finish()
    for cut in sweep(session.guard, kind, calls_min=15):
        ended = cut("post_compact", session.payload("post_compact"))

        assert ended.stdout == b""
        assert ended.is_clean or kind == "die"
        assert len(session.guard.rows()) <= 2
        assert [run(session, "session_start").is_whole for _ in range(2)] == [True, False]


@pytest.mark.parametrize("kind", ["fail", "die"])
def test_a_request_for_the_summary_is_whole_or_absent_wherever_its_hook_is_cut(
    guard, conversation, kind
):
    guard.home.mkdir()
    (guard.home / "config.json").write_text('{"behaviour": {"claude-code": {"preserve": true}}}')
    payload = payload_of("pre_compact", conversation.path, trigger="manual")
    for cut in sweep(guard, kind, calls_min=30):
        ended = cut("pre_compact", payload)
        asked, saved = ended.stdout.decode(), guard.checkpoints()

        assert asked in ("", f"{preserve.TEXT}\n")
        assert all(is_intact(file) for file in saved)
        assert ended.is_clean or kind == "die"
        assert (asked and saved) or not ended.is_uncut

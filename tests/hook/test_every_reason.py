"""Every outcome and reason that a hook can give is driven for real, and its row keeps the contract.

The reasons are read out of the source: one that no story here leads to fails the test.
"""

import ast
import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from compact_guard.agents.claude_code import hook as claude_code
from compact_guard.agents.codex import hook as codex
from compact_guard.hook import composing, identity, run, storage
from tests.hook.codex import CodexGuard, Rollout
from tests.hook.conftest import HOOK, NAMES, SCHEMA, Guard, payload_of
from tests.hook.transcripts import Transcript

HOT = HOOK.parent
REASONS = set(SCHEMA["properties"]["reason"]["anyOf"][0]["enum"])
OUTCOMES = set(SCHEMA["properties"]["outcome"]["enum"])
ADAPTERS = {"claude-code": claude_code, "codex": codex}
SAID = "Use DuckDB, never SQLite."


def words_in_the_source(known: set[str]) -> set[str]:
    """Which of the contract's words stand as strings in the hot path."""
    found = set()
    for file in [*HOT.glob("[!r]*.py"), *HOT.glob("r[!e]*.py"), *HOT.glob("re[!d]*.py")]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and node.value in known:
                found.add(node.value)
    return found


class Scene:
    """One agent with one session; hooks run in this process, so that its faults can be chosen."""

    def __init__(self, agent: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.agent, self.folder, self.patch = agent, folder, patch
        kinds = {"claude-code": (Guard, Transcript), "codex": (CodexGuard, Rollout)}
        guard, transcript = kinds[agent]
        self.guard = guard(folder / "home")
        self.story = transcript(folder / "s1.jsonl")
        (self.story.typed if agent == "claude-code" else self.story.prompt)(SAID)
        patch.setenv("COMPACT_GUARD_HOME", str(self.guard.home))

    def hook(self, event: str, path: Path | None = None, **fields) -> None:
        payload = payload_of(event, path or self.story.path, turn_id="c1", trigger="manual")
        self.raw(event, json.dumps(payload | fields).encode())

    def raw(self, event: str, content: bytes) -> None:
        self.guard.run(event, content)

    def failing(self, place: object, name: str, error: BaseException, event: str) -> None:
        """The event, in this process, with one function of ours that fails."""

        def fail(*_: object, **__: object) -> None:
            raise error

        # A session of its own: right behind a failure, another run would step back.
        session = f"s{len(self.guard.rows()) + 2}"
        payload = payload_of(event, self.story.path, trigger="manual", session_id=session)
        with self.patch.context() as patch:
            patch.setattr(run, "_payload", lambda: payload)
            patch.setattr(place, name, fail)
            run._run(ADAPTERS[self.agent], event)

    def saved(self) -> Path:
        self.hook("pre_compact")
        if self.agent == "codex":
            self.story.boundary()
            self.hook("post_compact")
        return self.guard.checkpoints()[-1]


def nothing_goes_wrong(scene: Scene) -> None:
    scene.saved()
    for event in ("session_start", "post_compact", "session_start"):
        scene.hook(event)


def nothing_was_saved(scene: Scene) -> None:
    scene.hook("session_start")
    scene.hook("post_compact")


def nothing_was_said(scene: Scene) -> None:
    silent = type(scene.story)(scene.folder / "silent.jsonl")
    scene.hook("pre_compact", silent.path)


def a_subagent_runs(scene: Scene) -> None:
    for event in NAMES:
        scene.hook(event, agent_id="a1")


def the_transcript_is_unusable(scene: Scene) -> None:
    scene.hook("pre_compact", transcript_path=None)
    scene.hook("pre_compact", transcript_path="")
    scene.hook("pre_compact", scene.folder)


def the_payload_is_none(scene: Scene) -> None:
    for event in NAMES:
        scene.raw(event, b"[]")


def two_runs_are_about_one_compaction(scene: Scene) -> None:
    scene.hook("pre_compact")
    scene.hook("pre_compact")


def the_checkpoint_was_spoiled(scene: Scene) -> None:
    file = scene.saved()
    content = file.read_bytes()
    file.write_bytes(content + b" ")
    scene.hook("session_start")
    file.write_bytes(content)
    file.chmod(0o644)
    scene.hook("session_start")
    file.chmod(0o600)


def the_checkpoint_is_of_something_else(scene: Scene) -> None:
    file = scene.saved()
    content = json.loads(file.read_bytes())
    for change in (
        {"schema": "compact-guard.checkpoint/2"},
        {"session_hash": "0" * 64},
        {"created_seconds": 0},
        {"transcript_hash": "0" * 64},
    ):
        for each in scene.guard.checkpoints():
            each.unlink()
        raw = json.dumps(content | change).encode()
        changed = file.with_name(f"{file.name[:7]}{identity.hash_bytes(raw)}.json")
        changed.write_bytes(raw)
        changed.chmod(0o600)
        scene.hook("session_start")


def the_machine_fails(scene: Scene) -> None:
    for number in (errno.ENOSPC, errno.EACCES, errno.EIO):
        scene.failing(storage, "_write_new", OSError(number, "cut"), "pre_compact")
    scene.failing(storage, "_write_new", storage.NotPrivate("owner"), "pre_compact")


def our_own_code_fails(scene: Scene) -> None:
    scene.failing(composing, "compose", run.deadline.Reached(), "pre_compact")
    scene.failing(composing, "compose", ZeroDivisionError(), "pre_compact")
    scene.failing(composing.redaction, "redact", ZeroDivisionError(), "pre_compact")
    unredacted = composing.NothingSaved("failed", "redaction_failed")
    scene.failing(composing, "_redacted", unredacted, "pre_compact")


STORIES: tuple[Callable[[Scene], None], ...] = (
    nothing_goes_wrong,
    nothing_was_saved,
    nothing_was_said,
    a_subagent_runs,
    the_transcript_is_unusable,
    the_payload_is_none,
    two_runs_are_about_one_compaction,
    the_checkpoint_was_spoiled,
    the_checkpoint_is_of_something_else,
    the_machine_fails,
    our_own_code_fails,
)


@pytest.mark.parametrize("agent", ADAPTERS)
def test_every_reason_of_the_source_is_driven_and_its_row_is_valid(agent, tmp_path, monkeypatch):
    rows = []
    for number, story in enumerate(STORIES):
        folder = tmp_path / str(number)
        folder.mkdir()
        scene = Scene(agent, folder, monkeypatch)
        story(scene)
        rows += scene.guard.rows()  # each is validated there

    driven = {(row["event"], row["outcome"]) for row in rows}
    assert words_in_the_source(REASONS) - {row["reason"] for row in rows} == set()
    assert words_in_the_source(OUTCOMES) - {row["outcome"] for row in rows} == set()
    assert {row["agent"] for row in rows} == {agent}
    assert {event for event, _ in driven} == set(NAMES)


def test_the_contract_names_no_reason_that_the_hooks_do_not_know():
    assert words_in_the_source(REASONS) == REASONS


def test_fifty_starts_at_once_deliver_one_copy(guard, conversation):
    guard.pre_compact(conversation.path, trigger="manual")
    answers = at_once(lambda _: guard.session_start(conversation.path).stdout)

    assert sum(map(bool, answers)) == 1
    outcomes = [row["outcome"] for row in guard.rows() if row["event"] == "session_start"]
    assert sorted(outcomes) == ["already_used"] * 49 + ["injected"]


def test_fifty_sessions_at_once_each_receive_their_own(guard, tmp_path):
    stories = [
        Transcript(tmp_path / f"s{number}.jsonl", f"s{number}").typed(f"Never touch port {number}.")
        for number in range(1_000, 1_050)
    ]

    def whole(number: int) -> bytes:
        story = stories[number]
        guard.pre_compact(story.path, session_id=story.session_id, trigger="manual")
        return guard.session_start(story.path, session_id=story.session_id).stdout

    answers = at_once(whole)
    assert all(f"port {1_000 + n}.".encode() in answer for n, answer in enumerate(answers))
    assert all(answer.count(b"Never touch port") == 1 for answer in answers)
    assert sorted(row["outcome"] for row in guard.rows()) == ["injected"] * 50 + ["saved"] * 50


def at_once(work: Callable[[int], bytes]) -> list[bytes]:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(50) as pool:
        return list(pool.map(work, range(50)))


def test_a_five_gigabyte_transcript_with_words_at_its_end_is_saved(guard, conversation):
    os.truncate(conversation.path, 5 << 30)
    conversation.raw(b"\n").typed("Never use floats, because sums drift.").answered("Whole cents.")

    answer = guard.pre_compact(conversation.path)

    assert (answer.returncode, answer.stdout, guard.last()["outcome"]) == (0, b"", "saved")
    assert "Never use floats" in guard.injected_text(conversation.path)


def test_a_line_of_ten_megabytes_is_passed_over_and_counted(guard, conversation):
    conversation.typed("x" * (10 << 20)).typed("Never use floats, because sums drift.")

    guard.pre_compact(conversation.path)

    assert (guard.last()["outcome"], guard.last()["counts"]["malformed_lines"]) == ("saved", 1)
    assert "Never use floats" in guard.injected_text(conversation.path)

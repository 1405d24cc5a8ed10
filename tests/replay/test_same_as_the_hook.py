"""What is replayed at a boundary is what the hook saves when it is run there."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compact_guard.hook import audit, cues, events, receipt, run, saving
from compact_guard.hook.composing import NothingSaved
from tests.bench import replay_corpus
from tests.bench.quality import phrases
from tests.hook.codex import Rollout
from tests.hook.conftest import Guard
from tests.replay.conftest import Claude, boundaries

BANK = [
    line
    for language in phrases.LANGUAGES
    for name, lines in phrases.load(language, "tuned").items()
    if name in ("corrections", "decisions", "constraints uncued", "tasks", "evidence", "filler")
    for line in lines[:6]
]
SECRET = "The PASSWORD=not-a-real-one-42 is for the replica."
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["user", "assistant"]), st.sampled_from([*BANK, SECRET])),
        st.tuples(st.just("compaction"), st.lists(st.sampled_from(BANK), max_size=5)),
    ),
    max_size=25,
)
IN_PROCESS = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class HookInProcess:
    """The hook's own functions, with a disk of their own for each session."""

    def __init__(self, agent: str, story, session_id: str, trigger: str) -> None:
        self.adapter = run.load_adapter(agent)
        self.story = story
        self.session_id = session_id
        self.trigger = trigger
        self.saved: list[dict] = []

    def pre_compact(self) -> None:
        event = self._event(events.CompactionStarting)
        row = self._row("pre_compact", event)
        try:
            saving.take(event, self.adapter, row)
        except NothingSaved as nothing:
            row["outcome"], row["reason"] = nothing.outcome, nothing.reason
        self.saved.append(row)

    def post_compact(self, summary: str) -> None:
        event = self._event(events.CompactionFinished)
        event.summary = summary
        row = self._row("post_compact", event)
        receipt.write(event, self.adapter, row)
        self.saved[-1]["rescued"] = {
            rank: row["counts"].get(f"rescued_{rank}", 0) for rank in cues.RANKS
        }

    def _event(self, kind):
        return kind(
            session_id=self.session_id,
            transcript_path=str(self.story.path),
            trigger=self.trigger,
        )

    def _row(self, name: str, event) -> dict:
        row = audit.new_row(self.adapter.AGENT, "test", name, True)
        run._describe(event, self.adapter.AGENT, row)
        return row


def told(row: dict) -> dict:
    counts = row["counts"]
    return {
        "outcome": row["outcome"],
        "reason": row["reason"],
        "held": {rank: counts.get(rank, 0) for rank in cues.RANKS},
        "carried": counts.get("items_carried", 0),
        "left_out": counts.get("items_dropped", 0),
        "redactions": counts.get("redactions", 0),
        "checkpoint_bytes": counts.get("bytes", 0),
    }


def replayed(boundary) -> dict:
    return {
        name: getattr(boundary, name) for name in told({"outcome": 0, "reason": 0, "counts": {}})
    }


@IN_PROCESS
@given(STEPS)
def test_on_claude_code(tmp_path_factory, monkeypatch, steps):
    folder = tmp_path_factory.mktemp("session")
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(folder / "home"))
    story = Claude(folder / "s1.jsonl")
    hook = HookInProcess("claude-code", story, "s1", "manual")
    for kind, text in steps:
        if kind == "compaction":
            hook.pre_compact()
            summary = "\n".join(["What was done.", *text])
            hook.post_compact(summary)
            story.compacted("manual", summary)
        else:
            story.typed(text) if kind == "user" else story.answered(text)

    found = boundaries(story)

    assert [replayed(boundary) for boundary in found] == [told(row) for row in hook.saved]
    for boundary, row in zip(found, hook.saved, strict=True):
        if boundary.outcome == "saved":
            assert boundary.rescued() == row["rescued"]


@IN_PROCESS
@given(STEPS)
def test_on_codex(tmp_path_factory, monkeypatch, steps):
    folder = tmp_path_factory.mktemp("session")
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(folder / "home"))
    story = Rollout(folder / "rollout-t1.jsonl")
    hook = HookInProcess("codex", story, "t1", "auto")
    for kind, text in steps:
        match kind:
            case "compaction":
                hook.pre_compact()
                story.line("compacted", message="\n".join(["Done.", *text]))
            case "user":
                story.prompt(text)
            case "assistant":
                story.reply(text)

    found = boundaries(story)

    assert [replayed(boundary) for boundary in found] == [told(row) for row in hook.saved]


@pytest.mark.parametrize("language", phrases.LANGUAGES)
def test_in_a_long_session_of_real_talk(tmp_path, language):
    """The hook in a process of its own, as the agent runs it; the room is full each time."""
    whole = replay_corpus.write_session(tmp_path / "s1.jsonl", 7, language, stretch_bytes=0)
    content, cuts = whole.path.read_bytes(), whole.boundaries
    found = boundaries(whole)
    guard = Guard(tmp_path / "home")
    for cut, boundary in zip(cuts, found, strict=True):
        whole.path.write_bytes(content[:cut])
        guard.pre_compact(whole.path, trigger="auto")
        assert replayed(boundary) == told(guard.last())
        [newest] = guard.checkpoints()[-1:]
        assert len(boundary.lost) < len(json.loads(newest.read_bytes())["items"])

    assert len(found) == replay_corpus.COMPACTIONS
    assert found[-1].left_out > 0
    assert found[-1].carried > 0

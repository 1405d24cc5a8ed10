"""Transcripts that end in a compaction, and what the replay of a file says of each boundary."""

import json

import pytest

from compact_guard.replay import session
from compact_guard.replay.rows import Boundary, File
from tests.hook.codex import Rollout
from tests.hook.transcripts import Transcript

CORRECTION = "No, not the heron table: use the kingfisher table instead."
CONSTRAINT = "Never deploy on Fridays."
SUMMARY = "This session is being continued. Birds were counted."


class Claude(Transcript):
    """A main session of Claude Code."""

    def summarised(self, text: str = SUMMARY) -> "Claude":
        return self.typed(text, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def compacted(self, trigger: str = "manual", summary: str = SUMMARY, **metadata) -> "Claude":
        """A boundary with the summary behind it, as the agent writes them."""
        self.message(
            type="system",
            subtype="compact_boundary",
            compactMetadata={"trigger": trigger, "preTokens": 190_000, **metadata},
        )
        return self.summarised(summary)

    def newest_id(self) -> str:
        return json.loads(self.path.read_bytes().splitlines()[-1])["uuid"]


@pytest.fixture
def claude(tmp_path) -> Claude:
    return Claude(tmp_path / "s1.jsonl")


@pytest.fixture
def rollout(tmp_path) -> Rollout:
    return Rollout(tmp_path / "rollout-2026-11-30T02-00-00-t1.jsonl")


def boundaries(story) -> tuple[Boundary, ...]:
    file = replayed(story)
    assert file.skipped is None
    return file.boundaries


def replayed(story) -> File:
    return session.replay(getattr(story, "path", story))


def lost(boundary: Boundary) -> set[str]:
    """The texts that the new context did not hold otherwise."""
    return {statement.text for statement in boundary.lost}

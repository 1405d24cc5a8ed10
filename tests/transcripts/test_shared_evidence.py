"""Every boundary of the field transcripts, every row of the acceptance logs: known truths.

The evidence is too large to ship. It lies in the folder that COMPACT_GUARD_SHARED names, or in
`shared` beside the checkout; without it these tests say so.
"""

import contextlib
import csv
import gzip
import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

from compact_guard.transcripts import witness

CHECKOUT = Path(__file__).parents[2]
NAMED, BESIDE = os.environ.get("COMPACT_GUARD_SHARED", ""), CHECKOUT.parent / "shared"
SHARED = Path(NAMED) if NAMED and Path(NAMED).is_dir() else BESIDE
FIELD, STORIES = SHARED / "field", SHARED / "acceptance_transcripts"

pytestmark = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the evidence is not at hand: no folder {SHARED}"
)


def field_rows(name: str) -> list[dict[str, str]]:
    with (FIELD / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def offsets_of_objects(content: bytes) -> list[int]:
    """As facts.py numbers rows: lines that hold exactly one object."""
    offsets, position = [], 0
    for line in content.split(b"\n"):
        with contextlib.suppress(ValueError):
            offsets += [position] if isinstance(json.loads(line), dict) else []
        position += len(line) + 1
    return offsets


def test_every_boundary_of_every_field_transcript_is_found_at_its_offset():
    expected = defaultdict(list)
    for row in field_rows("boundaries.csv"):
        expected[row["file"]].append(row)

    for name in [row["file"] for row in field_rows("facts.csv")]:
        packed = FIELD / f"{name}.gz"
        offsets = offsets_of_objects(gzip.decompress(packed.read_bytes()))
        found = [fact for fact in witness.read(packed).events if fact.kind == "boundary"]

        assert [fact.byte_offset for fact in found] == [
            offsets[int(row["index"])] for row in expected[name]
        ], name
        told = [row["preTokens"] for row in expected[name]]
        given = ["" if fact.pre_tokens is None else str(fact.pre_tokens) for fact in found]
        assert given == told, name


def test_every_main_turn_and_every_damaged_line_of_the_field_is_counted_once():
    for row in field_rows("facts.csv"):
        read = witness.read(FIELD / f"{row['file']}.gz")
        turns = sum(fact.kind == "model_turn" for fact in read.events)

        assert read.file.agent == {"claude": "claude-code", "codex": "codex"}[row["agent"]]
        assert read.file.unreadable_lines == int(row["bad_lines"]) - int(row["bad_glued"])
        assert read.file.glued_lines == int(row["bad_glued"])
        assert read.file.file_bytes == int(row["bytes"])
        if row["agent"] == "claude":
            assert turns == int(row["main_turns"]), row["file"]


def stories() -> list[Path]:
    return sorted(path for path in STORIES.iterdir() if path.is_dir()) if STORIES.is_dir() else []


def longest_by_hash(folder: Path) -> dict[str | None, witness.TranscriptFile]:
    read = [witness.read(path) for path in witness.find([folder])]
    by_length = sorted(read, key=lambda transcript: transcript.file.complete_bytes)
    return {transcript.file.transcript_hash: transcript for transcript in by_length}


def audit_rows(folder: Path) -> list[dict]:
    logs = sorted(folder.glob("*.jsonl"))
    return [json.loads(line) for log in logs for line in log.read_bytes().splitlines()]


@pytest.mark.parametrize("story", stories(), ids=lambda path: path.name)
def test_what_the_hooks_wrote_of_a_transcript_is_what_the_reader_finds_in_it(story):
    files = longest_by_hash(story / "transcripts")
    rows = [row for row in audit_rows(story / "audit") if row["transcript_hash"] in files]
    assert rows

    for row in rows:
        transcript = files[row["transcript_hash"]]
        assert transcript.file.session_hash == row["session_hash"]
        assert transcript.file.agent_version == row["agent_version"]
        assert transcript.file.interface in (None, row["interface"])
        if row["event"] == "pre_compact" and row["transcript_bytes"] is not None:
            assert last_boundary(transcript, row["transcript_bytes"]) == row["last_boundary_bytes"]


def last_boundary(transcript: witness.TranscriptFile, before: int) -> int | None:
    offsets = [fact.byte_offset for fact in transcript.events if fact.kind == "boundary"]
    return max((offset for offset in offsets if offset < before), default=None)


@pytest.mark.parametrize("story", stories(), ids=lambda path: path.name)
def test_texts_stand_in_the_transcript_as_often_as_the_known_outcome_says(story):
    files = longest_by_hash(story / "transcripts")
    expected = json.loads((story / "expected.json").read_text(encoding="utf-8"))
    outcomes = {
        compaction["checkpoint_hash"]: compaction["outcome"]
        for interface in expected["interfaces"]
        for compaction in interface["compactions"]
        if compaction["evidence"] == "transcript"
    }
    times = {"injected": 1, "duplicated": 2, "missed": 0, "unconfirmed": 0}

    for row in audit_rows(story / "audit"):
        outcome = outcomes.get(row["checkpoint_hash"])
        if row["event"] == "pre_compact" and outcome in times and row["transcript_hash"] in files:
            facts = files[row["transcript_hash"]].events
            texts = [fact.event_key for fact in facts if fact.kind == "injected_text"]
            assert texts.count(row["checkpoint_hash"]) == times[outcome], row["checkpoint_hash"]

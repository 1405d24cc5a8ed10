"""The sessions in docs/examples/replay, told as stories: a made-up service, two agents.

    python -m tests.replay.heron

writes them anew. The summaries are as summaries are: good on what was done, thin on why.
"""

import json
import sys
from pathlib import Path

from tests.hook.codex import Rollout
from tests.hook.transcripts import Transcript
from tests.source_tree import ROOT

EXAMPLES = ROOT / "docs" / "examples" / "replay"
PROJECT = "/home/user/heron-api"
CLAUDE, CODEX = "3f2a91c0-5d1e-4b7a-9c3e-6f0d2b8a4e17", "019a3c52-7f11-7d02-8e4b-5a9c0d6e2f38"
CONTINUED = "This session is being continued from a previous conversation."

FIRST = (
    ("We're building the export of sightings for the heron API.", "I'll start with the schema."),
    ("The export must stream, because some regions have 4 million rows.", "Streaming it is."),
    ("We decided on CSV instead of Parquet because the wardens open it in Excel.", "CSV, then."),
    ("All times are UTC, also in the file names.", "Noted."),
    ("Never touch migrations/0007, it already ran in production.", "I'll leave it alone."),
    ("No, not the staging database: use the replica in Frankfurt.", "Switching to the replica."),
    ("The login of the replica is PASSWORD=not-a-real-one-42", "It works."),
    ("The query took 212 seconds for region 9.", "I'll look at the plan."),
    ("TODO: write the test for empty regions.", "On my list."),
    ("We'll go with one file per region, since the wardens forward them by mail.", "Per region."),
    ("Now run the tests.", "All 41 pass."),
)
FIRST_SUMMARY = """
1. Goal: export sightings of the heron API as CSV; streaming, some regions have 4 million rows.
2. Done: schema and streaming writer in export/stream.py; all 41 tests pass.
3. The query for region 9 is slow and is being looked at.
"""

SECOND = (
    ("Let's index (region, seen_at) and not partition, partitions broke the backup.", "Indexed."),
    ("We settled on gzip at level 6, level 9 was slower than the query.", "Level 6."),
    ("Region 9 now takes 3 seconds.", "Good."),
    (
        "Don't retry failed uploads more than twice, the gateway bans us for an hour.",
        "Two at most.",
    ),
    ("Actually the wardens want semicolons, not commas.", "Changing the delimiter."),
    ("Keep the old endpoint until March 3, two partners still call it.", "It stays."),
    ("Next: paginate the list of regions.", "Starting."),
)
SECOND_SUMMARY = """
1. Goal: export sightings as CSV with semicolons.
2. Done: an index on (region, seen_at); region 9 takes 3 seconds. Uploads are retried.
3. Next: paginate the list of regions.
"""

THIRD = (
    ("I'd rather have cursors than page numbers, rows shift while somebody reads.", "Cursors."),
    ("You forgot the semicolons in the header line.", "Fixed."),
    ("Ship it on Thursday, not before.", "Thursday."),
)
THIRD_SUMMARY = """
1. The list of regions is paginated with cursors. The header line has semicolons.
2. To be shipped on Thursday, not before, keep the reasons for the delimiter.
"""

IN_CODEX = (
    ("Write the client for the heron export in Go.", "I'll begin with the request."),
    ("We picked net/http over resty since we may not add dependencies.", "net/http."),
    ("The token goes into the keychain, never into a file.", "Keychain."),
    ("It failed with 429 after 50 requests.", "I'll slow it down."),
)


def write(folder: Path) -> None:
    """Both sessions."""
    in_claude_code(folder / f"{CLAUDE}.jsonl")
    in_codex(folder / f"rollout-2026-11-28T15-20-00-{CODEX}.jsonl")


def in_claude_code(path: Path) -> None:
    """Two automatic compactions and one that was typed."""
    transcript = Dated(path, CLAUDE)
    transcript.talk("2026-11-27T09", FIRST).compacted("auto", FIRST_SUMMARY)
    transcript.talk("2026-11-27T13", SECOND).compacted("auto", SECOND_SUMMARY)
    transcript.talk("2026-11-28T10", THIRD).compacted("manual", THIRD_SUMMARY)
    command = "<command-name>/compact</command-name>\n<command-args>{}</command-args>"
    transcript.typed(command.format("keep the reasons for the delimiter"))


def in_codex(path: Path) -> None:
    """One compaction with its summary in clear, one that is encrypted."""
    rollout = DatedRollout(path, id=CODEX, cwd=PROJECT, originator="codex_exec")
    rollout.event("task_started")
    for typed, answered in IN_CODEX:
        rollout.prompt(typed).reply(answered)
    rollout.line(
        "compacted",
        message="Another language model started to solve this problem.\nThe client uses net/http.",
        replacement_history=[_item("user", IN_CODEX[0][0])],
        window_id="019a3c52-w1",
    )
    rollout.prompt("The retry waits 90 seconds, as the gateway asks.").reply("90 seconds.")
    encrypted = {"type": "compaction", "encrypted_content": "gAAAAB"}
    rollout.boundary(replacement_history=[encrypted], window_id="019a3c52-w2")


class Dated(Transcript):
    """A transcript whose clock and folder are told."""

    def talk(self, hour: str, said: tuple[tuple[str, str], ...]) -> "Dated":
        self._hour = hour
        for typed, answered in said:
            self.typed(typed)
            self.answered(answered)
        return self

    def compacted(self, trigger: str, summary: str) -> "Dated":
        """An automatic one leaves the newest question and its answer as they are."""
        newest = [json.loads(line)["uuid"] for line in self.path.read_bytes().splitlines()[-2:]]
        kept = {"preservedMessages": {"uuids": newest}} if trigger == "auto" else {}
        metadata = {"trigger": trigger, "preTokens": 167_320, **kept}
        self.message(type="system", subtype="compact_boundary", compactMetadata=metadata)
        self.typed(CONTINUED + summary, isCompactSummary=True)
        return self

    def message(self, **record) -> "Dated":
        at = f"{self._hour}:{self._second // 60 % 60:02}:{self._second % 60:02}.000Z"
        return super().message(**{"timestamp": at, "cwd": PROJECT, **record})


class DatedRollout(Rollout):
    """A rollout of an afternoon."""

    def stamp(self) -> str:
        return f"2026-11-28T15:{20 + len(self.offsets) // 4:02}:{len(self.offsets) % 60:02}.000Z"


def _item(role: str, text: str) -> dict:
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": role, "content": content}


if __name__ == "__main__":
    EXAMPLES.mkdir(parents=True, exist_ok=True)
    write(EXAMPLES)
    sys.exit(0)

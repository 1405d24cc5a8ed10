"""What must hold after every session, whatever happened in it."""

import stat
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import jsonschema_rs

from tests.agents.claude_code.evidence import (
    Request,
    Transcript,
    audit_rows,
    requests,
    session_hash,
)
from tests.agents.claude_code.model_replies import Json
from tests.agents.claude_code.sandbox import Sandbox

AUDIT_LINE_BYTES_MAX = 4_000
SCHEMA = files("compact_guard").joinpath("contracts", "audit-event.schema.json")


_validator = jsonschema_rs.validator_for(SCHEMA.read_text())


class Span(NamedTuple):
    """One summary request and the main session's turns up to the next one."""

    summary: Request
    turns: list[Request]


def spans(sandbox: Sandbox) -> list[Span]:
    """The requests cut at each summary; what came before the first one is left out."""
    found: list[Span] = []
    for request in requests(sandbox):
        if request.kind == "summary":
            found.append(Span(request, []))
        elif found and not request.is_subagent:
            found[-1].turns.append(request)
    return found


def saved_hashes(sandbox: Sandbox) -> list[str]:
    """The checkpoint of each compaction that was begun, in order."""
    return [row["checkpoint_hash"] for row in audit_rows(sandbox) if row["event"] == "pre_compact"]


def assert_each_checkpoint_reaches_the_model_once(sandbox: Sandbox, *words: str) -> None:
    """Exactly its own checkpoint, once, in every turn of a span; the words in the first turn."""
    hashes = saved_hashes(sandbox)
    assert hashes
    for own, span in zip(hashes, spans(sandbox), strict=True):
        assert span.turns
        for turn in span.turns:
            assert Counter({each: turn.text.count(each) for each in hashes}) == Counter([own])
        for word in words:
            assert span.turns[0].text.count(word) == 1, word


def assert_summaries_were_asked_for_without_us(sandbox: Sandbox) -> None:
    """The summarization prompt holds no hook output, nor does the checkpoint being saved."""
    for own, span in zip(saved_hashes(sandbox), spans(sandbox), strict=True):
        assert own not in span.summary.text
        assert "compact-guard" not in span.summary.last_user_text


def assert_transcript_records(transcript: Transcript, hashes: list[str], *words: str) -> None:
    """Claude Code's own file shows each checkpoint as delivered hook text, whole and once."""
    delivered, outputs = transcript.delivered_texts(), transcript.hook_outputs()
    for own, text, output in zip(hashes, delivered, outputs, strict=True):
        assert text.count(own) == output.count(own) == 1
        assert "persisted-output" not in text
        for word in words:
            assert word in text


def assert_audit_log_is_sound(sandbox: Sandbox, transcript: Transcript) -> None:
    """Valid, synthetic rows of this one session, whose hashes and offsets the file confirms."""
    boundaries = [boundary.offset for boundary in transcript.boundaries()]
    for row in audit_rows(sandbox):
        validate(row)
        assert row["origin"] == "synthetic"
        assert row["session_hash"] == session_hash(transcript.path.stem)
        assert row["transcript_hash"] == transcript.first_line_hash()
        if row["event"] == "pre_compact":
            read = [offset for offset in boundaries if offset < row["transcript_bytes"]]
            assert row["last_boundary_bytes"] == (read[-1] if read else None)
    assert_pairs(audit_rows(sandbox))


def validate(row: Json) -> None:
    """Raises jsonschema_rs.ValidationError when the row breaks the shipped contract."""
    _validator.validate(row)


def assert_pairs(rows: list[Json]) -> None:
    """Every injected row names a checkpoint saved before it, and no checkpoint goes out twice."""
    saved: set[str] = set()
    for row in rows:
        if row["outcome"] == "saved":
            saved.add(row["checkpoint_hash"])
        elif row["outcome"] == "injected":
            saved.remove(row["checkpoint_hash"])


def assert_private(guard_home: Path) -> None:
    """Only the owner may read what the guard keeps; audit lines are whole and bounded."""
    for path in [guard_home, *guard_home.rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.lstat().st_mode) == wanted, path
    for path in (guard_home / "audit").iterdir():
        lines = path.read_bytes().splitlines(keepends=True)
        assert all(line.endswith(b"\n") and len(line) <= AUDIT_LINE_BYTES_MAX for line in lines)


def kept_by_guard(guard_home: Path) -> Iterator[tuple[Path, str]]:
    """Every file the guard keeps, with its content."""
    for path in guard_home.rglob("*"):
        if path.is_file():
            yield path, path.read_text()

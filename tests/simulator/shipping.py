"""What of a world reaches the evaluator: lines lost, torn, shuffled; files cut and damaged."""

import json
import random
from pathlib import Path
from typing import Any, NamedTuple

from tests.simulator.guard import Row
from tests.simulator.transcript import Mark
from tests.simulator.world import Session

# None of these is an audit row: each is quarantined, and changes nothing else.
FOREIGN_LINES = (
    b'{"schema":"compact-guard.audit/2","event":"pre_compact"}',
    b'{"schema":"other/1","text":"hello"}',
    b'{"schema":"compact-guard.audit/1","event_id":"0123',
    b"\0" * 40,
    b"[]",
)


class ShippedFile(NamedTuple):
    """The transcript that speaks for a session: how far it reaches, which lines are garbled."""

    size: int
    complete: int
    garbled: tuple[tuple[int, int], ...]

    def shows(self, mark: Mark) -> bool:
        """A last line without its end counts if its object is whole."""
        return mark.line[1] - 1 <= self.size and mark.line not in self.garbled

    def is_readable(self, begin: int, end: int | None) -> bool:
        starts = (line[0] for line in self.garbled if line[1] <= self.complete)
        return not any(begin <= start and (end is None or start < end) for start in starts)


class Left(NamedTuple):
    """What is left of one session."""

    session: Session
    rows: list[Row]
    file: ShippedFile | None


def leave_all(session: Session) -> Left:
    """Everything arrives."""
    rows = [moment for moment in session.stream if isinstance(moment, Row)]
    return Left(session, rows, whole(session))


def whole(session: Session) -> ShippedFile | None:
    if session.writer is None:
        return None
    size = len(session.writer.transcript.content)
    return ShippedFile(size, size, ())


def leave_some(session: Session, rng: random.Random, *, with_transcripts: bool = True) -> Left:
    """Rows are lost, and transcripts, by the draw."""
    rows = [moment for moment in session.stream if isinstance(moment, Row)]
    if session.is_steady and rng.random() < 0.2:
        rows = [row for row in rows if rng.random() < 0.9]
    file = _some_file(session, rng)
    return Left(session, rows, file if with_transcripts else None)


def _some_file(session: Session, rng: random.Random) -> ShippedFile | None:
    if session.writer is None or rng.random() < 0.25:
        return None
    content = bytes(session.writer.transcript.content)
    size = len(content)
    if rng.random() < 0.15:  # cut off anywhere behind the first line
        size = rng.randrange(content.index(b"\n") + 1, size + 1)
    garbled: tuple[tuple[int, int], ...] = ()
    if rng.random() < 0.2:
        lines = line_places(content)[3:]  # without its first records a file is but a slice
        garbled = tuple(sorted(rng.sample(lines, k=min(len(lines), rng.randint(1, 2)))))
    return ShippedFile(size, content.rfind(b"\n", 0, size) + 1, garbled)


def line_places(content: bytes) -> list[tuple[int, int]]:
    places, start = [], 0
    for line in content.splitlines(keepends=True):
        places.append((start, start + len(line)))
        start += len(line)
    return places


def content_of(left: Left) -> bytes:
    """The bytes of the file that speaks; garbled lines keep their length."""
    assert left.file is not None
    content = bytearray(left.session.writer.transcript.content)
    for start, end in left.file.garbled:
        content[start : end - 1] = b"\xff" * (end - 1 - start)
    return bytes(content[: left.file.size])


def write_transcripts(folder: Path, lefts: list[Left], rng: random.Random) -> None:
    """The files that speak, and beside them stale copies, slices and subagents' files."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in lefts:
        if left.file is None:
            continue
        content = content_of(left)
        path = folder / left.session.writer.path
        _write(path, content)
        if rng.random() < 0.3:
            _write(folder / "backup" / path.name, content[: rng.randrange(1, len(content) + 1)])
        if rng.random() < 0.2:
            places = line_places(content)
            _write(folder / "slices" / path.name, content[places[len(places) // 2][0] :])
        if rng.random() < 0.2 and left.session.agent_name == "claude-code":
            _write(path.with_suffix("") / "subagents" / "agent-a1.jsonl", _subagent(content))


def _subagent(content: bytes) -> bytes:
    """Compactions of its own, beside the main session's."""
    side = b'"isSidechain": true, "agentId": "a1"'
    return content.replace(b'"isSidechain": false', side).replace(b'"uuid": "', b'"uuid": "side-')


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def write_log(folder: Path, rows: list[Row], rng: random.Random) -> Path:
    """The audit log, as badly handled as it can be without losing a row."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row.fields).encode() for row in rows]
    lines += rng.sample(lines, k=len(lines) // 5)
    lines += [_told_again(row) for row in rows[:5]]
    lines += FOREIGN_LINES
    rng.shuffle(lines)
    ends = (b"\n", b"\r\n", b"\n\n")
    for number in range(3):
        content = b"".join(line + rng.choice(ends) for line in lines[number::3])
        (folder / f"2026-11-0{number + 1}.jsonl").write_bytes(content)
    return folder


def _told_again(row: Row) -> bytes:
    """The same event with other content, by another host and later: quarantined."""
    other: dict[str, Any] = {"host": "c3" * 8, "recorded_at": "2027-01-01T00:00:00.000Z"}
    return json.dumps(row.fields | other).encode()

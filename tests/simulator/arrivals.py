"""Rows and transcripts of a world as they come to a machine: late, growing, damaged, gone."""

import json
import random
from pathlib import Path

from tests.simulator import shipping, world
from tests.simulator.guard import Row
from tests.simulator.world import Session


class Arrivals:
    """Folders `audit` and `transcripts`, and `remembered`: every transcript as it was last seen.

    A warehouse remembers transcripts that are gone; one that is made anew is shown `remembered`.
    """

    def __init__(self, folder: Path, seed: int, count_sessions: int) -> None:
        self.rng = random.Random(seed)
        self.audit = folder / "audit"
        self.transcripts = folder / "transcripts"
        self.remembered = folder / "remembered"
        for path in (self.audit, self.transcripts, self.remembered):
            path.mkdir(parents=True)
        self.sessions = world.a_world(seed, count_sessions)
        lefts = [shipping.leave_some(session, self.rng) for session in self.sessions]
        self._awaited = [row for left in lefts for row in left.rows]
        self.rng.shuffle(self._awaited)
        self._files: dict[str, Path] = {}
        self._rare = (self._damage, self._replace, self._copy, self._move, self._drop)

    def go_on(self, share: float) -> None:
        """About that share of all sessions' files change, and as large a one of the rows comes."""
        count = round(len(self._awaited) * share) + 1
        self._log(self._awaited[:count])
        self._awaited = self._awaited[count:]
        told = [session for session in self.sessions if session.writer is not None]
        for session in self.rng.sample(told, k=round(len(told) * share)):
            self.rng.choice((self._grow,) * 5 + self._rare)(session)

    def see(self) -> None:
        """An evaluation reads the transcripts as they are."""
        for path in self.transcripts.rglob("*.jsonl"):
            self._write(self.remembered / path.relative_to(self.transcripts), path.read_bytes())

    def _log(self, rows: list[Row]) -> None:
        for row in rows:
            with (self.audit / f"{row.event_id[0]}.jsonl").open("a", encoding="utf-8") as log:
                log.write(f"{json.dumps(row.fields)}\n")

    def _grow(self, session: Session) -> None:
        content, path = bytes(session.writer.transcript.content), self._path(session)
        known = path.stat().st_size if path.exists() else content.index(b"\n") + 1
        self._write(path, content[: self.rng.randrange(min(known, len(content)), len(content) + 1)])

    def _damage(self, session: Session) -> None:
        """As long as before, or as long as it gets, with a line that nobody can read."""
        content, path = bytearray(session.writer.transcript.content), self._path(session)
        start, end = self.rng.choice(shipping.line_places(bytes(content))[1:])
        content[start : end - 1] = b"\xff" * (end - 1 - start)
        self._write(path, bytes(content[: path.stat().st_size if path.exists() else None]))

    def _replace(self, session: Session) -> None:
        """By another transcript of the session: it begins with a line that no row names."""
        self._write(self._path(session), b" " + bytes(session.writer.transcript.content))

    def _copy(self, session: Session) -> None:
        """A shorter one."""
        path = self._path(session)
        if path.exists():
            content = path.read_bytes()
            size = self.rng.randrange(content.rindex(b"\n"))
            self._write(self.transcripts / "backup" / path.name, content[:size])

    def _move(self, session: Session) -> None:
        path = self._path(session)
        if path.exists():
            self._files[session.name] = path.with_name(f"moved-{path.name}")
            path.rename(self._path(session))
            (self.remembered / path.relative_to(self.transcripts)).unlink(missing_ok=True)

    def _drop(self, session: Session) -> None:
        """Agents delete their transcripts after some weeks."""
        self._path(session).unlink(missing_ok=True)

    def _path(self, session: Session) -> Path:
        return self._files.get(session.name, self.transcripts / session.writer.path)

    def _write(self, path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

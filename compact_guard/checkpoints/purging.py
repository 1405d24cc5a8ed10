"""Remove checkpoints, and what the agents wrote to their own folders of what was injected."""

import contextlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from compact_guard.agents import registry
from compact_guard.checkpoints import inventory
from compact_guard.checkpoints.inventory import Stored
from compact_guard.hook import checkpoint, identity

# Nothing but our own label: other people's hooks write to the same folders.
_LABEL = re.compile(rb"\[compact-guard\] Evidence .{1,1000}checkpoint [0-9a-f]{64}", re.DOTALL)
_SPILL_BYTES_MAX = 1 << 20  # a hundred times the longest text that we print


@dataclass(frozen=True)
class Wanted:
    """What may go: of which sessions (None: all), written before when (None: whenever).

    `bytes_max`: besides, the oldest checkpoints, until the rest takes no more than that.
    """

    session_start: str | None = None
    before: float | None = None
    bytes_max: int | None = None

    def covers(self, session_hash: str, seconds: float) -> bool:
        """Whether something of this session and time may go."""
        is_of_session = session_hash.startswith(self.session_start or "")
        return is_of_session and (self.before is None or seconds < self.before)

    def chosen(self, everything: list[Stored]) -> list[Stored]:
        """Those of the checkpoints, given newest first, that go."""
        going, room = [], self.bytes_max
        for each in everything:
            is_covered = self.covers(each.session_hash, each.seconds)
            if room is not None and not is_covered:
                room -= each.size
            if is_covered or (room is not None and room < 0):
                going.append(each)
        return going


@dataclass(frozen=True)
class Plan:
    """What would go: checkpoints, folders of sessions that then hold none, spilled output."""

    stored: list[Stored]
    folders: list[Path]
    spilled: list[Path]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to remove."""
        return not (self.stored or self.folders or self.spilled)


def plan(wanted: Wanted, environment: Mapping[str, str]) -> Plan:
    """Look, and remove nothing."""
    everything = inventory.all_stored()
    going = wanted.chosen(everything)
    staying = {each.session_hash for each in everything if each not in going}
    emptied = {each.session_hash for each in going}
    folders = []
    for session_hash in inventory.sessions():
        folder = Path(checkpoint.session_folder(session_hash))
        is_emptied = session_hash in emptied or wanted.covers(session_hash, _newest(folder))
        if session_hash not in staying and is_emptied:
            folders.append(folder)
    return Plan(going, folders, list(_spilled(wanted, environment)))


def carry_out(planned: Plan) -> list[str]:
    """Remove all of it; returns what could not be removed, with the reason."""
    complaints: list[str] = []
    for each in planned.stored:
        for path in checkpoint.files_of(each.saved.path):
            _attempt(complaints, path, os.unlink)
    for folder in planned.folders:
        if not checkpoint.all_saved(str(folder)):  # one may have been saved just now
            _attempt(complaints, str(folder), shutil.rmtree)
    for file in planned.spilled:
        _attempt(complaints, str(file), os.unlink)
        with contextlib.suppress(OSError):  # others' files are in it
            file.parent.rmdir()
    return complaints


def _attempt(complaints: list[str], path: str, remove: Callable[[str], object]) -> None:
    try:
        remove(path)
    except FileNotFoundError:
        return
    except OSError as error:
        complaints.append(f"{path}: {error.strerror}")


def _newest(folder: Path) -> float:
    return max((file.lstat().st_mtime for file in folder.iterdir()), default=0.0)


def _spilled(wanted: Wanted, environment: Mapping[str, str]) -> Iterator[Path]:
    for agent in registry.spills():
        for file, session_id in agent.files(environment):
            session_hash = identity.session_hash(agent.AGENT, session_id)
            with contextlib.suppress(OSError):  # it vanished, or it is somebody else's
                if wanted.covers(session_hash, file.lstat().st_mtime) and _is_ours(file):
                    yield file


def _is_ours(file: Path) -> bool:
    status = file.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
        return False
    with file.open("rb") as content:
        return _LABEL.search(content.read(_SPILL_BYTES_MAX)) is not None

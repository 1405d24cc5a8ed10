"""One user's machine: an agent's folder, our folder, and system calls that can be made to fail."""

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

CALLS = ("open", "write", "fchmod", "fsync", "close", "replace", "mkdir", "unlink", "rmdir")


@pytest.fixture
def machine(tmp_path, monkeypatch) -> "Machine":
    machine = Machine(tmp_path)
    machine.home.mkdir()
    for name in ("CLAUDE_CONFIG_DIR", "XDG_DATA_HOME", "NO_COLOR", "COMPACT_GUARD_SYNTHETIC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(machine.data_home))
    return machine


@dataclass
class Machine:
    """Folders of one user, below a temporary folder."""

    root: Path

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def settings(self) -> Path:
        return self.home / ".claude" / "settings.json"

    @property
    def data_home(self) -> Path:
        return self.root / "data home"

    def has_settings(self, content: bytes, mode: int = 0o644) -> Path:
        self.settings.parent.mkdir(exist_ok=True)
        self.settings.write_bytes(content)
        self.settings.chmod(mode)
        return self.settings


@dataclass
class Faults:
    """Fails system call `first` (counted from 1) and, if `for_good`, all that follow."""

    first: int
    for_good: bool
    made: list[str] = field(default_factory=list)

    def around(self, name: str, real: Callable) -> Callable:
        def call(*arguments, **keywords):
            self.made.append(name)
            if self._fails():
                if name == "close":  # the descriptor is gone even when close reports an error
                    real(*arguments, **keywords)
                raise OSError(errno.EIO, f"call {len(self.made)}, {name}, failed on purpose")
            return real(*arguments, **keywords)

        return call

    def _fails(self) -> bool:
        return len(self.made) >= self.first if self.for_good else len(self.made) == self.first


@pytest.fixture
def fail_call(monkeypatch) -> Callable[[int, bool], Faults]:
    """`fail_call(k, for_good)` makes the k-th system call from now on fail."""

    def arm(first: int, for_good: bool) -> Faults:
        faults = Faults(first, for_good)
        for name in CALLS:
            monkeypatch.setattr(os, name, faults.around(name, getattr(os, name)))
        return faults

    return arm

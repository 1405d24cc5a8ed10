"""Sweeps: a hook is run again and again, and each time the next call of the system is cut."""

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.hook.cut_call import TOO_FEW_CALLS

if TYPE_CHECKING:
    from tests.hook.conftest import Guard

ROOT = Path(__file__).parents[2]
CALLS_MAX = 250
NEVER = 10**9


class Ended(NamedTuple):
    """How a run ended, and what it printed."""

    returncode: int
    stdout: bytes

    @property
    def is_uncut(self) -> bool:
        """It made fewer calls than were to be made before one is cut: the sweep is at its end."""
        return self.returncode == TOO_FEW_CALLS

    @property
    def is_clean(self) -> bool:
        """It exited with 0, as a hook always does unless it is killed."""
        return self.returncode in (0, TOO_FEW_CALLS)

    @property
    def is_whole(self) -> bool:
        """Its JSON is there to the last byte."""
        return self.stdout.endswith(b"}\n")


class Cuts:
    """Runs of hooks in forks of one process."""

    def __init__(self, process: subprocess.Popen) -> None:
        self._process = process

    def run(
        self, arguments: list[str], payload: bytes, environment: dict[str, str], k: int, kind: str
    ) -> Ended:
        """One run whose k-th call is cut."""
        request = {"k": k, "kind": kind, "arguments": arguments, "environment": environment}
        request["payload"] = payload.decode()
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        ended = json.loads(self._process.stdout.readline())
        return Ended(ended["status"], ended["printed"].encode())


@contextlib.contextmanager
def cutting() -> Iterator[Cuts]:
    """The process that runs the hooks of sweeps; it ends with its input."""
    command = [sys.executable, "-m", "tests.hook.cut_call"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as process:
        yield Cuts(process)
        process.stdin.close()


def sweep(guard: "Guard", kind: str, calls_min: int) -> "Iterator[Callable[..., Ended]]":
    """The guard's home as it is now, and a run whose next call is cut: until none is left to cut.

    Each step calls what it is given with event and payload, once.
    """
    kept = guard.home.with_name("as it was")
    shutil.copytree(guard.home, kept)
    for k in range(1, CALLS_MAX):
        shutil.rmtree(guard.home)
        shutil.copytree(kept, guard.home)
        ends: list[Ended] = []

        def cut(event: str, payload: object, k: int = k, ends: list[Ended] = ends) -> Ended:
            ends.append(guard.cut(event, payload, k, kind))
            return ends[0]

        yield cut
        if ends[0].is_uncut:
            assert k > calls_min, "too few calls to be the run that was meant"
            return
    raise AssertionError("the sweep never ended")

"""A throw-away home with an agent, our guard and our model server in it, on loopback only."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from tests.agents import needs
from tests.agents.isolation import Isolation

ANSWER_SECONDS_MAX = 60


class Sandbox:
    """One user's machine: home, project, our own home, and the folder of the model server.

    As a context manager it runs the model server. Everything lives below `root`, which may
    be looked at after the session has ended.
    """

    AGENT: ClassVar[str]  # as our commands call it
    MODEL_SERVER: ClassVar[str]

    def __init__(self, root: Path, isolation: Isolation, binary: Path, **environment: str) -> None:
        self.root = root
        self.isolation = isolation
        self.binary = binary
        self.home = root / "home"
        self.project = root / "project"
        self.guard_home = root / "guard"
        self.model_folder = root / "model"
        self.environment = environment
        for folder in (self.home, self.project, self.model_folder):
            folder.mkdir(parents=True)

    def __enter__(self) -> Self:
        command = self.isolation.inside(
            [sys.executable, "-m", self.MODEL_SERVER, self.model_folder]
        )
        self._server = subprocess.Popen(command, cwd=needs.CHECKOUT)
        port = self.model_folder / "port"
        wait_until(port.exists, "the model server")
        self.port = port.read_text()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.terminate()
        self._server.wait()

    def agent_environment(self) -> dict[str, str]:
        """All that the agent, and with it our hooks, see of the outside."""
        return {
            "PATH": os.pathsep.join([str(self.binary.parent), os.environ["PATH"]]),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
            "HOME": str(self.home),
            "COMPACT_GUARD_HOME": str(self.guard_home),
            "COMPACT_GUARD_SYNTHETIC": "1",
            **self.own_environment(),
            **self.environment,
        }

    def own_environment(self) -> dict[str, str]:
        """What this agent needs besides."""
        raise NotImplementedError

    def agent(self, *arguments: object) -> list[str]:
        """The command line of the agent, inside the namespace."""
        return self.isolation.inside([self.binary, *arguments])

    def compact_guard(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Our own command line, seen from this home and without a network; its output is text."""
        command = [sys.executable, "-m", "compact_guard", *map(str, arguments)]
        return self.run(self.isolation.inside(command))

    def install_guard(self, *arguments: object) -> None:
        installed = self.compact_guard("install", self.AGENT, "--yes", *arguments)
        assert installed.returncode == 0, installed.stdout + installed.stderr

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """To its end, in the project, with nothing on its standard input."""
        return subprocess.run(
            command,
            cwd=self.project,
            env=self.agent_environment(),
            stdin=subprocess.DEVNULL,
            text=True,
            capture_output=True,
            timeout=ANSWER_SECONDS_MAX,
            check=False,
        )

    @contextlib.contextmanager
    def spoken_to(self, *arguments: object) -> Iterator[subprocess.Popen[str]]:
        """The agent with pipes for what it is told and says; killed where the talk breaks off."""
        with subprocess.Popen(
            self.agent(*arguments),
            cwd=self.project,
            env=self.agent_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise


def wait_until(
    is_so: Callable[[], object],
    what: str,
    seconds: float = 30,
    explain: Callable[[], str] = lambda: "",
) -> None:
    """Return as soon as `is_so` is true; TimeoutError with `explain()` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no {what} within {seconds:.0f} s\n{explain()}")
        time.sleep(0.05)

"""A network namespace with loopback and nothing else, so that no agent can reach a real service."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

# An ordinary user becomes root of a user namespace; root needs none. (Windows has no uids.)
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
UNSHARE = ["unshare", "--net"] if IS_ROOT else ["unshare", "--map-root-user", "--net"]
HOLD = "ip link set lo up && echo ready && exec cat"


class Isolation:
    """A namespace that lives as long as its holder process does."""

    def __init__(self, holder_pid: int) -> None:
        self.holder_pid = holder_pid

    def inside(self, command: Sequence[object]) -> list[str]:
        """The command line that runs `command` in the namespace; the process id stays its own."""
        enter = ["nsenter", "--target", str(self.holder_pid), "--net"]
        if not IS_ROOT:
            enter += ["--user", "--preserve-credentials"]
        return [*enter, "--", *map(str, command)]


@contextmanager
def loopback_only() -> Iterator[Isolation]:
    """Hold a namespace open; it also ends when this process does, however that happens.

    Raises RuntimeError with the system's words when it is refused.
    """
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*UNSHARE, "sh", "-c", HOLD], text=True, **pipes) as holder:
        if holder.stdout.readline() != "ready\n":
            raise RuntimeError(f"no network namespace: {holder.stderr.read().strip()}")
        try:
            yield Isolation(holder.pid)
        finally:
            holder.stdin.close()

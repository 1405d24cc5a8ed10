"""What whole processes use, as the kernel counts it, and how that stands against bounds."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

_OUTPUT_BYTES_MAX = 8 << 20  # an answer is smaller; what `cat` writes is only taken from it


class Used(NamedTuple):
    """Of one process and its children: CPU seconds, peak MiB, what it printed."""

    cpu: float
    peak_mib: float
    output: bytes = b""


class Bound(NamedTuple):
    """A measured value and the most that it may be."""

    name: str
    value: float
    most: float

    @property
    def is_kept(self) -> bool:
        """Whether it is at most that."""
        return self.value <= self.most


def numbers(*defaults: int) -> list[int]:
    """The arguments of the command line, the missing ones by default."""
    given = [int(text) for text in sys.argv[1:]]
    return [*given, *defaults[len(given) :]]


def run(command: list[str], environment: Mapping[str, str]) -> Used:
    """One process to its end. Raises RuntimeError where it fails."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **environment})
    assert process.stdout is not None
    pieces: list[bytes] = []
    size = 0
    while piece := process.stdout.read(1 << 20):
        size += len(piece)
        if size <= _OUTPUT_BYTES_MAX:
            pieces.append(piece)
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[:4]} ended with {process.returncode}")
    unit = 1 << 10 if sys.platform == "linux" else 1 << 20
    return Used(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, b"".join(pieces))


def cheapest(
    kinds: Mapping[str, list[str]],
    runs: int,
    environment: Mapping[str, str],
    before: Callable[[str], None] = len,
) -> dict[str, Used]:
    """Each kind's cheapest run; they take turns, so that a busy machine slows all alike.

    `before` hears of each kind that is run next.
    """
    best: dict[str, Used] = {}
    for _ in range(runs):
        for kind, command in kinds.items():
            before(kind)
            used = run(command, environment)
            best[kind] = min(used, best.get(kind, used), key=lambda one: one.cpu)
    return best


def table(measured: Mapping[str, Used], bounds: list[Bound]) -> str:
    """What each kind used, then how each bound was kept."""
    lines = [f"{'what':34} {'CPU s':>7} {'MiB':>6}"]
    lines += [f"{kind:34} {used.cpu:7.3f} {used.peak_mib:6.0f}" for kind, used in measured.items()]
    lines += [""] + [
        f"{bound.name:34} {bound.value:7.3f} at most {bound.most:<5} "
        f"{'ok' if bound.is_kept else 'MISSED'}"
        for bound in bounds
    ]
    return "\n".join(lines) + "\n"

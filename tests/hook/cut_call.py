"""A server of hook runs in which the k-th call of the operating system fails, or the process dies.

One JSON line in: k, kind (`fail` or `die`), arguments of the hook, payload, environment. One out:
the exit status (7 if fewer calls were made, minus the signal of one that died) and what was
printed. Each run is a fork of this process, which has the guard's modules loaded: a hundred times
a hundred runs are a sweep.
"""

import builtins
import contextlib
import fcntl
import importlib
import json
import os
import signal
import sys
from pathlib import Path

from compact_guard.hook import run

TOO_FEW_CALLS = 7
CALLS = (
    "open", "read", "pread", "fstat", "lstat", "stat", "listdir", "mkdir", "makedirs", "write",
    "fsync", "rename", "close", "chmod", "utime", "scandir", "ftruncate", "pwrite", "unlink",
    "rmdir", "readlink",
)  # fmt: skip
PLACES = [(os, name) for name in CALLS] + [(fcntl, "flock"), (builtins, "open")]


def main() -> None:
    load_the_guard()
    for line in sys.stdin:
        ended = fork(json.loads(line))
        sys.stdout.write(json.dumps(ended) + "\n")
        sys.stdout.flush()


def load_the_guard() -> None:
    """All that a run may import, so that none of its forks has to."""
    package = Path(run.__file__).parents[1]
    for file in [*package.glob("hook/[!_]*.py"), *package.glob("agents/*/hook*.py")]:
        name = ".".join(file.relative_to(package.parent).with_suffix("").parts)
        importlib.import_module(name)


def fork(request: dict) -> dict:
    (in_reading, in_writing), (out_reading, out_writing) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(in_reading, 0)
        os.dup2(out_writing, 1)
        for file in (in_reading, in_writing, out_reading, out_writing):
            os.close(file)
        os.environ.clear()
        os.environ.update(request["environment"])
        os._exit(hook(request["k"], request["kind"], request["arguments"]))
    os.close(in_reading)
    os.close(out_writing)
    with contextlib.suppress(BrokenPipeError):  # it died before it read anything
        os.write(in_writing, request["payload"].encode())
    os.close(in_writing)
    printed = b"".join(iter(lambda: os.read(out_reading, 1 << 16), b""))
    os.close(out_reading)
    _, status = os.waitpid(child, 0)
    return {"status": os.waitstatus_to_exitcode(status), "printed": printed.decode()}


def hook(k: int, kind: str, arguments: list[str]) -> int:
    made = 0

    def counted(real):
        def call(*arguments, **options):
            nonlocal made
            made += 1
            if made == k:
                if kind == "die":
                    os.kill(os.getpid(), signal.SIGKILL)
                raise OSError(5, "cut")
            return real(*arguments, **options)

        return call

    for place, name in PLACES:
        setattr(place, name, counted(getattr(place, name)))
    status = run.main(arguments)
    return status if made >= k else TOO_FEW_CALLS


if __name__ == "__main__":
    main()

"""Run one hook in which the k-th call of the operating system fails, or is where the process dies.

python cut_call.py K fail|die EVENT [AGENT]

Payload on stdin, exit status 7 if fewer calls were made.
"""

import os
import signal
import sys

from compact_guard.hook import run

CALLS = (
    "open", "read", "pread", "fstat", "lstat", "stat", "listdir", "mkdir", "write", "fsync",
    "rename", "close", "chmod", "utime", "scandir", "ftruncate", "pwrite", "unlink", "rmdir",
    "readlink",
)  # fmt: skip


def main(k: int, kind: str, event: str, agent: str = "claude-code") -> int:
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

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    status = run.main([agent, event])
    return status if made >= k else 7


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))

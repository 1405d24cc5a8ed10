"""An agent's program as the user starts it: which version it says it is."""

import re
import subprocess

VERSION_SECONDS_MAX = 10


def version_of(program: str | None) -> str | None:
    """What `PROGRAM --version` says, such as "2.1.332"; None without a program or an answer."""
    if program is None:
        return None
    try:
        answer = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=VERSION_SECONDS_MAX,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(rb"\d+\.\d+\.\d+", answer)
    return found[0].decode() if found else None

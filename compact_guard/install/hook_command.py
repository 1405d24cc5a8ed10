"""The shell command that an agent runs for one event, and one trial run of it."""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from compact_guard.errors import UsageError
from compact_guard.install.settings_file import SettingsFile

ENTRY_POINT = Path(__file__).resolve().parents[1] / "hook" / "__main__.py"
_REHEARSAL_SECONDS_MAX = 30  # what the agent itself would wait
_STDERR_CHARS_MAX = 300
_SCHEMA = "compact-guard.audit/1"
_OUTCOMES_OF_A_WORKING_HOOK = ("saved", "empty", "skipped")


def interpreter() -> str:
    """Path of a real Python executable; a version manager's shim may point elsewhere tomorrow.

    A virtual environment's own python is kept as it is. Raises UsageError if none is found.
    """
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = getattr(sys, "_base_executable", "")
    for candidate in (sys.executable, base, str(Path(sys.base_prefix, "bin", name))):
        if candidate and _is_real_executable(candidate):
            return str(Path(candidate).absolute())
    raise UsageError(f"{sys.executable or 'this python'} is no executable: use another Python")


def _is_real_executable(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return os.access(path, os.X_OK) and file.read(2) != b"#!"
    except OSError:
        return False


def command_line(agent: str, event: str) -> str:
    """What the settings hold: the hook's call, which ends with 0 even when our code is gone.

    Python exits with 2 for a missing script, and 2 tells an agent to block the compaction.
    """
    return f"{_call(agent, event)} || exit 0"  # means the same to sh and cmd


def _call(agent: str, event: str) -> str:
    """`python -I -S .../hook/__main__.py AGENT EVENT`, quoted for sh, and on Windows also cmd."""
    parts = [interpreter(), "-I", "-S", str(ENTRY_POINT), agent, event]
    line = _quoted_for_windows(parts) if os.name == "nt" else shlex.join(parts)
    try:
        line.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{parts[0]} or {ENTRY_POINT}: the path is not UTF-8; move it") from None
    return line


def _quoted_for_windows(parts: list[str]) -> str:
    """Forward slashes and double quotes mean the same to cmd, PowerShell's cmd and Git's bash."""
    slashed = [part.replace("\\", "/") for part in parts]
    return " ".join(f'"{part}"' if re.search(r"[^\w./:-]", part) else part for part in slashed)


def rehearse(agent: SettingsFile) -> None:
    """Run the hook once in a throw-away folder; raises UsageError unless it leaves a valid row."""
    with tempfile.TemporaryDirectory(prefix="compact-guard-") as name:
        folder = Path(name)
        event, payload = agent.write_rehearsal(folder)
        command = _call(agent.AGENT, event)  # what makes up for a failure would hide it here
        home = folder / "home"
        finished = _run(command, payload, home)
        rows = [line for file in home.glob("audit/*.jsonl") for line in _lines(file)]
    complaint = _complaint_of_run(finished) or _complaint_of_log(rows, agent.AGENT, event)
    if complaint:
        said = finished.stderr.decode(errors="replace").strip()[-_STDERR_CHARS_MAX:]
        raise _failed(command, f"{complaint}, and it said {said!r}" if said else complaint)


def _run(command: str, payload: bytes, home: Path) -> "subprocess.CompletedProcess[bytes]":
    environment = {
        **os.environ,
        "COMPACT_GUARD_HOME": str(home),
        "COMPACT_GUARD_SYNTHETIC": "1",
    }
    try:
        return subprocess.run(  # through the shell, as the agent does it
            command,
            shell=True,
            input=payload,
            env=environment,
            capture_output=True,
            timeout=_REHEARSAL_SECONDS_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _failed(command, f"no end after {_REHEARSAL_SECONDS_MAX} s") from None
    except OSError as error:
        raise _failed(command, str(error)) from None


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def _complaint_of_run(finished: "subprocess.CompletedProcess[bytes]") -> str:
    """What the agent would see amiss, "" if nothing."""
    if finished.returncode != 0:
        return f"exit status {finished.returncode} instead of 0"
    return "it wrote to stdout, which agents read" if finished.stdout else ""


def _complaint_of_log(rows: list[str], agent: str, event: str) -> str:
    """What is wrong with the audit log of one run, "" if nothing is."""
    if len(rows) != 1:
        return f"{len(rows)} audit rows instead of one"
    try:
        row = json.loads(rows[0])
    except ValueError:
        return "its audit row is not JSON"
    expected = {"schema": _SCHEMA, "agent": agent, "event": event, "origin": "synthetic"}
    for name, value in expected.items():
        if row.get(name) != value:
            return f"its audit row says {name} {row.get(name)!r} instead of {value!r}"
    if row.get("outcome") not in _OUTCOMES_OF_A_WORKING_HOOK:
        return f"its audit row says {row.get('outcome')!r}, reason {row.get('reason')!r}"
    return ""


def _failed(command: str, reason: str) -> UsageError:
    return UsageError(
        f"the hook does not run here, so nothing was installed: {reason}. "
        f"Reinstall compact-guard, or try it yourself: {command}"
    )

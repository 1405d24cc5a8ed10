"""Which client of Codex this is and in which version: what a hook can know, and nothing guessed.

A rollout's first line tells who began the session. It is not repeated when another client or
version resumes it, so the running process counts more where it can be seen (Linux).
"""

import json
import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

CLI, DESKTOP, OTHER = "codex/cli", "codex/desktop", "codex/other"
INTERFACES = {
    "codex-tui": CLI,
    "codex_exec": CLI,
    "codex_cli_rs": CLI,
    "Codex Desktop": DESKTOP,
}
_ORIGINATOR_SWITCH = "CODEX_INTERNAL_ORIGINATOR_OVERRIDE"  # hooks inherit it

_META_BYTES_MAX = 1 << 20  # the first line carries the base instructions: 20 kB and more
_TAIL_BYTES = 64 << 10
_ANCESTORS_MAX = 4  # our shell, Codex; a launcher or two between them
_PACKAGE_BYTES_MAX = 64 << 10
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?")
# Up to 0.144 a restart after an automatic compaction waits for the next prompt, as after a
# manual one; from 0.145 it comes at once.
_RESTARTS_AT_ONCE_SINCE = (0, 145)
_NEWER_THAN_THAT = b'"root_turn_id"'  # no row of 0.144.6 has it, every turn of 0.171.0 does


class Client:
    """`version` is None where it cannot be known."""

    __slots__ = ("interface", "queues_restarts", "version")

    def __init__(self, interface: str, version: str | None, queues_restarts: bool) -> None:
        self.interface = interface
        self.version = version
        self.queues_restarts = queues_restarts


class Process:
    """The running Codex: its version if its installation tells, and whether it serves clients."""

    __slots__ = ("is_server", "version")

    def __init__(self, version: str | None, is_server: bool) -> None:
        self.version = version
        self.is_server = is_server


def look(path: str | None, session: "dict[str, Any]", environment: "Mapping[str, str]") -> Client:
    """Put together what process, environment and rollout show. Raises nothing."""
    process = running_process()
    began = _version_or_none(session.get("cli_version"))
    version = process.version if process else None
    if version is None and not (_is_queueing(began) and _is_written_by_newer(path)):
        version = began
    queues = _is_queueing(version) if version else False
    return Client(_interface(session, process, environment), version, queues)


def session_meta(path: str | None) -> "dict[str, Any]":
    """What the rollout's first line says of the session; empty if it cannot be read."""
    try:
        if path is None or "\0" in path:
            return {}
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            first_line, end, _ = os.read(file, _META_BYTES_MAX).partition(b"\n")
        finally:
            os.close(file)
        record = json.loads(first_line) if end else None
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(record, dict) or record.get("type") != "session_meta":
        return {}
    meta = record.get("payload")
    return meta if isinstance(meta, dict) else {}


def is_subagent(session: "dict[str, Any]") -> bool:
    """Whether the rollout is a subagent's, for versions that give no agent id."""
    source = session.get("source")
    return session.get("thread_source") == "subagent" or (
        isinstance(source, dict) and "subagent" in source
    )


def running_process() -> Process | None:
    """The Codex that started this hook; None where processes cannot be looked at (no /proc)."""
    number = os.getppid()
    try:
        for _ in range(_ANCESTORS_MAX):
            program = os.readlink(f"/proc/{number}/exe")
            if os.path.basename(program).startswith("codex"):
                words = _read(f"/proc/{number}/cmdline", _PACKAGE_BYTES_MAX).split(b"\0")
                return Process(_version_of(program), b"app-server" in words[1:])
            number = int(_read(f"/proc/{number}/stat", 4096).rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return None


def _interface(
    session: "dict[str, Any]", process: Process | None, environment: "Mapping[str, str]"
) -> str:
    if process is not None and not process.is_server:
        return CLI  # a terminal or `codex exec`, whoever began the session
    named = environment.get(_ORIGINATOR_SWITCH) or session.get("originator")
    return INTERFACES.get(named, OTHER) if isinstance(named, str) else OTHER


def _is_queueing(version: str | None) -> bool:
    if version is None:
        return False
    numbers = version.split("-")[0].split(".")
    return (int(numbers[0]), int(numbers[1])) < _RESTARTS_AT_ONCE_SINCE


def _is_written_by_newer(path: str | None) -> bool:
    """Whether the rollout's end shows a version above 0.144, whatever its first line says."""
    try:
        file = os.open(path or "", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        start = max(0, os.fstat(file).st_size - _TAIL_BYTES)
        return _NEWER_THAN_THAT in os.pread(file, _TAIL_BYTES, start)
    except OSError:
        return False
    finally:
        os.close(file)


def _version_of(program: str) -> str | None:
    """What the installation around a program says: its package, else its folder's name.

    After an update a running program's file is gone, and the package there is another's.
    """
    if not os.path.exists(program):
        return None
    folder = os.path.dirname(program)
    for name, levels in (("codex-package.json", "../"), ("package.json", "../../../")):
        found = _version_in(os.path.join(folder, levels, name))
        if found is not None:
            return found
    for name in (os.path.basename(folder), os.path.basename(os.path.dirname(folder))):
        version = _VERSION.match(name)
        if version is not None:
            return version[0]
    return None


def _version_in(package: str) -> str | None:
    try:
        content = json.loads(_read(package, _PACKAGE_BYTES_MAX))
        return _version_or_none(content.get("version"))
    except (OSError, ValueError, AttributeError, RecursionError):
        return None


def _version_or_none(value: object) -> str | None:
    found = _VERSION.match(value) if isinstance(value, str) else None
    return found[0] if found else None


def _read(path: str, bytes_max: int) -> bytes:
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.read(file, bytes_max)
    finally:
        os.close(file)

"""Sole writer of the audit log: one bounded JSON line per hook run, no conversation text."""

import json
import os
import time

from compact_guard.hook import configuration, identity, paths, storage
from compact_guard.hook.limits import (
    AUDIT_ROW_BYTES_MAX,
    FILE_MODE,
    VERSION,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCHEMA = "compact-guard.audit/1"
_WRITE_SECONDS = 0.005  # a row is written in microseconds
_HEX = frozenset("0123456789abcdef")
_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")


def new_row(agent: str, interface: str, event_name: str, synthetic: bool) -> "dict[str, Any]":
    """A row of a run that has come to nothing yet: every field of the contract, null if unknown."""
    row: dict[str, Any] = {
        "schema": SCHEMA,
        "event_id": identity.new_event_id(),
        "recorded_at": None,
        "guard_version": VERSION,
        "guard_fingerprint": None,
        "interface": interface,
        "agent": agent,
        "agent_version": None,
        "model": None,
        "event": event_name,
        "source": None,
        "trigger": None,
        "delivery": None,
        "session_hash": identity.unknown_session_hash(),
        "transcript_hash": None,
        "turn_hash": None,
        "transcript_bytes": None,
        "last_boundary_bytes": None,
        "checkpoint_hash": None,
        "outcome": "failed",
        "reason": None,
        "origin": "synthetic" if synthetic else "natural",
        "subagent": False,
        "duration_ms": 0,
        "counts": {},
    }
    return row


def sign(row: "dict[str, Any]", adapter_file: str) -> None:
    """Say whose row it is. Most of what a row costs: to be spent before a moment that counts.

    Raises OSError.
    """
    config = configuration.load()
    host = config.get("host")
    if isinstance(host, str) and len(host) == 16 and _HEX.issuperset(host):
        row["host"] = host
    behaviour = _canonical(configuration.behaviour_of(row["agent"], config))
    row["guard_fingerprint"] = identity.guard_fingerprint(adapter_file, behaviour)


def write(row: "dict[str, Any]", adapter_file: str) -> None:
    """Complete the row and append it in one write. Raises OSError when it could not be stored."""
    if row["guard_fingerprint"] is None:
        sign(row, adapter_file)
    now = time.time()
    row["recorded_at"] = utc(now)
    line = json.dumps(row, separators=(",", ":")).encode() + b"\n"
    if len(line) > AUDIT_ROW_BYTES_MAX:
        raise OSError("the audit row is too long")
    folder = paths.audit_folder()
    storage.make_private_folder(folder)
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    _append(os.path.join(folder, f"{day}.jsonl"), line)


def utc(seconds: float) -> str:
    """A time since the epoch as the contract writes it: UTC, milliseconds, Z."""
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds * 1000) % 1000:03d}Z"


def version_or_none(value: object) -> str | None:
    """The agent's version if the contract can hold it."""
    if isinstance(value, str) and 0 < len(value) <= 40 and _is_plain(value, ".+-"):
        return value
    return None


def model_or_none(value: object) -> str | None:
    """A public model name; anything else (an account in it, a path) becomes None."""
    if not isinstance(value, str) or not 0 < len(value) <= 64 or not _is_plain(value, "._[]-"):
        return None
    return value if value[0] in _NAME_CHARACTERS else None


def _is_plain(value: str, punctuation: str) -> bool:
    return all(letter in _NAME_CHARACTERS or letter in punctuation for letter in value)


def _append(path: str, line: bytes) -> None:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    file = os.open(path, flags, FILE_MODE)
    try:
        if _ends_torn(file):
            time.sleep(_WRITE_SECONDS)  # or another hook is in the middle of its row
            line = b"\n" + line if _ends_torn(file) else line
        if os.write(file, line) != len(line):
            raise OSError("the audit row was cut short")
    finally:
        os.close(file)


def _ends_torn(file: int) -> bool:
    """A full disk cut the last row: the next must not share its line."""
    size = os.fstat(file).st_size
    return size > 0 and os.pread(file, 1, size - 1) != b"\n"


def _canonical(behaviour: "dict[str, Any]") -> bytes:
    """The settings that change what hooks do, in one spelling."""
    return json.dumps(behaviour, sort_keys=True).encode()

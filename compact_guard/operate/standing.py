"""The standing of an audit log: what its last evaluation found, and what was told of it.

One private JSON file per audit log in our own folder, so that `status` answers from the standard
library alone, and nobody is told the same thing twice.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from compact_guard import data_home
from compact_guard.evaluator import scope
from compact_guard.install import safe_file

SCHEMA = "compact-guard.standing/1"

Facts = dict[str, str | int]


@dataclass(frozen=True)
class InterfaceStanding:
    """One interface's verdict and the evidence for it, with the minimums it is measured by."""

    interface: str
    verdict: str
    guard_fingerprint: str | None
    failures: int
    eligible_counted: int
    needed: int
    sessions: int
    min_sessions: int
    natural_events: int
    min_natural_events: int
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Standing:
    """The last evaluation (naive UTC times), and the facts that somebody was told or may know."""

    as_of: datetime
    evaluated_at: datetime
    verdict: str
    report: str
    interfaces: tuple[InterfaceStanding, ...]
    told: Facts


def file_of(audit: list[Path]) -> Path:
    """Where the standing of these audit logs lies."""
    key = hashlib.sha256(scope.key(audit).encode()).hexdigest()[:16]
    return data_home.folder() / "standing" / f"{key}.json"


def read(file: Path) -> Standing | None:
    """The standing; None where there is none, or none that can be read: it is then begun anew."""
    try:
        found = json.loads(file.read_bytes())
        return _standing(found) if found["schema"] == SCHEMA else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(file: Path, standing: Standing) -> None:
    """Replace the file whole; raises OSError."""
    safe_file.private_folder(file.parent.parent)
    safe_file.private_folder(file.parent)
    times = {name: getattr(standing, name).isoformat() for name in ("as_of", "evaluated_at")}
    content = {"schema": SCHEMA, **asdict(standing), **times}
    safe_file.write_private(file, json.dumps(content, indent=1).encode() + b"\n")


def _standing(found: dict[str, Any]) -> Standing:
    interfaces = [
        InterfaceStanding(**{**entry, "reasons": tuple(entry["reasons"])})
        for entry in found["interfaces"]
    ]
    return Standing(
        as_of=datetime.fromisoformat(found["as_of"]),
        evaluated_at=datetime.fromisoformat(found["evaluated_at"]),
        verdict=str(found["verdict"]),
        report=str(found["report"]),
        interfaces=tuple(interfaces),
        told=dict(found["told"]),
    )

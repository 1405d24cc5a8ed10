"""The standing of a study of the window: what the last one found, and what was told of it.

One private JSON file for the transcripts that are studied together; `status` reads it.
"""

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from compact_guard import data_home
from compact_guard.install import safe_file

SCHEMA = "compact-guard.window-standing/1"


class WindowStanding(NamedTuple):
    """The last study (naive UTC), and the verdict that somebody was told or may know."""

    studied_at: datetime
    verdict: str
    reasons: tuple[str, ...]
    report: str
    told: str


def file_of(paths: tuple[Path, ...]) -> Path:
    """Where the standing of a study of these transcripts lies."""
    named = "\n".join(sorted(str(path.absolute()) for path in paths))
    key = hashlib.sha256(named.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return _folder() / f"window-{key}.json"


def newest() -> WindowStanding | None:
    """Of all studies; None where there was none."""
    found = [read(file) for file in _folder().glob("window-*.json")]
    return max((one for one in found if one), key=lambda one: one.studied_at, default=None)


def read(file: Path) -> WindowStanding | None:
    """The standing; None where there is none, or none that can be read: it is then begun anew."""
    try:
        found = json.loads(file.read_bytes())
        if found["schema"] != SCHEMA:
            return None
        return WindowStanding(
            datetime.fromisoformat(found["studied_at"]),
            str(found["verdict"]),
            tuple(map(str, found["reasons"])),
            str(found["report"]),
            str(found["told"]),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(file: Path, standing: WindowStanding) -> None:
    """Replace the file whole; raises OSError."""
    safe_file.private_folder(file.parent.parent)
    safe_file.private_folder(file.parent)
    content = {
        "schema": SCHEMA,
        **standing._asdict(),
        "studied_at": standing.studied_at.isoformat(),
    }
    safe_file.write_private(file, json.dumps(content, indent=1).encode() + b"\n")


def _folder() -> Path:
    return data_home.folder() / "standing"

"""What a run is called in Prefect's lists, so that nobody has to open it to know what it is."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def run_name(parameters: Mapping[str, Any], started: datetime) -> str:
    """Such as `2026-11-30 nightly`, or `2026-11-30 codex/cli, recorded, rehearsal`."""
    as_of = parameters.get("as_of") or started
    words = [
        "nightly" if parameters.get("catch_up") else "",
        str(parameters.get("interface") or ""),
        *_names(parameters),
        "rehearsal" if parameters.get("rehearse") else "",
    ]
    return f"{str(as_of)[:10]} {', '.join(word for word in words if word) or 'own audit log'}"


def study_name(parameters: Mapping[str, Any], started: datetime) -> str:
    """Such as `2026-11-30 window, own transcripts`."""
    words = [word for word in _names(parameters) if word] or ["own transcripts"]
    return f"{str(started)[:10]} {', '.join(['window', *words])}"


def naive_utc(time: datetime | None) -> datetime | None:
    """As the rest of the package has times; one without a zone is UTC already."""
    return time.astimezone(UTC).replace(tzinfo=None) if time and time.tzinfo else time


def _names(parameters: Mapping[str, Any]) -> list[str]:
    paths = [Path(path) for path in parameters.get("paths") or ()]
    return [
        " and ".join(path.name or str(path) for path in paths[:2]),
        f"and {len(paths) - 2} more" if len(paths) > 2 else "",
    ]

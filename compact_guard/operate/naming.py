"""What a run is called in Prefect's lists, so that nobody has to open it to know what it is."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any


def run_name(parameters: Mapping[str, Any], started: datetime) -> str:
    """Such as `2026-11-30 nightly`, or `2026-11-30 codex/cli, recorded, rehearsal`."""
    as_of = parameters.get("as_of") or started
    day = str(as_of)[:10]
    paths = [Path(path) for path in parameters.get("paths") or ()]
    words = [
        "nightly" if parameters.get("catch_up") else "",
        str(parameters.get("interface") or ""),
        " and ".join(path.name or str(path) for path in paths[:2]),
        f"and {len(paths) - 2} more" if len(paths) > 2 else "",
        "rehearsal" if parameters.get("rehearse") else "",
    ]
    return f"{day} {', '.join(word for word in words if word) or 'own audit log'}"

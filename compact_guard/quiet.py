"""Prefect's and Great Expectations' telemetry, off before either is imported.

Nothing here may import them. `DO_NOT_TRACK` alone is not enough: it leaves the heartbeat of
Prefect's server on.
"""

import os
from pathlib import Path

from compact_guard.hook import paths, storage

TELEMETRY_OFF = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
    "GX_ANALYTICS_ENABLED": "false",
}

# For a flow at a terminal: its result is worth reading, the server's start-up is not.
_CHATTER_OFF = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_INTERNAL_LEVEL": "CRITICAL",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "60",
    # The verdict can be given without the server, so nobody waits minutes for a sick one.
    "PREFECT_CLIENT_MAX_RETRIES": "2",
    "PREFECT_API_REQUEST_TIMEOUT": "20",
}


def telemetry_off() -> None:
    """Switch telemetry off for this process and its children."""
    os.environ.update(TELEMETRY_OFF)


def chatter_off() -> None:
    """Silence Prefect, and keep its temporary server's database among our own files."""
    for name, value in _CHATTER_OFF.items():
        os.environ.setdefault(name, value)
    if "PREFECT_API_URL" not in os.environ and "PREFECT_HOME" not in os.environ:
        os.environ["PREFECT_HOME"] = str(prefect_home())


def prefect_home() -> Path:
    """Where Prefect keeps its database: among our own files, or where the user wants it."""
    if named := os.environ.get("PREFECT_HOME"):
        return Path(named)
    # Made here: the server does not make missing parents, and then never answers.
    home = Path(paths.data_home()) / "prefect"
    storage.make_private_folder(paths.data_home())
    storage.make_private_folder(str(home))
    return home

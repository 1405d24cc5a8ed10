"""Where the agents on this machine keep the user's transcripts."""

import os
from pathlib import Path

from compact_guard.agents import registry
from compact_guard.errors import UsageError


def own() -> list[Path]:
    """Those folders of the agents that are there. Raises UsageError without any."""
    folders = [folder for agent in registry.sessions() for folder in agent.folders(os.environ)]
    found = [folder for folder in folders if folder.is_dir()]
    if not found:
        raise UsageError(f"no transcripts in {', '.join(map(str, folders))}: name a PATH")
    return found

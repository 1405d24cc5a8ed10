"""Where our hooks are registered on this machine: each agent's user settings, and projects'."""

import os
from pathlib import Path
from typing import NamedTuple

from compact_guard import data_home
from compact_guard.agents import registry
from compact_guard.doctor import entries
from compact_guard.errors import UsageError


class Place(NamedTuple):
    """One settings file with entries of ours; `project` is its folder, None for the user's own."""

    agent: str
    settings: Path
    project: Path | None


def places(agent: str) -> list[Place]:
    """Every settings file of this agent that has our hooks, the user's own first.

    Raises UsageError where one cannot be read.
    """
    settings_of = registry.settings_of(agent)
    own = settings_of.settings_path(None, os.environ)
    files = dict.fromkeys([own, *data_home.recorded_settings(agent)])
    return [
        Place(agent, file, None if file == own else _project(agent, file))
        for file in files
        if entries.read(settings_of, file).ours
    ]


def _project(agent: str, file: Path) -> Path:
    settings_of = registry.settings_of(agent)
    for folder in file.parents:
        if settings_of.settings_path(folder, os.environ).resolve() == file:
            return folder
    raise UsageError(f"{file} belongs to no project: take the entries out by hand")

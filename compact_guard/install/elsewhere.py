"""Other files from which an agent runs our hooks in the same sessions.

Two registrations do no harm, for one run steps back for the other, but they cost twice the
time, and a person who takes out one of them believes to have taken out both.
"""

from collections.abc import Mapping
from pathlib import Path

from compact_guard import data_home
from compact_guard.install import hook_block, json_edit
from compact_guard.install.settings_file import SettingsFile


def places(agent: SettingsFile, path: Path, environment: Mapping[str, str]) -> list[Path]:
    """Files beside this settings file that hold entries of ours, too."""
    found = list(agent.other_places(path, environment))
    if _is_same(path, agent.settings_path(None, environment)):
        found += data_home.recorded_settings(agent.AGENT)
    others = dict.fromkeys(file for file in found if not _is_same(file, path))
    return [file for file in others if _has_entries(file)]


def told(file: Path) -> str:
    """What is wrong about it."""
    return f"{file} has the hooks too: the agent runs them twice where both files count"


def mend(agent: SettingsFile, file: Path, environment: Mapping[str, str]) -> str:
    """How to be rid of them."""
    if _is_same(file, agent.settings_path(None, environment)):
        return f"keep one: `compact-guard uninstall {agent.AGENT}` takes out the user's"
    for folder in file.parents:
        if _is_same(file, agent.settings_path(folder, environment)):
            return f"run `compact-guard uninstall {agent.AGENT} --project '{folder}'`"
    return "take our entries out of it by hand"


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _has_entries(file: Path) -> bool:
    try:
        text = file.read_text(encoding="utf-8-sig")
        return hook_block.has_entries(text) if file.suffix == ".json" else hook_block.MARK in text
    except (OSError, ValueError, json_edit.JsonProblem):
        return False

"""Where compact-guard keeps its files: one truth for hooks and commands alike."""

import os
import sys


def data_home() -> str:
    """The folder of everything we write: COMPACT_GUARD_HOME, else the user's data folder."""
    chosen = os.environ.get("COMPACT_GUARD_HOME")
    if chosen:
        return os.path.abspath(chosen)
    return os.path.join(_user_data_folder(), "compact-guard")


def _user_data_folder() -> str:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support")
    configured = os.environ.get("XDG_DATA_HOME", "")
    # The XDG specification: a relative path is invalid and to be ignored.
    return configured if os.path.isabs(configured) else os.path.expanduser("~/.local/share")


def audit_folder() -> str:
    """Holds one JSONL file per UTC day."""
    return os.path.join(data_home(), "audit")


def checkpoint_folder() -> str:
    """Holds one folder per session hash."""
    return os.path.join(data_home(), "checkpoints")


def config_file() -> str:
    """JSON object: `host` (16 hex digits) and `behaviour` (settings that change what hooks do)."""
    return os.path.join(data_home(), "config.json")

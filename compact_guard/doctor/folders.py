"""Can the hooks write what they must, and can nobody else read it?"""

import os
import stat
from pathlib import Path

from compact_guard import data_home
from compact_guard.doctor.findings import Finding
from compact_guard.hook import paths

_FILES_MAX = 1_000  # the audit log of three years


def findings() -> list[Finding]:
    """Everything wrong with our own folders and files."""
    home = data_home.folder()
    if not os.path.lexists(home):
        return [_no_config(), *_unwritable_parent(home)]
    found = []
    for folder in (home, Path(paths.audit_folder()), Path(paths.checkpoint_folder())):
        if os.path.lexists(folder):
            found += _folder(folder)
    if not Path(paths.config_file()).is_file():
        found.append(_no_config())
    return found + _open_files(Path(paths.audit_folder()))


def _folder(folder: Path) -> list[Finding]:
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        mend = f"move it away: mv '{folder}' '{folder}.old'"
        return [_finding("folder", f"{folder} is no folder, so the hooks refuse it", mend)]
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        mend = f"as root: chown -R {os.geteuid()} '{folder}'"
        return [_finding("owner", f"{folder} belongs to another user", mend)]
    if status.st_mode & 0o077:
        problem = f"{folder} is open to others (mode {stat.S_IMODE(status.st_mode):o})"
        return [_finding("permissions", problem, f"chmod 700 '{folder}'")]
    if not status.st_mode & stat.S_IWUSR or not os.access(folder, os.W_OK | os.X_OK):
        problem = f"{folder} is read-only: the hooks can store nothing"
        return [_finding("unwritable", problem, f"chmod 700 '{folder}'")]
    return []


def _open_files(folder: Path) -> list[Finding]:
    logs = sorted(folder.glob("*.jsonl"))[-_FILES_MAX:] if folder.is_dir() else []
    open_ones = [log for log in logs if log.lstat().st_mode & 0o077]
    if not open_ones:
        return []
    problem = f"{len(open_ones)} audit logs are open to others, {open_ones[-1].name} among them"
    return [_finding("permissions", problem, f"chmod 600 '{folder}'/*.jsonl")]


def _unwritable_parent(home: Path) -> list[Finding]:
    parent = next(each for each in home.parents if each.exists())
    if os.access(parent, os.W_OK | os.X_OK):
        return []
    problem = f"{home} is missing and cannot be created in {parent}"
    return [_finding("unwritable", problem, "set COMPACT_GUARD_HOME to a folder of your own")]


def _no_config() -> Finding:
    problem = f"{paths.config_file()} is missing, so rows do not say which machine they are of"
    return _finding("config", problem, "run `compact-guard install AGENT` again")


def _finding(check: str, problem: str, mend: str) -> Finding:
    return Finding(None, check, problem, mend)

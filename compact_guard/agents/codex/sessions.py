"""Where Codex keeps the rollouts of sessions. Facts: README.md."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from compact_guard.agents.codex import hook_client

AGENT = "codex"
SESSION_VARIABLE: str | None = None  # none names the session
FIRST_MARK: bytes | None = b'"session_meta"'  # what the first record of a transcript holds
_ROLLOUTS = "sessions/*/*/*/rollout-*.jsonl"
_LOOKED_AT_MAX = 200  # newest rollouts: each costs reading its first line


def folders(environment: Mapping[str, str]) -> list[Path]:
    """The rollouts, and those that were archived."""
    home = _home(environment)
    return [home / "sessions", home / "archived_sessions"]


def transcript_of(session_id: str, environment: Mapping[str, str]) -> Path | None:
    """The rollout of a session's root thread; None if there is none."""
    if not re.fullmatch(r"[0-9A-Za-z-]+", session_id):
        return None
    return next((p for p in _newest_first(environment) if p.stem.endswith(f"-{session_id}")), None)


def newest_in(folder: Path, environment: Mapping[str, str]) -> Path | None:
    """The rollout last written of the root threads begun in a working folder."""
    for _, path in zip(range(_LOOKED_AT_MAX), _newest_first(environment), strict=False):
        session = hook_client.session_meta(str(path))
        if session.get("cwd") == str(folder) and not session.get("parent_thread_id"):
            return path
    return None


def written_since(seconds: float, environment: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """The root threads' rollouts written since then, and the ids of their sessions."""
    for file in _home(environment).glob(_ROLLOUTS):
        if file.lstat().st_mtime < seconds:
            continue
        session = hook_client.session_meta(str(file))
        name = session.get("session_id") or session.get("id")
        if isinstance(name, str) and not hook_client.is_subagent(session):
            yield file, name


def _newest_first(environment: Mapping[str, str]) -> Iterator[Path]:
    home = _home(environment)
    return iter(sorted(home.glob(_ROLLOUTS), key=os.path.getmtime)[::-1])


def _home(environment: Mapping[str, str]) -> Path:
    configured = environment.get("CODEX_HOME")
    return Path(configured) if configured else Path.home() / ".codex"

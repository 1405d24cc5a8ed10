"""Where Claude Code keeps the transcripts of sessions. Facts: README.md."""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

AGENT = "claude-code"
SESSION_VARIABLE: str | None = "CLAUDE_CODE_SESSION_ID"
FIRST_MARK: bytes | None = None  # what the first record of a transcript holds


def transcript_of(session_id: str, environment: Mapping[str, str]) -> Path | None:
    """The main transcript of a session, in whichever project it lies; None if there is none."""
    if not session_id or "/" in session_id or "\\" in session_id:
        return None
    return _newest(_projects(environment).glob(f"*/{_literal(session_id)}.jsonl"))


def newest_in(folder: Path, environment: Mapping[str, str]) -> Path | None:
    """The transcript last written of the sessions begun in a working folder."""
    project = re.sub(r"[^A-Za-z0-9]", "-", str(folder))
    return _newest(_projects(environment).glob(f"{_literal(project)}/*.jsonl"))


def _projects(environment: Mapping[str, str]) -> Path:
    configured = environment.get("CLAUDE_CONFIG_DIR")
    return (Path(configured) if configured else Path.home() / ".claude") / "projects"


def _newest(paths: Iterable[Path]) -> Path | None:
    return max((p for p in paths if p.is_file()), key=os.path.getmtime, default=None)


def _literal(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)

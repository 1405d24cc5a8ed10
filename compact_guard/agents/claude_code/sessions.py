"""Where Claude Code keeps the transcripts of sessions. Facts: README.md."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

AGENT = "claude-code"
SESSION_VARIABLE: str | None = "CLAUDE_CODE_SESSION_ID"
FIRST_MARK: bytes | None = None  # what the first record of a transcript holds


def folders(environment: Mapping[str, str]) -> list[Path]:
    """One folder, with a folder per project in it."""
    return [_projects(environment)]


def transcript_of(session_id: str, environment: Mapping[str, str]) -> Path | None:
    """The main transcript of a session, in whichever project it lies; None if there is none."""
    if not session_id or "/" in session_id or "\\" in session_id:
        return None
    return _newest(_projects(environment).glob(f"*/{_literal(session_id)}.jsonl"))


def newest_in(folder: Path, environment: Mapping[str, str]) -> Path | None:
    """The transcript last written of the sessions begun in a working folder."""
    return _newest(
        path
        for project in sorted(_project_names(str(folder)))
        for path in _projects(environment).glob(f"{project}/*.jsonl")
    )


def written_since(seconds: float, environment: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """The main sessions' transcripts written since then, and the ids of their sessions."""
    for file in _projects(environment).glob("*/*.jsonl"):
        if file.lstat().st_mtime >= seconds:
            yield file, file.stem


def _project_names(folder: str) -> set[str]:
    """What Claude Code may call a working folder, however its accents were spelled at the time.

    It puts a dash for each UTF-16 unit that is no letter or digit of ASCII.
    """
    forms = {folder, unicodedata.normalize("NFC", folder), unicodedata.normalize("NFD", folder)}
    return {re.sub(r"[^A-Za-z0-9]", _dashes, form) for form in forms}


def _dashes(found: re.Match[str]) -> str:
    return "--" if found[0] > "\uffff" else "-"


def _projects(environment: Mapping[str, str]) -> Path:
    configured = environment.get("CLAUDE_CONFIG_DIR")
    return (Path(configured) if configured else Path.home() / ".claude") / "projects"


def _newest(paths: Iterable[Path]) -> Path | None:
    return max((p for p in paths if p.is_file()), key=os.path.getmtime, default=None)


def _literal(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)

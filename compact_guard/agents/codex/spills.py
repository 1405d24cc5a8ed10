"""Where Codex leaves hook output that is too long for a context: the temporary folder."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

AGENT = "codex"


def files(environment: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Every such file of any hook, and the id of its session."""
    folder = Path(environment.get("TMPDIR") or tempfile.gettempdir())
    for file in folder.glob("hook_outputs/*/*.txt"):
        yield file, file.parent.name

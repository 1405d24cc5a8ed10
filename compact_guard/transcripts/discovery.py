"""Which files below some paths are transcripts: by their names alone."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from compact_guard.errors import UsageError

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")


def find(paths: list[Path]) -> list[Path]:
    """The transcripts under `paths` (files, or folders of SUFFIXES), sorted, each once.

    Folders that may not be listed are in it too, for `read` to account for them.
    Raises UsageError when a path is missing.
    """
    found: dict[str, Path] = {}
    real_folder = cache(os.path.realpath)  # once for all the files in it
    for path in paths:
        if not path.is_dir() and not path.is_file():
            raise UsageError(f"no transcript at {path}: mend the path or leave it out")
        for file in _files_below(path) if path.is_dir() else [path]:
            folder, name = os.path.split(file)
            real = os.path.realpath(file) if file.is_symlink() else f"{real_folder(folder)}/{name}"
            if real not in found or not file.is_symlink():
                found[real] = file
    return sorted(found.values())


def _files_below(folder: Path) -> Iterator[Path]:
    unlisted: list[Path] = []
    for parent, _, names in os.walk(
        folder, onerror=lambda error: unlisted.append(Path(error.filename))
    ):
        for name in names:
            path = Path(parent, name) if name.endswith(SUFFIXES) else None
            if path is not None and path.is_file():
                yield path
    yield from unlisted

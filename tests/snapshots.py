"""Whole reports as files a reviewer can open. UPDATE_SNAPSHOTS=1 accepts what is there now."""

import os
from pathlib import Path


def check(found: str, file: Path) -> None:
    """Fail unless `found` is what stands in `file`."""
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(found, encoding="utf-8")
    expected = file.read_text(encoding="utf-8")
    assert found == expected, f"{file} differs: read it, then accept with UPDATE_SNAPSHOTS=1"

"""The large data sets beside the checkout: absent on most machines, and never skipped in CI."""

import os
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """One folder of the shared sets; skips the test with the reason where it is absent."""
    shared = Path(os.environ.get("COMPACT_GUARD_SHARED", _CHECKOUT.parent / "shared"))
    if not (shared / name).is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must have {shared / name}")
        pytest.skip(f"the large set {name} is not in {shared} (set COMPACT_GUARD_SHARED)")
    return shared / name

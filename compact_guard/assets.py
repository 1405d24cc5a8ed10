"""Find sql/, expectations/, flows/ and report templates, in a checkout and in a wheel alike."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def root() -> Path:
    """The folder that holds `sql`, `expectations`, `flows` and `reports/templates`.

    Raises FileNotFoundError when neither a wheel's copy nor a checkout is there.
    """
    packed = _PACKAGE / "_assets"
    if packed.is_dir():
        return packed
    checkout = _PACKAGE.parent
    if (checkout / "sql").is_dir() and (checkout / "pyproject.toml").is_file():
        return checkout
    raise FileNotFoundError(f"no sql folder beside {_PACKAGE}: reinstall compact-guard")


def folder(*parts: str) -> Path:
    """One folder below the root, e.g. `folder("sql", "marts")`; it must exist."""
    path = root().joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: reinstall compact-guard")
    return path

"""Programs of the system that `make test` looks at results with, and how to get each.

`python -m tests.tools` installs them where this user may, else says how; under CI=true it exits 1
where one is missing, and so does the test that needs it. Elsewhere that test skips.
"""

import shutil
import sys

import pytest

from tests.agents.isolation import IS_ROOT
from tests.agents.needs import is_ci
from tests.agents.prepare import run

# Debian's packages. A browser without fonts draws boxes.
PACKAGES = {"chromium": ["chromium", "fonts-liberation"], "systemd-analyze": ["systemd"]}


def path_of(tool: str) -> str:
    """Where the program is; without it the test that asks is skipped, and in CI it fails."""
    found = shutil.which(tool)
    if found is None:
        (pytest.fail if is_ci() else pytest.skip)(sentence(tool))
    return str(found)


def missing() -> list[str]:
    return [tool for tool in PACKAGES if shutil.which(tool) is None]


def sentence(tool: str) -> str:
    """What is missing, and what mends it."""
    packages = " ".join(PACKAGES[tool])
    return f"`{tool}` is not installed: as root, apt-get install {packages}"


def main() -> int:
    packages = [package for tool in missing() for package in PACKAGES[tool]]
    if packages and IS_ROOT and shutil.which("apt-get"):
        run("apt-get", "update", "--quiet")
        run("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages)
    for tool in missing():
        sys.stdout.write(f"missing: {sentence(tool)}; the tests that need it are skipped\n")
    return 1 if missing() and is_ci() else 0


if __name__ == "__main__":
    sys.exit(main())

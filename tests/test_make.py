"""The Makefile: two commands for a newcomer, and a clear word to one whose Python is too old."""

import re
import subprocess
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.source_tree import ROOT, copy_checkout

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def make(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def python_that_says(folder: Path, version: str) -> Path:
    """A stand-in for an old Python: runs what it is given with another version in its place."""
    python = folder / "python3"
    numbers = ", ".join(version.split("."))
    python.write_text(
        "#!/bin/sh\n"
        f'exec python3 -c "import sys; sys.version_info = ({numbers}); '
        f'sys.version = \'{version} (main)\'; exec(sys.argv[1])" "$2"\n'
    )
    python.chmod(0o755)
    return python


def test_an_old_python_is_refused_in_one_sentence(tmp_path):
    checkout = copy_checkout(tmp_path / "checkout")
    python = python_that_says(tmp_path, "3.10.4")

    answer = make("verdict", f"PYTHON={python}", "VENV=fresh", folder=checkout)

    assert answer.returncode == 2
    said = answer.stderr.splitlines()[0]
    assert said == "compact-guard needs Python 3.11 or newer, this is 3.10.4"
    assert not (checkout / "fresh").exists()


def test_the_python_that_make_demands_is_the_one_that_the_package_demands():
    [demanded] = re.findall(
        r'requires-python = ">=(\d+\.\d+)"', (ROOT / "pyproject.toml").read_text()
    )

    assert f"needs Python {demanded} or newer" in MAKEFILE
    assert f"sys.version_info < ({', '.join(demanded.split('.'))})" in MAKEFILE


def test_every_goal_can_be_read_and_is_no_file():
    goals = re.findall(r"^([a-z-]+):.*$", MAKEFILE, re.MULTILINE)
    [phony] = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)

    assert sorted(goals) == sorted(phony.split())
    assert make("--dry-run", *goals).returncode == 0


def test_make_alone_gives_a_verdict():
    assert re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)[0] == "verdict"


def needed_by(requirement: Requirement, found: set[str]) -> set[str]:
    """The names of all packages that pip would install for it here, itself included."""
    name = canonicalize_name(requirement.name)
    for extra in requirement.extras or {""}:
        if f"{name}[{extra}]" not in found:
            found.add(f"{name}[{extra}]")
            for further in map(Requirement, metadata.requires(name) or ()):
                if further.marker is None or further.marker.evaluate({"extra": extra}):
                    needed_by(further, found)
    return {one.partition("[")[0] for one in found}


def test_everything_that_make_installs_is_pinned():
    """A verdict must not depend on the day on which somebody set up an environment."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [line.partition("==")[0] for line in lines]
    needed = needed_by(Requirement("compact-guard[dev,evaluator]"), set())

    assert {"duckdb", "pytest", "pluggy"} <= needed
    assert needed - {"compact-guard"} - set(pinned) == set()
    assert pinned == sorted(pinned)

"""Get everything the tests with real agents need, or say what is missing and how to get it.

`python -m tests.agents.prepare` exits 0 also when something is missing, and the tests then
skip with the reason printed here; under CI=true it exits 1, because a skip there is a hole.
"""

import os
import shutil
import subprocess
import sys

from tests.agents import needs
from tests.agents.isolation import IS_ROOT


def main() -> int:
    install_tools()
    for agent in needs.AGENTS:
        if agent.fault() is not None:
            install(agent)
    missing = needs.missing()
    for sentence in missing:
        sys.stdout.write(f"missing: {sentence}\n")
    if not missing:
        ready = ", ".join(f"{agent.name} {agent.version}" for agent in needs.AGENTS)
        sys.stdout.write(f"ready: {ready}\n")
    return 1 if missing and needs.is_ci() else 0


def install_tools() -> None:
    """Ask apt for what is missing, where this user may."""
    packages = sorted({needs.TOOLS[tool] for tool in needs.missing_tools()})
    if packages and IS_ROOT and shutil.which("apt-get"):
        run("apt-get", "update", "--quiet")
        run("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *packages)


def install(agent: needs.Agent) -> None:
    """Install exactly what the lock file's hashes name; nothing of it runs, nothing is fetched
    from elsewhere: the native binary is a file of an optional npm dependency."""
    if shutil.which("npm") is None:
        return
    folder = agent.folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(agent.project / name, folder / name)
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)


def run(*command: str, cwd: os.PathLike[str] | None = None) -> None:
    sys.stdout.write(f"$ {' '.join(command)}\n")
    sys.stdout.flush()
    # A failure is told by the check that follows, in words that also name the remedy.
    subprocess.run(command, cwd=cwd, check=False)


if __name__ == "__main__":
    sys.exit(main())

"""Every version of one settings file that is still to be found: commits, backups, the file now.

Nothing here knows what the file says. Git is only read, and asked for nothing over a network.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from compact_guard import data_home
from compact_guard.window.setting import Version

_COMMITS_MAX = 200
_GIT_SECONDS_MAX = 10.0
_BYTES_MAX = 4 << 20  # settings are small: whatever is larger is something else
_OUR_STAMP = re.compile(r"\.compact-guard-(\d{8}T\d{6}\.\d{6}Z)\.bak$")
_NEVER_IN_FORCE = re.compile(r"\b(example|sample|template|tmpl|dist|default|schema|lock)\b", re.I)
# A repository may name programs to run in its configuration: none of them is wanted here.
_GIT = (
    "git",
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "log.showSignature=false",
)
_GIT_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}


def of(file: Path, agent: str) -> list[Version]:
    """Oldest first; empty where there is no file and never was one."""
    real = _real(file)
    commits = list(_commits(real))
    newest = commits[-1].content if commits else None
    # A checkout sets the time of a file: what is committed is as old as its commit.
    present = [version for version in _present(real) if version.content != newest]
    copies = dict.fromkeys([*_backups(real), *_backups(file)])  # beside a link and where it leads
    found = [*commits, *copies, *_our_backups(real, agent), *present]
    return sorted(found, key=lambda version: version.at)


def stamp(file: Path, agent: str) -> list[tuple[int, int] | None]:
    """Changes whenever `of` may find something else."""
    real = _real(file)
    places = [real, real.parent, *_our_folders(real, agent)]
    if repository := _repository(real):
        places.append(repository / ".git" / "logs" / "HEAD")
    return [_stamp(place) for place in places]


def _real(file: Path) -> Path:
    return Path(os.path.realpath(file))  # unlike Path.resolve it raises for nothing


def _stamp(place: Path) -> tuple[int, int] | None:
    try:
        status = place.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _present(file: Path) -> Iterator[Version]:
    yield from _as_modified(file, f"{file} as it is")


def _backups(file: Path) -> Iterator[Version]:
    """`settings.json.bak`, `settings.json.2026-10-01`, …: in force when they were written."""
    for copy in sorted([*file.parent.glob(f"{file.name}.*"), *file.parent.glob(f"{file.name}~")]):
        if not _NEVER_IN_FORCE.search(copy.name):
            yield from _as_modified(copy, f"the copy {copy}")


def _as_modified(file: Path, evidence: str) -> Iterator[Version]:
    try:
        status = file.stat()
        if status.st_size <= _BYTES_MAX and file.is_file():
            yield Version(_utc(status.st_mtime), file.read_bytes(), evidence)
    except (OSError, ValueError, OverflowError):  # not to be read, or of a time that is none
        return


def _our_backups(file: Path, agent: str) -> Iterator[Version]:
    for copy in (copy for folder in _our_folders(file, agent) for copy in folder.glob("*.bak")):
        stamp = _OUR_STAMP.search(copy.name)
        for version in _as_modified(copy, f"our backup {copy.name}"):
            at = datetime.strptime(stamp[1], "%Y%m%dT%H%M%S.%fZ") if stamp else version.at
            yield version._replace(at=at)


def _our_folders(file: Path, agent: str) -> list[Path]:
    """What `install` and `revert` kept of it."""
    key = data_home.key_of(agent, file)
    return sorted(data_home.backup_path(key, file, datetime.now(UTC)).parents[1].glob(f"{key}*"))


def _repository(file: Path) -> Path | None:
    return next((folder for folder in file.parents if os.path.lexists(folder / ".git")), None)


def _commits(file: Path) -> Iterator[Version]:
    """Each commit that touched the file, if it lies in a repository and git is there."""
    if _repository(file) is None:
        return
    log = _git(file, "log", f"--max-count={_COMMITS_MAX}", "--format=%at %H", "--", file.name)
    lines = log.decode("ascii", "replace").split("\n")
    commits = [line.split() for line in reversed(lines) if line]
    if not commits:
        return
    asked = "".join(f"{commit}:./{file.name}\n" for _, commit in commits)
    contents = _objects(_git(file, "cat-file", "--batch", stdin=asked.encode()))
    for number, ((at, commit), content) in enumerate(zip(commits, contents, strict=False)):
        with suppress(ValueError, OverflowError):  # a commit may have any time
            words = f"commit {commit[:10]} of {file}"
            yield Version(_utc(float(at)), content, words, is_moment_of_change=number > 0)


def _git(file: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """What git prints; nothing where it is missing, too slow, or refuses the repository."""
    try:
        return subprocess.run(
            [*_GIT, "-C", str(file.parent), *arguments],
            input=stdin,
            env=_git_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_GIT_SECONDS_MAX,
            check=False,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return b""


def _git_environment() -> dict[str, str]:
    """Without what would lead git to another repository, such as inside one of its hooks."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | _GIT_ENVIRONMENT


def _objects(batch: bytes) -> Iterator[bytes | None]:
    """The contents in what `cat-file --batch` prints; None for one that is not there."""
    while batch:
        head, _, batch = batch.partition(b"\n")
        if head.endswith(b" missing"):
            yield None
            continue
        size = int(head.rpartition(b" ")[2])
        yield batch[:size]
        batch = batch[size + 1 :]


def _utc(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)

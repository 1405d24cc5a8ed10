"""Which files of the warehouse an evaluation rests on: those under its paths, and no others.

A warehouse may hold several people's logs, or yesterday's other folder. What lies under none of
the paths given stays in the file and out of the verdict; a file that is gone still belongs to the
folder it was read from.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def named(path: Path) -> str:
    """A path's real name as the warehouse can hold it: file names may be no UTF-8."""
    return os.fsencode(path.resolve()).decode("utf-8", "replace")


def key(paths: list[Path]) -> str:
    """Names the audit logs of an evaluation in the history: their real paths, one a line."""
    return "\n".join(sorted({named(path) for path in paths}))


def settle(
    connection: "DuckDBPyConnection", kind: str, paths: list[Path], found: set[str]
) -> list[str]:
    """Write down which files of `kind` are left out and which are gone; returns the gone ones
    that belong to this evaluation. `found` are the files there are, under their names."""
    folders = [named(path) for path in paths]
    known = connection.execute("select file from raw_files where kind = ?", [kind]).fetchall()
    missing = [file for (file,) in known if file not in found]
    gone = sorted(file for file in missing if _is_below(file, folders))
    left_out = [(kind, file) for file in missing if not _is_below(file, folders)]
    connection.execute("delete from raw_files_left_out where kind = ?", [kind])
    if left_out:
        connection.executemany("insert into raw_files_left_out values (?, ?)", left_out)
    if gone:
        connection.execute(
            "update raw_files set is_gone = true where kind = ? and list_contains(?, file)",
            [kind, gone],
        )
    return gone


def left_out(connection: "DuckDBPyConnection", kind: str) -> set[str]:
    """The files of `kind` that are no part of the evaluation, as last settled."""
    found = connection.execute("select file from raw_files_left_out where kind = ?", [kind])
    return {file for (file,) in found.fetchall()}


def _is_below(file: str, folders: list[str]) -> bool:
    return any(file == folder or file.startswith(f"{folder}{os.sep}") for folder in folders)

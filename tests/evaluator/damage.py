"""What can happen to a warehouse's files."""

import subprocess
import sys
from pathlib import Path


def halve(path: Path) -> None:
    """Truncated."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def garble_head(path: Path) -> None:
    """The magic bytes are gone."""
    path.write_bytes(b"\xa5" * 4096 + path.read_bytes()[4096:])


def garble_all(path: Path) -> None:
    """Nothing is left."""
    path.write_bytes(b"\x5a" * 100_000)


def garble_header_blocks(path: Path) -> None:
    """The magic bytes stand, the headers behind them do not."""
    path.write_bytes(path.read_bytes()[:4096] + b"\x5a" * 8192 + path.read_bytes()[12288:])


def garble_middle(path: Path) -> None:
    """A few bytes in the middle."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 20] = b"\xff" * 20
    path.write_bytes(content)


def garble_blocks(path: Path) -> None:
    """Every block is wrong somewhere, the headers are not."""
    content = bytearray(path.read_bytes())
    for block in range(12_288, len(content), 1 << 18):
        content[block + 5_000 : block + 5_100] = b"\x5a" * 100
    path.write_bytes(content)


def from_the_future(path: Path) -> None:
    """A DuckDB to come wrote it: the storage version stands behind the magic bytes."""
    content = bytearray(path.read_bytes())
    content[12:20] = (9_999).to_bytes(8, "little")
    path.write_bytes(content)


def leave_a_log(file: Path) -> Path:
    """A process that wrote and was killed leaves a write-ahead log behind."""
    program = (
        "import duckdb, os, sys\n"
        "connection = duckdb.connect(sys.argv[1])\n"
        "connection.execute('create table t as select * from range(900)')\n"
        "connection.execute('delete from raw_files')\n"
        "os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", program, str(file)], check=False)
    log = file.with_name(f"{file.name}.wal")
    assert log.exists()
    return log

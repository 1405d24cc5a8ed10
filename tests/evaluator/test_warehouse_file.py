"""The warehouse's file: private, one writer at a time, rebuilt when it breaks, never deleted."""

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from compact_guard import cli
from compact_guard.errors import BusyError, UsageError
from compact_guard.evaluator import evaluation, policy, warehouse, warehouse_file, writer_lock
from tests.builders import Session, rows_of, write_log
from tests.evaluator.damage import (
    from_the_future,
    garble_all,
    garble_blocks,
    garble_head,
    garble_header_blocks,
    garble_middle,
    halve,
    leave_a_log,
)
from tests.evaluator.nights import NIGHT, night, told
from tests.transcripts.stories import ClaudeStory

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def log(tmp_path) -> Path:
    """A small audit log."""
    stories = [Session("s1").delivered("aa").aborted("bb"), Session("s2").delivered("cc")]
    return write_log(tmp_path / "audit", rows_of(stories))


@pytest.fixture
def file(tmp_path, log) -> Path:
    """A warehouse that was used one night."""
    path = tmp_path / "kept" / "warehouse.duckdb"
    night(path, log)
    return path


def aside(file: Path) -> list[Path]:
    """What was moved out of the way, without logs."""
    found = sorted(file.parent.glob(f"{file.name}.corrupt-*"))
    return [path for path in found if path.suffix != ".wal"]


def test_it_is_private_and_so_is_its_folder(file):
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}

    assert modes == {"warehouse.duckdb": 0o600, "warehouse.duckdb.lock": 0o600}
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_the_umask_is_the_users_again_afterwards(file, log):
    before = os.umask(0o022)
    night(file, log)

    assert os.umask(before) == 0o022


@pytest.mark.slow
def test_killed_at_any_statement_the_next_run_ends_as_if_nothing_had_happened(tmp_path):
    write_log(
        tmp_path / "audit",
        rows_of([Session("s1").delivered("aa").delivered("bb"), Session("s2").delivered("cc")]),
    )
    (tmp_path / "transcripts").mkdir()
    ClaudeStory(tmp_path / "transcripts" / "s.jsonl").typed().boundary()

    sweep = [sys.executable, "-m", "tests.evaluator.kill_points", str(tmp_path)]
    subprocess.run(sweep, cwd=CHECKOUT, check=True, timeout=300)

    whole, *after = json.loads((tmp_path / "after.json").read_text(encoding="utf-8"))
    assert len(after) > 30
    assert [len(rows) for rows in whole.values()] == [9, 2, 0, 1, 2, 1]
    assert [number for number, found in enumerate(after) if found != whole] == []


# One writer at a time

HOLD = """
import sys, time
from pathlib import Path
from compact_guard.evaluator import writer_lock
with writer_lock.held(Path(sys.argv[1]), 0, print):
    print("held", flush=True)
    time.sleep(60)
"""
HOLD_DUCKDB = """
import duckdb, sys, time
connection = duckdb.connect(sys.argv[1], read_only=True)
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(file):
    """Starts another process that holds the warehouse; ends it after the test."""
    started: list[subprocess.Popen[str]] = []

    def start(program: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", program, str(file)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_second_writer_waits_says_for_whom_and_gives_up(holder, file):
    process = holder(HOLD)
    said: list[str] = []

    with (
        pytest.raises(BusyError, match=rf"in use by PID {process.pid}, since 20.*gave up after"),
        warehouse_file.kept(file, 0.2, said.append),
    ):
        pass
    assert len(said) == 1
    assert f"PID {process.pid}, since 20" in said[0]


def test_a_second_writer_goes_on_as_soon_as_the_first_is_done(holder, file, log):
    process = holder(HOLD)

    def end(_line: str) -> None:
        process.kill()

    begun = time.monotonic()
    with warehouse_file.kept(file, 60, end):
        assert time.monotonic() - begun < 30


def test_the_lock_of_a_dead_process_is_no_obstacle(holder, file, log):
    process = holder(HOLD)
    process.kill()
    process.wait()

    assert night(file, log).rows.read > 0
    assert writer_lock.lock_file(file).read_text(encoding="utf-8") == f"{writer_lock.MARK}\n"


def test_a_reader_that_keeps_the_file_open_is_waited_for_and_named(holder, file, log):
    process = holder(HOLD_DUCKDB)

    with pytest.raises(BusyError, match=f"is open in PID {process.pid}: gave up"):
        night(file, log)
    process.kill()
    process.wait()
    assert night(file, log).rows.read > 0


def test_the_command_exits_75_and_can_be_told_how_long_to_wait(holder, file, log, capsys):
    holder(HOLD)

    status = cli.main(
        ["evaluate", "--audit", str(log), "--warehouse", str(file), "--wait", "0", "--json"]
    )

    out, err = capsys.readouterr()
    assert (status, out) == (75, "")
    assert "is in use by PID" in err
    assert "try again later" in err


# What cannot be opened


@pytest.mark.parametrize(
    "damage", [halve, garble_head, garble_all, garble_header_blocks, from_the_future]
)
def test_a_damaged_file_is_moved_aside_and_rebuilt_to_the_same_verdict(file, log, damage, capsys):
    expected = told(night(file, log))
    damage(file)
    damaged = file.read_bytes()

    found = night(file, log)

    assert told(found) == expected
    [moved] = aside(file)
    assert moved.read_bytes() == damaged
    assert "The warehouse was damaged" in found.notes[0]
    assert str(moved) in found.notes[0]
    assert "WARNING: The warehouse was damaged" in capsys.readouterr().err
    assert night(file, log).notes == ()


@pytest.mark.parametrize("damage", [halve, garble_all, garble_middle])
def test_a_damaged_log_beside_the_file_costs_no_verdict_and_no_history(file, log, damage):
    expected = told(night(file, log))
    damage(leave_a_log(file))

    found = night(file, log)

    assert told(found) == expected
    assert len(found.history) == 1
    for moved in aside(file):
        assert moved.with_name(f"{moved.name}.wal").exists()


def test_a_log_without_its_file_is_moved_aside(file, log):
    expected = told(night(file, log))
    leave_a_log(file)
    file.unlink()

    assert told(night(file, log)) == expected


def test_damage_deep_in_the_file_is_noticed_when_it_is_read(tmp_path, monkeypatch, capsys):
    """DuckDB verifies a block's checksum when a table needs it, not when the file is opened."""
    log = write_log(
        tmp_path / "audit", rows_of([Session(f"s{n}").delivered("aa") for n in range(300)])
    )
    file = tmp_path / "warehouse.duckdb"
    monkeypatch.setattr(evaluation, "check_expectations", lambda *_arguments: {})
    request = evaluation.Request(audit=(log,), policy=policy.load(), as_of=NIGHT)
    expected = evaluation.evaluate(request, file)
    garble_blocks(file)

    found = evaluation.evaluate(request, file)

    assert told(found) == told(expected)
    assert len(aside(file)) == 1
    assert "The warehouse was damaged" in found.notes[0]
    assert "WARNING" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content", [b"Dear diary,\n" * 500, b"x", b"SQLite format 3\0" + b"\0" * 4096]
)
def test_somebody_elses_file_is_left_alone(tmp_path, log, content):
    diary = tmp_path / "diary.txt"
    diary.write_bytes(content)

    with pytest.raises(UsageError, match=r"diary\.txt is no DuckDB database and was left alone"):
        night(diary, log)
    assert diary.read_bytes() == content
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit", "diary.txt"]


def test_somebody_elses_database_is_left_alone(tmp_path, log):
    other = tmp_path / "sales.duckdb"
    with duckdb.connect(str(other)) as connection:
        connection.execute("create table sales as select 42 as amount")
    content = other.read_bytes()

    with pytest.raises(UsageError, match=r"sales\.duckdb.*no warehouse.*holds sales"):
        night(other, log)
    assert other.read_bytes() == content
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit", "sales.duckdb"]


def test_a_folder_is_no_warehouse(tmp_path, log):
    with pytest.raises(UsageError, match="is a folder"):
        night(tmp_path, log)


def test_a_file_is_no_folder_for_a_warehouse(tmp_path, log):
    (tmp_path / "notes").touch()

    with pytest.raises(UsageError, match=r"notes is no folder: name a file for the warehouse"):
        night(tmp_path / "notes" / "warehouse.duckdb", log)


def test_an_empty_file_is_as_good_as_none(tmp_path, log):
    file = tmp_path / "warehouse.duckdb"
    file.touch()

    assert night(file, log).rows.read > 0
    assert aside(file) == []


def test_a_full_disk_is_no_damage(file, log, monkeypatch):
    def full(*_arguments, **_options):
        raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    monkeypatch.setattr(duckdb, "connect", full)
    with pytest.raises(duckdb.IOException, match="No space left"):
        night(file, log)
    assert aside(file) == []


def test_a_log_that_is_not_there_leaves_no_warehouse_behind(tmp_path):
    file = tmp_path / "kept" / "warehouse.duckdb"

    status = cli.main(["evaluate", "--audit", str(tmp_path / "nowhere"), "--warehouse", str(file)])

    assert status == 2
    assert not file.parent.exists()


def test_ones_own_log_is_kept_in_ones_own_warehouse(tmp_path, log, monkeypatch, capsys):
    home = tmp_path / "home"
    shutil.copytree(log, home / "audit")
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(home))
    monkeypatch.setattr(evaluation, "check_expectations", lambda *_arguments: {})

    assert cli.main(["evaluate", "--reports", str(tmp_path / "reports")]) == 3
    assert stat.S_IMODE((home / "warehouse.duckdb").stat().st_mode) == 0o600
    with warehouse.connect(home / "warehouse.duckdb") as connection:
        assert connection.execute("select count(*) from verdicts").fetchone() == (1,)

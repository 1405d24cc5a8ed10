"""Nothing is lost: runs at once, late, killed; a server that goes away; a database that is locked.

On the machine of test_with_a_server.py: a real server, a real worker, and kill -9.
"""

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest

from compact_guard.evaluator import history, scope, warehouse, writer_lock
from tests.builders import Session, rows_of, write_log
from tests.consoles import Command
from tests.operate.machine import Machine, wait_until
from tests.operate.stories import failing

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)


def test_triggers_at_once_and_late_ones_judge_each_night_once_and_tell_once(operated):
    """As after three nights of sleep: the runs of all of them start, and somebody starts one."""
    machine, folder = operated.machine, operated.machine.home / "at-once"
    night = datetime.combine(datetime.now(UTC).date() - DAY, time(2, 15))
    sessions = [Session("s", at=night - 9 * DAY).delivered("a"), failing("t", at=night - 1.5 * DAY)]
    log = write_log(folder / "audit", rows_of(sessions))
    policy = folder / "policy.toml"
    policy.write_text(f'[notify]\ncommand = ["sh", "-c", "cat >> {folder}/told"]\n')
    places = {
        "policy": str(policy),
        "warehouse": str(folder / "w.duckdb"),
        "reports": str(folder / "reports"),
    }
    evaluate(machine, log, night - 3 * DAY, **places)
    shared = places | {"paths": [str(log)], "catch_up": True}

    runs = [
        machine.submit(
            f"verdict/{deployment}",
            at=night - late * DAY,
            as_of=f"{(night + seconds * timedelta(seconds=1)).isoformat()}Z",
            **shared,
        )
        for deployment, late, seconds in (
            ("nightly", 2, 0),
            ("nightly", 0, 20),
            ("on-demand", 0, 40),
        )
    ]
    for run in runs:
        wait_until(lambda run=run: machine.state_of(run) == "COMPLETED")

    with warehouse.connect(folder / "w.duckdb") as connection:
        judged = [row["as_of"].date() for row in history.read(connection, scope.key([log]))]
    nights = [(night - days * DAY).date() for days in (3, 2, 1, 0)]
    assert judged == nights
    assert sorted(file.name[:10] for file in (folder / "reports").glob("*.md")) == [
        f"{one}" for one in nights
    ]
    assert (folder / "told").read_text().count("1 missed injection more") == 1


def evaluate(machine: Machine, log: Path, as_of: datetime, **options: str) -> None:
    """One night's evaluation, from the command line."""
    words = [f"--{name}={value}" for name, value in options.items()]
    command = ["evaluate", f"--audit={log}", f"--as-of={as_of.isoformat()}Z", *words]
    subprocess.run(
        [sys.executable, "-m", "compact_guard", *command],
        env=machine.environment,
        capture_output=True,
        check=False,
    )


def test_a_killed_run_stops_no_other_for_long_and_automations_tell_the_news(operated, listener):
    machine, folder = operated.machine, operated.machine.home / "killed"
    log = write_log(folder / "audit", rows_of([failing("s")]))
    parameters = {"paths": [str(log)], "warehouse": str(folder / "w.duckdb")}
    _, worker = machine.left_running()

    with writer_lock.held(folder / "w.duckdb", 0, str):  # so that the run is caught half way
        killed = machine.submit("verdict/nightly", **parameters)
        wait_until(lambda: machine.state_of(killed) == "RUNNING")
        victim = machine.ask(f"/flow_runs/{killed}")["infrastructure_pid"]
        for process in (worker, int(victim)):
            os.kill(process, signal.SIGKILL)
    exports = [command for command in operated.commands if command.typed.startswith("export ")]
    for command in (
        f"python -m compact_guard.operate.automations {listener.address}",
        "prefect worker start --pool compact-guard > worker.log 2>&1 &",
    ):
        assert machine.type([*exports, Command(command, "")])[-1][1] == 0
    finished = machine.submit("verdict/on-demand", **parameters)
    wait_until(lambda: machine.state_of(finished) == "COMPLETED")

    assert machine.state_of(killed) == "RUNNING"
    [(_, heard)] = wait_until(lambda: listener.heard)
    assert heard["text"].startswith(
        "injection missed or duplicated: claude-code/anthropic: 1 missed"
    )
    after_its_lease_has_ended(machine)
    next_night = machine.submit("verdict/nightly", **parameters)
    wait_until(lambda: machine.state_of(next_night) == "COMPLETED", 120)
    with warehouse.connect(folder / "w.duckdb") as connection:
        assert len(history.read(connection, scope.key([log]))) == 1


def after_its_lease_has_ended(machine: Machine) -> None:
    """As if the five minutes had passed for which a run may hold its deployment's one place."""
    folder = machine.home / ".prefect" / "concurrency_leases"
    index = folder / "expirations.json"
    ended = dict.fromkeys(json.loads(index.read_text()), "2026-01-01T00:00:00+00:00")
    assert ended
    for lease, moment in ended.items():
        file = folder / f"{lease}.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"expiration": moment}))
    index.write_text(json.dumps(ended))


class Proxy:
    """Stands before the server; cut, it is a server that is gone."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                self.ends += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    @staticmethod
    def _pass_on(one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while received := one.recv(65_536):
                other.sendall(received)

    def cut(self) -> None:
        self.listening.shutdown(socket.SHUT_RDWR)
        for end in (self.listening, *self.ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def make_verdict(machine: Machine, **environment: str) -> subprocess.Popen[str]:
    """`make verdict` on the user's own log, without what make sets up."""
    for report in (machine.checkout / "reports").glob("*-verdict.md"):
        report.unlink()  # those of earlier runs prove nothing
    impatient = {"PREFECT_CLIENT_MAX_RETRIES": "0", "PREFECT_API_REQUEST_TIMEOUT": "5"}
    return subprocess.Popen(
        [sys.executable, "flows/verdict.py"],
        cwd=machine.checkout,
        env=machine.environment | impatient | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def assert_verdict_without_prefect(machine: Machine, running: subprocess.Popen[str]) -> None:
    out, err = running.communicate(timeout=120)
    assert running.returncode == 0
    assert "OBSERVE: too early" in out
    report = machine.checkout / out.splitlines()[-1].removeprefix("Report: ")
    assert report.read_text(encoding="utf-8").startswith("# OBSERVE")
    assert {line.partition(": ")[0] for line in err.splitlines()} == {"compact-guard"}
    assert "Prefect is not well, so this runs without it" in err


def test_a_server_that_goes_away_half_way_takes_no_verdict_with_it(operated):
    machine = operated.machine
    proxy = Proxy(machine.port)
    own = machine.audit.parent / "warehouse.duckdb"

    with writer_lock.held(own, 0, str):
        running = make_verdict(machine, PREFECT_API_URL=f"http://127.0.0.1:{proxy.port}/api")
        wait_until(lambda: own_log_runs(machine))
        proxy.cut()

    assert_verdict_without_prefect(machine, running)


def own_log_runs(machine: Machine) -> list[object]:
    running = {"state": {"type": {"any_": ["RUNNING"]}}, "name": {"like_": " audit"}}
    return machine.ask("/flow_runs/filter", {"flow_runs": running})


def test_a_locked_database_holds_up_no_verdict(operated):
    machine = operated.machine
    database = sqlite3.connect(machine.home / ".prefect" / "prefect.db", isolation_level=None)
    database.execute("begin exclusive")
    try:
        hanging = {
            "PREFECT_API_URL": f"http://127.0.0.1:{machine.port}/api",
            "PREFECT_API_REQUEST_TIMEOUT": "2",
        }
        assert_verdict_without_prefect(machine, make_verdict(machine, **hanging))
    finally:
        database.close()


def test_a_temporary_server_that_does_not_start_holds_up_no_verdict(machine):
    broken = {
        "PREFECT_API_DATABASE_CONNECTION_URL": "sqlite+aiosqlite:////nowhere/prefect.db",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "1",
    }
    assert_verdict_without_prefect(machine, make_verdict(machine, **broken))

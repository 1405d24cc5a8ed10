"""docs/operate.md, typed as it stands; then the same server and worker are treated badly.

One test, because a server takes ten seconds to start and each worker of xdist would start its own.
"""

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from compact_guard.evaluator import history, scope, warehouse, writer_lock
from tests.builders import Session, rows_of, write_log
from tests.consoles import Command, commands_of, pattern_of
from tests.operate.machine import Machine, free_port, wait_until
from tests.operate.stories import failing
from tests.source_tree import ROOT

pytestmark = pytest.mark.slow

COMMANDS = commands_of((ROOT / "docs" / "operate.md").read_text("utf-8"))
EXPORTS = [command for command in COMMANDS if command.typed.startswith("export ")]


@pytest.fixture
def machine(tmp_path):
    """A user who works since yesterday, and lost a checkpoint."""
    machine = Machine(tmp_path, free_port())
    yesterday = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=1)
    sessions = [Session("s", at=yesterday).delivered("a"), failing("t", at=yesterday)]
    machine.audit.parent.mkdir(parents=True, mode=0o700)
    write_log(machine.audit, rows_of(sessions))
    (machine.home / ".claude").mkdir()
    install = [sys.executable, "-m", "compact_guard", "install", "claude-code", "--yes"]
    subprocess.run(install, env=machine.environment, capture_output=True, check=True)
    yield machine
    machine.end()


def test_a_server_is_set_up_as_the_document_says_and_then_treated_badly(machine, listener):
    assert_every_command_prints_what_is_shown(machine.type(COMMANDS))
    assert_a_person_sees_what_was_found(machine)
    assert_a_killed_run_stops_no_other_and_automations_tell_the_news(machine, listener)
    assert_a_server_that_goes_away_half_way_takes_no_verdict_with_it(machine)
    assert_a_locked_database_holds_up_no_verdict(machine)


def assert_every_command_prints_what_is_shown(answers: list[tuple[str, int]]) -> None:
    assert len(answers) == len(COMMANDS), answers[-1]
    for command, (printed, status) in zip(COMMANDS, answers, strict=True):
        assert status == 0, f"$ {command.typed}\n{printed}"
        if command.shown:
            assert pattern_of(command.shown).fullmatch(printed), f"$ {command.typed}\n{printed}"


def assert_a_person_sees_what_was_found(machine: Machine) -> None:
    [run] = machine.ask(
        "/flow_runs/filter", {"flow_runs": {"state": {"type": {"any_": ["COMPLETED"]}}}}
    )
    artifacts = {
        artifact["key"]: artifact
        for artifact in machine.ask("/artifacts/filter", {})
        if artifact["flow_run_id"] == run["id"]
    }

    assert run["name"].startswith("KEEP 20")
    assert run["name"].endswith(" recorded, rehearsal")
    assert set(run["tags"]) >= {"compact-guard", "on-demand", "verdict:KEEP"}
    assert set(artifacts) == {"verdict", "report", "outcomes", "expectations", "progress"}
    assert artifacts["verdict"]["data"].startswith("# Rehearsed KEEP")
    assert "![" not in artifacts["verdict"]["data"]
    assert artifacts["progress"]["data"] == 100.0
    tables = [artifacts[key]["task_run_id"] for key in ("verdict", "outcomes", "expectations")]
    assert len({*tables, None}) == 4


def flow_process_of(worker: int) -> int | None:
    children = Path(f"/proc/{worker}/task/{worker}/children").read_text().split()
    return int(children[0]) if children else None


def states_of(machine: Machine, run: str) -> str:
    return machine.ask(f"/flow_runs/{run}")["state"]["type"]


def submit(machine: Machine, deployment: str, **parameters: object) -> str:
    """Have the deployment run; returns the run's id."""
    found = machine.ask(f"/deployments/name/verdict/{deployment}")
    body = {"parameters": parameters, "state": {"type": "SCHEDULED"}}
    return machine.ask(f"/deployments/{found['id']}/create_flow_run", body)["id"]


def assert_a_killed_run_stops_no_other_and_automations_tell_the_news(machine, listener) -> None:
    folder = machine.home / "killed"
    log = write_log(folder / "audit", rows_of([failing("s")]))
    parameters = {"paths": [str(log)], "warehouse": str(folder / "w.duckdb")}
    _, worker = machine.left_running()

    with writer_lock.held(folder / "w.duckdb", 0, str):  # so that the run is caught half way
        killed = submit(machine, "nightly", **parameters)
        victim = wait_until(lambda: flow_process_of(worker))
        wait_until(lambda: states_of(machine, killed) == "RUNNING")
        for process in (worker, victim):
            os.kill(process, signal.SIGKILL)
    for command in (
        f"python -m compact_guard.operate.automations {listener.address}",
        "prefect worker start --pool compact-guard > worker.log 2>&1 &",
    ):
        assert machine.type([*EXPORTS, Command(command, "")])[-1][1] == 0
    finished = submit(machine, "on-demand", **parameters)
    wait_until(lambda: states_of(machine, finished) == "COMPLETED")

    assert states_of(machine, killed) == "RUNNING"
    [(_, heard)] = wait_until(lambda: listener.heard)
    assert heard["text"].startswith(
        "injection missed or duplicated: claude-code/anthropic: 1 missed"
    )
    with warehouse.connect(folder / "w.duckdb") as connection:
        assert len(history.read(connection, scope.key([log]))) == 1


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


def assert_a_server_that_goes_away_half_way_takes_no_verdict_with_it(machine: Machine) -> None:
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


def assert_a_locked_database_holds_up_no_verdict(machine: Machine) -> None:
    database = sqlite3.connect(machine.home / ".prefect" / "prefect.db", isolation_level=None)
    database.execute("begin exclusive")
    try:
        address = f"http://127.0.0.1:{machine.port}/api"
        assert_verdict_without_prefect(machine, make_verdict(machine, PREFECT_API_URL=address))
    finally:
        database.close()


def test_a_temporary_server_that_does_not_start_holds_up_no_verdict(machine):
    broken = {
        "PREFECT_API_DATABASE_CONNECTION_URL": "sqlite+aiosqlite:////nowhere/prefect.db",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "4",
    }
    assert_verdict_without_prefect(machine, make_verdict(machine, **broken))

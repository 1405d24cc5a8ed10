"""A log to grow and to judge, a machine that operates it, and somebody who listens."""

import http.server
import json
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest

from tests.builders import Session, rows_of, write_log
from tests.consoles import Command, commands_of
from tests.operate.machine import Machine, free_port
from tests.operate.stories import Log, failing
from tests.source_tree import ROOT


class Operated(NamedTuple):
    """A machine on which docs/operate.md was typed, command by command, and the answers."""

    machine: Machine
    commands: list[Command]
    answers: list[tuple[str, int]]


@pytest.fixture(scope="session")
def operated(tmp_path_factory):
    """One for all modules test_with_a_server*: server, worker and deployments are there."""
    commands = commands_of((ROOT / "docs" / "operate.md").read_text("utf-8"))
    machine = somebodys_machine(tmp_path_factory.mktemp("operated"))
    try:
        yield Operated(machine, commands, machine.type(commands))
    finally:
        machine.end()


@pytest.fixture
def machine(tmp_path):
    machine = somebodys_machine(tmp_path)
    yield machine
    machine.end()


def somebodys_machine(folder) -> Machine:
    """Of a user who works since yesterday, and lost a checkpoint."""
    machine = Machine(folder, free_port())
    yesterday = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=1)
    sessions = [Session("s", at=yesterday).delivered("a"), failing("t", at=yesterday)]
    machine.audit.parent.mkdir(parents=True, mode=0o700)
    write_log(machine.audit, rows_of(sessions))
    (machine.home / ".claude").mkdir()
    install = [sys.executable, "-m", "compact_guard", "install", "claude-code", "--yes"]
    subprocess.run(install, env=machine.environment, capture_output=True, check=True)
    return machine


@pytest.fixture
def log(tmp_path):
    return Log(tmp_path)


@pytest.fixture
def listener():
    """An HTTP server on loopback; `heard` are the bodies, `status` what it answers."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            heard = self.rfile.read(int(self.headers["Content-Length"]))
            self.server.heard.append((self.path, json.loads(heard)))
            self.send_response(self.server.status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    server.heard, server.status = [], 204
    server.address = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()

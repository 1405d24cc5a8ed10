"""Nothing leaves the machine, and nothing is said but the verdict: telemetry off, no warnings."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from compact_guard import quiet
from tests.builders import busy_weeks, rows_of, write_log
from tests.source_tree import ROOT

pytestmark = pytest.mark.slow

SECONDS_MAX = 180
NEAR = {"127.0.0.1", "::1", "localhost", None}  # None: a server that asks where it may listen
# Runs in every Python of the flow, that of Prefect's server included, before anything else.
WATCH = """
import json, os, sys

def watch(event, details):
    if event in ("socket.connect", "socket.sendto"):
        address = details[1]
        note("address", address[0] if isinstance(address, tuple) else "localhost")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = details[0]
        note("address", host.decode() if isinstance(host, bytes) else host)
    elif event == "import" and details[0] in ("prefect", "great_expectations"):
        note(details[0], environment())

def environment():
    # Prefect hands its settings on in another spelling: False.
    return {name: os.environ.get(name, "").lower() for name in json.loads(os.environ["NAMES"])}

def note(kind, value):
    file = os.open(os.environ["NOTES"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, json.dumps([kind, value]).encode() + b"\\n")
    os.close(file)

is_server = "prefect.server.api.server:create_app" in sys.orig_argv
note("server" if is_server else "start", environment())
sys.addaudithook(watch)
"""


class Watched(NamedTuple):
    """One run: what it printed, and what its processes did."""

    finished: subprocess.CompletedProcess[str]
    notes: list[tuple[str, object]]

    def values(self, kind: str) -> list[object]:
        return [value for noted, value in self.notes if noted == kind]


@pytest.fixture
def watched(tmp_path, monkeypatch):
    """Run a Python program under the watch."""
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "watch"))
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    monkeypatch.setenv("NAMES", json.dumps(list(quiet.TELEMETRY_OFF)))
    for name in quiet.TELEMETRY_OFF:
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object) -> Watched:
        finished = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=SECONDS_MAX,
            check=False,
        )
        notes = (tmp_path / "notes").read_text("utf-8").splitlines()
        return Watched(finished, [tuple(json.loads(note)) for note in notes])

    return run


def test_the_flow_talks_to_nobody_but_its_own_server(watched):
    flow = watched(ROOT / "flows" / "verdict.py")

    assert flow.finished.returncode == 0
    assert flow.finished.stderr == ""
    assert "127.0.0.1" in flow.values("address")
    assert set(flow.values("address")) <= NEAR
    for kind in ("server", "prefect", "great_expectations"):
        assert flow.values(kind), kind
        assert all(environment == quiet.TELEMETRY_OFF for environment in flow.values(kind))


def test_evaluate_talks_to_nobody_at_all(watched, tmp_path: Path):
    log = write_log(tmp_path / "audit", rows_of(busy_weeks(2, 3)))

    command = watched("-m", "compact_guard", "evaluate", "--audit", log)

    assert command.finished.returncode == 3
    assert command.finished.stderr == ""
    assert command.values("address") == []
    [environment] = command.values("great_expectations")
    assert environment == quiet.TELEMETRY_OFF
    assert command.values("prefect") == []


def test_the_watch_sees_who_is_called(watched):
    call = "import socket; socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 443))"

    assert watched("-c", call).values("address") == ["192.0.2.1"]

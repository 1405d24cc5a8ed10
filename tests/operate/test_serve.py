"""`compact-guard serve`, for real: its server, its schedule, and what a kill -9 leaves behind."""

import signal
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from tests.builders import Session, rows_of, write_log
from tests.operate.machine import Machine, free_port, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def machine(tmp_path):
    """A user with a compaction since yesterday, and no verdict yet."""
    machine = Machine(tmp_path, free_port())
    machine.audit.parent.mkdir(parents=True, mode=0o700)
    yesterday = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=1)
    write_log(machine.audit, rows_of([Session("s", at=yesterday).delivered("a")]))
    yield machine
    machine.end()


def serve(machine: Machine) -> subprocess.Popen[bytes]:
    """Serving, in a process group of its own."""
    with (machine.home / "serve.log").open("wb") as log:
        serving = subprocess.Popen(
            [sys.executable, "-m", "compact_guard", "serve", "--port", str(machine.port)],
            cwd=machine.home,
            env=machine.environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    machine.started.append(serving.pid)
    wait_until(lambda: b"Serving verdict/nightly" in (machine.home / "serve.log").read_bytes())
    return serving


def is_served(machine: Machine) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", machine.port)) == 0


def runs(machine: Machine, state: str) -> list[dict]:
    query = {"flow_runs": {"state": {"type": {"any_": [state]}}}}
    return machine.ask("/flow_runs/filter", query)


def test_a_missed_night_is_judged_at_once_and_nothing_outlives_a_kill(machine):
    first = serve(machine)
    [run] = wait_until(lambda: runs(machine, "COMPLETED"))
    first.send_signal(signal.SIGKILL)
    first.wait()
    wait_until(lambda: not is_served(machine))

    second = serve(machine)
    scheduled = wait_until(lambda: runs(machine, "SCHEDULED"))
    second.send_signal(signal.SIGTERM)

    assert second.wait(60) == 0
    assert not is_served(machine)
    assert run["name"].startswith("OBSERVE ")
    assert run["name"].endswith(" nightly")
    reports = machine.audit.parent / "reports"
    assert [report.name[10:] for report in reports.glob("*.md")] == ["-verdict.md"]
    assert all(later["auto_scheduled"] for later in scheduled)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cron", "every night"], "no such schedule: 'every night'"),
        (["--timezone", "Mars/Olympus"], "no such schedule: '15 2 * * *' in 'Mars/Olympus'"),
        (["--weekly", "8 days"], "no such schedule: '8 days'"),
        (["--policy", "nowhere.toml"], "cannot read the policy nowhere.toml"),
        (["--window-policy", "nowhere.toml"], "cannot read the policy nowhere.toml"),
    ],
)
def test_a_mistake_is_told_before_anything_starts(machine, options, said):
    answer = subprocess.run(
        [sys.executable, "-m", "compact_guard", "serve", "--port", str(machine.port), *options],
        env=machine.environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 2
    assert answer.stderr.startswith(f"compact-guard: {said}")


def test_a_port_in_use_is_named_with_its_mend(machine):
    with socket.create_server(("127.0.0.1", machine.port)):
        answer = subprocess.run(
            [sys.executable, "-m", "compact_guard", "serve", "--port", str(machine.port)],
            env=machine.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert answer.returncode == 2
    assert f"port {machine.port} is in use: give another --port" in answer.stderr

"""A machine of its own for a document's commands: checkout, home, and what they leave running."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.consoles import Command
from tests.source_tree import copy_checkout

SECONDS_MAX = 240
END = "-- end of command --"


def free_port() -> int:
    with socket.socket() as attempt:
        attempt.bind(("127.0.0.1", 0))
        return attempt.getsockname()[1]


def wait_until(is_so: Callable[[], Any], seconds_max: float = 60) -> Any:
    """What it returns, once that is something."""
    until = time.monotonic() + seconds_max
    while not (found := is_so()):
        assert time.monotonic() < until, "nothing came of it"
        time.sleep(0.2)
    return found


class Machine:
    """A checkout and a home below `folder`; ends what it started."""

    def __init__(self, folder: Path, port: int) -> None:
        self.checkout = copy_checkout(folder / "checkout")
        self.home = folder / "home"
        self.home.mkdir()
        self.port = port
        self.started: list[int] = []

    @property
    def environment(self) -> dict[str, str]:
        """A user whose programs are those of these tests."""
        return {
            "HOME": str(self.home),
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "PYTHONPATH": str(self.checkout),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
            "COLUMNS": "200",
            "PREFECT_CLI_COLORS": "0",
            "PREFECT_CLI_WRAP_LINES": "0",
            # Nobody waits here for the sake of a quiet server.
            "PREFECT_WORKER_QUERY_SECONDS": "1",
            "PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS": "1",
            "PREFECT_SERVER_SERVICES_REPOSSESSOR_LOOP_SECONDS": "1",
        }

    @property
    def audit(self) -> Path:
        return self.home / ".local/share/compact-guard/audit"

    def type(self, commands: list[Command]) -> list[tuple[str, int]]:
        """What each command of a document printed, and its exit status; port 4200 is ours."""
        script = "".join(self._line(command.typed) for command in commands)
        (self.checkout / "script").write_text(script)
        shell = subprocess.Popen(
            ["bash", "script"],
            cwd=self.checkout,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.started.append(shell.pid)
        said, _ = shell.communicate(timeout=SECONDS_MAX)
        parts = re.split(rf"{END} (\d+)\n", said)
        return [(text, int(status)) for text, status in zip(parts[::2], parts[1::2], strict=False)]

    def _line(self, typed: str) -> str:
        noted = "; echo $! >> started" if typed.endswith("&") else ""
        typed = typed.replace("4200", str(self.port)).removesuffix("&")
        typed = f"{typed}&\necho $! >> started" if noted else typed
        return f"{typed}\nprintf '%s %s\\n' '{END}' $?\n"

    def left_running(self) -> list[int]:
        """The processes that the commands put into the background, in order."""
        return [int(line) for line in (self.checkout / "started").read_text().split()]

    def ask(self, path: str, body: object = None) -> Any:
        """The Prefect server's answer; with a body, to a POST.

        While its database is locked it answers 503; Prefect's own client then asks again, too.
        """
        until = time.monotonic() + SECONDS_MAX
        while True:
            try:
                return self._answer(path, body)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code != HTTPStatus.SERVICE_UNAVAILABLE or time.monotonic() > until:
                    raise
            time.sleep(0.5)

    def _answer(self, path: str, body: object) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def submit(self, deployment: str, at: datetime | None = None, **parameters: object) -> str:
        """Have `flow/deployment` run, as if scheduled for that time; returns the run's id."""
        found = self.ask(f"/deployments/name/{deployment}")
        details = {} if at is None else {"scheduled_time": f"{at.isoformat()}Z"}
        state = {"type": "SCHEDULED", "state_details": details}
        # Asked again, it is the same run.
        body = {"parameters": parameters, "state": state, "idempotency_key": uuid4().hex}
        return self.ask(f"/deployments/{found['id']}/create_flow_run", body)["id"]

    def state_of(self, run: str) -> str:
        return self.ask(f"/flow_runs/{run}")["state"]["type"]

    def completed(self, ending: str) -> tuple[dict, dict[str, dict]]:
        """The one completed run whose name ends so, and its artifacts by key."""
        query = {"flow_runs": {"state": {"type": {"any_": ["COMPLETED"]}}}}
        runs = self.ask("/flow_runs/filter", query)
        [run] = [run for run in runs if run["name"].endswith(ending)]
        artifacts = self.ask("/artifacts/filter", {"flow_runs": {"id": {"any_": [run["id"]]}}})
        return run, {artifact["key"]: artifact for artifact in artifacts}

    def end(self) -> None:
        """Kill every process group that was started here."""
        for group in self.started:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                continue

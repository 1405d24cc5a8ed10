"""A Prefect server of our own, for `compact-guard serve`: on loopback, gone when we are gone.

Run as `python -m compact_guard.operate.server PORT`, it serves until its parent ends, however
that ends: a server that nobody owns would hold the port for ever.
"""

import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from compact_guard import quiet
from compact_guard.errors import UsageError

HOST = "127.0.0.1"
START_SECONDS_MAX = 180.0  # the first start builds the database, on a busy machine half a minute
STOP_SECONDS_MAX = 10.0
_POLL_SECONDS = 0.2
_WATCH_SECONDS = 1.0


def url_of(port: int) -> str:
    """Where the API of a server on this machine is."""
    return f"http://127.0.0.1:{port}/api"


@contextmanager
def running(port: int, home: Path) -> Iterator[None]:
    """A server with its database in `home`; stops it in the end.

    Raises UsageError, naming the mend, where it does not start.
    """
    _demand_free(port)
    url, log = url_of(port), home / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", __spec__.name, str(port)],
            env=os.environ | {"PREFECT_HOME": str(home), "PREFECT_API_URL": url},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is ours to handle: the runs end first
        )
    try:
        _wait_until_well(server, url, log)
        yield
    finally:
        _stop(server)


def _demand_free(port: int) -> None:
    with socket.socket() as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((HOST, port))
        except OSError as error:
            raise UsageError(
                f"port {port} is in use: give another --port, or use the Prefect server there by "
                f"PREFECT_API_URL={url_of(port)}"
            ) from error


def _wait_until_well(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    until = time.monotonic() + START_SECONDS_MAX
    while not _is_well(url):
        if server.poll() is not None or time.monotonic() > until:
            raise UsageError(f"Prefect's server did not start; {log} says why")
        time.sleep(_POLL_SECONDS)


def _is_well(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(STOP_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def main(port: int) -> None:
    """Serve until told to stop, or until the parent process is gone."""
    quiet.telemetry_off()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    import uvicorn
    from prefect.server.api.server import create_app

    uvicorn.run(create_app(final=True), host=HOST, port=port, log_level="warning")


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]))

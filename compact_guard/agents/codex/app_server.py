"""Ask Codex itself which hooks it sees in a hooks.json, and by which hash it knows each.

`codex app-server` is Codex's interface for clients; it is asked in a throw-away CODEX_HOME, so
that nothing of the user's is read, started or written.
"""

import contextlib
import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, NamedTuple

from compact_guard.errors import UsageError
from compact_guard.hook.limits import VERSION

_SECONDS_MAX = 20
_CONFIG = "check_for_update_on_startup = false\n[analytics]\nenabled = false\n"


class Place(NamedTuple):
    """Where a hook stands: Codex trusts a hook at its place only."""

    event: str  # in Codex's spelling for keys, such as "pre_compact"
    group: int
    entry: int

    def key(self, hooks_file: Path) -> str:
        """The name of this hook in `[hooks.state]`."""
        return f"{hooks_file}:{self.event}:{self.group}:{self.entry}"


def hashes(program: str, hooks: bytes) -> dict[Place, str]:
    """The current hash of every hook in this content of a hooks.json.

    Raises UsageError where Codex does not answer.
    """
    with tempfile.TemporaryDirectory(prefix="compact-guard-") as name:
        folder = Path(name).resolve()
        (folder / "config.toml").write_text(_CONFIG, encoding="utf-8")
        (folder / "hooks.json").write_bytes(hooks)
        answer = _ask(program, folder)
        return dict(_listed(answer, folder / "hooks.json"))


def _listed(answer: Any, hooks_file: Path) -> list[tuple[Place, str]]:
    found = []
    try:
        for hook in answer["result"]["data"][0]["hooks"]:
            if hook["sourcePath"] == str(hooks_file):
                event, group, index = hook["key"].rsplit(":", 3)[1:]
                found.append((Place(event, int(group), int(index)), str(hook["currentHash"])))
    except (KeyError, IndexError, TypeError, ValueError):
        raise _silent("its answer is not what is known of it") from None
    return found


def _ask(program: str, folder: Path) -> Any:
    try:
        server = subprocess.Popen(
            [program, "app-server"],
            cwd=folder,
            env={**os.environ, "CODEX_HOME": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise _silent(str(error)) from None
    with server:
        watchdog = threading.Timer(_SECONDS_MAX, server.kill)
        watchdog.start()
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            return _exchange(server.stdin, server.stdout, folder)
        finally:
            watchdog.cancel()
            server.kill()
            with contextlib.suppress(BrokenPipeError):  # what was not sent is still buffered
                server.stdin.close()


def _exchange(requests: IO[bytes], answers: IO[bytes], folder: Path) -> Any:
    client = {"name": "compact-guard", "version": VERSION}
    with contextlib.suppress(BrokenPipeError):
        _send(requests, {"id": 1, "method": "initialize", "params": {"clientInfo": client}})
        _send(requests, {"method": "initialized"})
        _send(requests, {"id": 2, "method": "hooks/list", "params": {"cwds": [str(folder)]}})
    for line in answers:
        with contextlib.suppress(ValueError):
            answer = json.loads(line)
            if isinstance(answer, dict) and answer.get("id") == 2:
                return answer
    raise _silent(f"no answer within {_SECONDS_MAX} s")


def _send(requests: IO[bytes], message: dict[str, object]) -> None:
    requests.write(json.dumps(message).encode() + b"\n")
    requests.flush()


def _silent(reason: str) -> UsageError:
    return UsageError(
        f"`codex app-server` cannot be asked for the hashes of the hooks ({reason}). Install "
        "without --trust and approve them in Codex: it shows them at its next start, or with /hooks"
    )

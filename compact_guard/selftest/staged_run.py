"""Drive the installed hooks through one compaction, exactly as the agent would.

The commands are those of the agent's settings, run by the shell; only the conversation is made
up. The rows go into the user's own audit log, marked synthetic, which counts for nothing.
"""

import contextlib
import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from compact_guard.agents import registry
from compact_guard.agents.contract import Stage
from compact_guard.doctor import entries
from compact_guard.hook import checkpoint, identity
from compact_guard.hook.run import SYNTHETIC_SWITCH, load_adapter
from compact_guard.install.settings_file import SettingsFile

PLANTED_WORDS = ("kingfisher table", "lost 3 of 40 writes", "Never deploy on Fridays", "kept out")
_SUMMARY = "The user and the assistant talked about birds."
_SECONDS_MAX = 30  # what the agent itself would wait
# What the agents match a hook's matcher against.
_KINDS = {
    "pre_compact": "auto",
    "session_start": "compact",
    "post_compact": "auto",
    "turn_end": "",
}


@dataclass(frozen=True)
class Run:
    """One hook process; `status` None: it had to be ended. `is_repeated`: its text was given."""

    event: str
    is_repeated: bool
    status: int | None
    stdout: bytes
    stderr: bytes
    seconds: float


@dataclass(frozen=True)
class Scene:
    """A session that never was, with a secret in it."""

    agent: str
    session_id: str
    secret: str
    transcript: Path

    @property
    def session_hash(self) -> str:
        """As rows and checkpoints name the session."""
        return identity.session_hash(self.agent, self.session_id)


def write_scene(agent: str, folder: Path) -> Scene:
    """Transcript with one thing of each kind that must come back, and one that must not."""
    session_id = f"compact-guard-selftest-{secrets.token_hex(8)}"
    secret = "ghp_" + "".join(secrets.choice("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(36))
    said = [
        ("user", "Count the birds in the heron table."),
        ("assistant", "There are 14 birds in the heron table."),
        ("user", "No, not the heron table: use the kingfisher table instead."),
        ("user", "We decided against Redis because it lost 3 of 40 writes, so Postgres it is."),
        ("user", "Never deploy on Fridays."),
        ("user", f"The access token is {secret} and must be kept out of every log."),
        ("assistant", "Understood."),
    ]
    stage = registry.stage_of(agent)
    return Scene(agent, session_id, secret, stage.write_transcript(folder, session_id, said))


def commands(agent: SettingsFile, settings: entries.Settings) -> dict[str, list[str]]:
    """By our event names, the commands that the agent would run, in order."""
    known = agent.registrations(lambda event: event, None, has_notice=True)
    ours = {registration.event: registration.command for registration in known}
    found: dict[str, list[str]] = {event: [] for event in _KINDS}
    for entry in settings.ours:
        event = ours.get(entry.event)
        if event is not None and _matches(entry.matcher, _KINDS[event]):
            found[event].append(entry.command)
    return found


def _matches(matcher: str | None, kind: str) -> bool:
    try:
        return matcher in (None, "", "*") or re.fullmatch(str(matcher), kind) is not None
    except re.error:
        return False


def perform(
    scene: Scene, commands: Mapping[str, list[str]], environment: Mapping[str, str]
) -> list[Run]:
    """The whole compaction, with one restart more than the agent owes us."""
    stage = registry.stage_of(scene.agent)
    runs = []
    for event, is_repeated in _acts(scene, stage):
        for command in commands[event]:
            payload = stage.payload(event, scene.transcript, scene.session_id, _SUMMARY)
            started = time.monotonic()
            status, stdout, stderr = _run(command, payload, scene, environment)
            seconds = time.monotonic() - started
            runs.append(Run(event, is_repeated, status, stdout, stderr, seconds))
    return runs


def _acts(scene: Scene, stage: Stage) -> Iterator[tuple[str, bool]]:
    """Events in the agent's own order; the boundary is written where the agent writes it."""
    restarts = [("session_start", False), ("session_start", True)]
    yield "pre_compact", False
    if load_adapter(scene.agent).BOUNDARY_COMES_FIRST:
        stage.write_boundary(scene.transcript, _SUMMARY)
        yield "post_compact", False
        yield from restarts
    else:
        yield from restarts
        yield "post_compact", False
        stage.write_boundary(scene.transcript, _SUMMARY)
    yield "turn_end", False


def _run(
    command: str, payload: bytes, scene: Scene, environment: Mapping[str, str]
) -> tuple[int | None, bytes, bytes]:
    process = subprocess.Popen(
        command,
        shell=True,
        cwd=scene.transcript.parent,
        env={**environment, SYNTHETIC_SWITCH: "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(payload, timeout=_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # the shell alone would leave the hook behind
        return None, *process.communicate()
    return process.returncode, stdout, stderr


@contextlib.contextmanager
def staged(agent: str) -> Iterator[Scene]:
    """A scene whose transcript and checkpoints are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="compact-guard-selftest-") as folder:
        scene = write_scene(agent, Path(folder))
        try:
            yield scene
        finally:
            shutil.rmtree(checkpoint.session_folder(scene.session_hash), ignore_errors=True)

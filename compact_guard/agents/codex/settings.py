"""Codex's hooks.json: its place, the hooks we register, what may keep them from running.

Facts: `[hooks]` in config.toml runs beside hooks.json, with one line of warning at start. We
write hooks.json in any case: JSON can be edited byte for byte without a dependency.
"""

import json
import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from compact_guard.install.hook_block import Registration
from compact_guard.install.installed_program import version_of
from compact_guard.install.settings_file import HookCommand

AGENT = "codex"
AFTER_CHANGE = "Codex sessions that are open now keep the hooks they began with: restart them."

_TIMEOUT_SECONDS = 30  # ten times our own deadline; Codex's default would be 600
# A resume delivers what the agent lost: it forgets a pending compact event when it ends.
_SESSION_START_SOURCES = "compact|resume"
_OLDEST_SEEN = (0, 144, 0)
_SESSION = "compact-guard-rehearsal"


def home(environment: Mapping[str, str]) -> Path:
    """CODEX_HOME, else ~/.codex; links resolved, as Codex names it in its approvals."""
    configured = environment.get("CODEX_HOME")
    return (Path(configured) if configured else Path.home() / ".codex").resolve()


def settings_path(project: Path | None, environment: Mapping[str, str]) -> Path:
    """`.codex/hooks.json` of the project, else hooks.json of the user."""
    folder = home(environment) if project is None else project.absolute() / ".codex"
    return folder / "hooks.json"


def program(environment: Mapping[str, str]) -> str | None:
    """The `codex` that the user starts, None if there is none."""
    folders = [environment.get("PATH", ""), str(Path.home() / ".local" / "bin")]
    return shutil.which("codex", path=os.pathsep.join(folders))


def installed_version(environment: Mapping[str, str]) -> str | None:
    """What `codex --version` says, such as "0.171.0"; None if no `codex` is found."""
    return version_of(program(environment))


def registrations(
    command: HookCommand, version: str | None, has_notice: bool = False
) -> list[Registration]:
    """Our hooks; a version that does not know an event ignores it."""
    return [
        Registration("PreCompact", None, command("pre_compact"), _TIMEOUT_SECONDS),
        Registration(
            "SessionStart", _SESSION_START_SOURCES, command("session_start"), _TIMEOUT_SECONDS
        ),
        Registration("PostCompact", None, command("post_compact"), _TIMEOUT_SECONDS),
    ]


def warnings(path: Path, version: str | None, environment: Mapping[str, str]) -> list[str]:
    """Switches, a version too old, two places for hooks."""
    found = blockers(path, environment)
    if version is None:
        found.append("No `codex` found on PATH, so its version is unknown.")
    elif tuple(int(part) for part in version.split(".")) < _OLDEST_SEEN:
        found.append(f"Codex {version} is older than 0.144, which is the oldest that was tried.")
    if _configured(path.with_name("config.toml")).get("hooks", {}).keys() - {"state"}:
        found.append(
            f"{path.with_name('config.toml')} has [hooks] too. Both run, and Codex says in a line "
            "at its start that it prefers one place for them."
        )
    return found


def unwanted(event: str, version: str | None) -> str:
    """What an entry of ours does for an event that is not to be registered."""
    return f"the entry for {event} does nothing"


def refusal(option: str, version: str | None) -> str | None:
    """Why Codex cannot do what an option of install asks for."""
    if option == "preserve":
        return (
            "Codex ignores what a PreCompact hook prints, and calls one that adds context failed: "
            "no hook can ask its summary for anything. What was rejected is in the checkpoint"
        )
    return None


def other_places(path: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The user's hooks.json, and [hooks] in either config.toml."""
    user_file = settings_path(None, environment)
    yield from (user_file, path.with_name("config.toml"), user_file.with_name("config.toml"))


def blockers(path: Path, environment: Mapping[str, str]) -> list[str]:
    """Switches that keep hooks from running, one sentence each."""
    found = []
    for file in dict.fromkeys((path.with_name("config.toml"), home(environment) / "config.toml")):
        features = _configured(file).get("features")
        if isinstance(features, dict) and features.get("hooks") is False:
            found.append(
                f"{file} sets features.hooks = false: the hooks will NOT run while it does."
            )
    return found


def _configured(file: Path) -> dict[str, dict[str, object]]:
    """The tables of config.toml; empty where it cannot be read, for Codex itself will say so."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {key: value for key, value in content.items() if isinstance(value, dict)}


def write_rehearsal(folder: Path) -> tuple[str, bytes]:
    """A manual compaction of a two-line conversation that never was."""
    rows = [
        _row("session_meta", id=_SESSION, originator="codex_exec", cli_version="0.171.0"),
        _row("event_msg", type="user_message", message="Count to three."),
        _row("event_msg", type="agent_message", message="One, two, three."),
    ]
    transcript = folder / f"rollout-{_SESSION}.jsonl"
    transcript.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    payload = {
        "session_id": _SESSION,
        "turn_id": f"{_SESSION}-turn",
        "transcript_path": str(transcript),
        "cwd": str(folder),
        "hook_event_name": "PreCompact",
        "model": "gpt-5",
        "trigger": "manual",
    }
    return "pre_compact", json.dumps(payload).encode()


def _row(kind: str, **payload: str) -> dict[str, object]:
    return {"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload}

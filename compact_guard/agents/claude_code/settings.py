"""Claude Code's settings.json: its place, the hooks we register, what may keep them from running.

Facts: PreCompact without matcher runs for manual and automatic compactions; SessionStart
with matcher `compact` runs after one; PostCompact exists since 2.1.76. With PostCompact in
it, 2.1.75 ignored the whole settings file, apiKeyHelper and all other hooks included
(measured on both, and on 2.1.49), so an older version gets no PostCompact entry: it is only a
receipt. Stop runs when a turn ends: it shows the person the line that a receipt left (--notice).
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from compact_guard.install.hook_block import Registration
from compact_guard.install.installed_program import version_of
from compact_guard.install.settings_file import HookCommand

AGENT = "claude-code"
AFTER_CHANGE = "Claude Code sessions that are open now may keep their old hooks: restart them."

_TIMEOUT_SECONDS = 30  # ten times our own deadline; Claude Code's default would be 600
_POST_COMPACT_SINCE = (2, 1, 76)
_SESSION = "compact-guard-rehearsal"
_SWITCHES = ("disableAllHooks", "allowManagedHooksOnly")


def settings_path(project: Path | None, environment: Mapping[str, str]) -> Path:
    """`.claude/settings.json` of the project, else of the user (or of CLAUDE_CONFIG_DIR)."""
    if project is not None:
        return project.absolute() / ".claude" / "settings.json"
    configured = environment.get("CLAUDE_CONFIG_DIR")
    folder = Path(configured) if configured else Path.home() / ".claude"
    return folder.absolute() / "settings.json"


def installed_version(environment: Mapping[str, str]) -> str | None:
    """What `claude --version` says, such as "2.1.332"; None if no `claude` is found."""
    folders = [
        environment.get("PATH", ""),
        str(settings_path(None, environment).parent / "local"),  # reached by a shell alias
        str(Path.home() / ".local" / "bin"),
    ]
    return version_of(shutil.which("claude", path=os.pathsep.join(folders)))


def registrations(
    command: HookCommand, version: str | None, has_notice: bool = False
) -> list[Registration]:
    """Our hooks for this version; None is taken for a current one."""
    known = [
        Registration("PreCompact", None, command("pre_compact"), _TIMEOUT_SECONDS),
        Registration("SessionStart", "compact", command("session_start"), _TIMEOUT_SECONDS),
    ]
    if not _is_older(version):
        known.append(Registration("PostCompact", None, command("post_compact"), _TIMEOUT_SECONDS))
        if has_notice:
            known.append(Registration("Stop", None, command("turn_end"), _TIMEOUT_SECONDS))
    return known


def _is_older(version: str | None) -> bool:
    if version is None:
        return False
    return tuple(int(part) for part in version.split(".")) < _POST_COMPACT_SINCE


def warnings(path: Path, version: str | None, environment: Mapping[str, str]) -> list[str]:
    """Switches that keep hooks from running, and a version too old."""
    found = blockers(path, environment)
    if version is None:
        found.append(
            "No `claude` found on PATH, so its version is unknown. Versions before 2.1.76 do not "
            "know PostCompact and skip this whole settings file: update such a version first."
        )
    if _is_older(version):
        found.append(
            f"Claude Code {version} does not know PostCompact, so no receipts are written. "
            "After an update to 2.1.76 or later, install again."
        )
    return found


def unwanted(event: str, version: str | None) -> str:
    """What an entry of ours does for an event that is not to be registered."""
    if event == "PostCompact" and _is_older(version):
        return (
            f"Claude Code {version} does not know {event} and skips the whole file: "
            "none of its hooks run and none of its settings count"
        )
    return f"the entry for {event} does nothing"


def refusal(option: str, version: str | None) -> str | None:
    """Why this version cannot do what an option of install asks for."""
    if option == "notice" and _is_older(version):
        return (
            f"Claude Code {version} has no PostCompact hook, so that nothing there learns what "
            "the summary lost. `compact-guard last` tells what was saved"
        )
    return None


def other_places(path: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The user's settings, the local ones beside this file, and plugins."""
    user_file = settings_path(None, environment)
    yield from (user_file, path.with_name("settings.local.json"))
    yield from sorted((user_file.parent / "plugins").rglob("hooks/hooks.json"))


def blockers(path: Path, environment: Mapping[str, str]) -> list[str]:
    """Switches that keep hooks from running, one sentence each."""
    user_file = settings_path(None, environment)
    found = []
    for file in dict.fromkeys((path, path.with_name("settings.local.json"), user_file)):
        found += _switched_off(file, _SWITCHES)
    for file in managed_files():
        found += _switched_off(file, (*_SWITCHES, "strictPluginOnlyCustomization"))
    return found


def managed_files() -> list[Path]:
    """Where an administrator settles what nobody's own settings change."""
    match sys.platform:
        case "darwin":
            folder = Path("/Library/Application Support/ClaudeCode")
        case "win32":
            folder = Path("C:/Program Files/ClaudeCode")
        case _:
            folder = Path("/etc/claude-code")
    return [folder / "managed-settings.json", *sorted(folder.glob("managed-settings.d/*.json"))]


def _switched_off(file: Path, switches: tuple[str, ...]) -> list[str]:
    try:
        settings = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return []  # missing, or not ours to judge: the file that we edit is checked elsewhere
    if not isinstance(settings, dict):
        return []
    return [
        f'{file} sets "{switch}": the hooks will NOT run while it does.'
        for switch in switches
        if _covers_hooks(settings.get(switch))
    ]


def _covers_hooks(value: object) -> bool:
    return value is True or (isinstance(value, list) and "hooks" in value)


def write_rehearsal(folder: Path) -> tuple[str, bytes]:
    """A manual compaction of a two-line conversation that never was."""
    rows = [_row("user", "Count to three."), _row("assistant", "One, two, three.")]
    transcript = folder / f"{_SESSION}.jsonl"
    transcript.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    payload = {
        "session_id": _SESSION,
        "transcript_path": str(transcript),
        "cwd": str(folder),
        "hook_event_name": "PreCompact",
        "trigger": "manual",
        "custom_instructions": None,
    }
    return "pre_compact", json.dumps(payload).encode()


def _row(role: str, text: str) -> dict[str, object]:
    return {
        "type": role,
        "uuid": f"{_SESSION}-{role}",
        "sessionId": _SESSION,
        "isSidechain": False,
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": role, "content": [{"type": "text", "text": text}]},
    }

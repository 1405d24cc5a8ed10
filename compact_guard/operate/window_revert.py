"""Give an agent the window back that it had before a change, and take that back, too."""

import contextlib
import hashlib
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from compact_guard import data_home
from compact_guard.agents import registry
from compact_guard.errors import UsageError
from compact_guard.install import planning, safe_file
from compact_guard.install.planning import Plan
from compact_guard.window import scan, scan_cache, study
from compact_guard.window.setting import SettingChange

SCHEMA = "compact-guard.window-restored/1"


class Studied(NamedTuple):
    """What a study of one agent's own transcripts says: the verdict, and the change it is on.

    `change` None: no settings tell of the change, so nothing says what was set before.
    """

    verdict: str
    reasons: list[str]
    source: str | None
    change: SettingChange | None


def studied(agent: str, policy: Path | None = None) -> Studied:
    """The study of this user's transcripts of one agent; raises what study.answer raises."""
    request = study.Request(_folders(agent), cache=scan_cache.default_file(), policy=policy)
    told: dict[str, Any] = orjson.loads(study.answer(request))
    change = told["change"]
    history = study.on_record(request, study.stamped(request))
    same = [one for one in history.changes if change["source"] == "settings" and _is(one, change)]
    return Studied(told["verdict"], told["reasons"], change["source"], same[-1] if same else None)


def plan_restore(change: SettingChange) -> Plan:
    """The settings file with the window as before. Raises UsageError where that cannot be."""
    path = change.file or _own_file(change.agent)
    original = safe_file.read(path)
    try:
        restore = registry.window_restore_of(change.agent)
        after = restore.restored(original.content or b"", change)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return Plan(_key(change.agent, original.path), original, after, None, [])


def plan_undo(agent: str) -> Plan:
    """The settings file as it was before the newest restoring. Raises UsageError."""
    records = sorted(_folder().glob(f"{agent}-*.json"), key=os.path.getmtime)
    if not records:
        raise UsageError(f"no window of {agent} was restored: there is nothing to undo")
    told = json.loads(records[-1].read_bytes())
    original = safe_file.read(Path(told["path"]))
    if _hash(original.content) != told["after"]:
        raise UsageError(
            f"{original.path} was edited since, and was left alone: "
            f"what stood there before is in {told['backup']}"
        )
    return Plan(records[-1].stem, original, Path(told["backup"]).read_bytes(), None, [])


def restore(plan: Plan, now: datetime) -> None:
    """Note what undoes the plan, then carry it out. Raises UsageError; nothing is changed then.

    A note without its edit does no harm: the file is not what the note says it became.
    """
    content = {
        "schema": SCHEMA,
        "path": str(plan.original.path),
        "backup": str(data_home.backup_path(plan.key, plan.original.path, now)),
        "after": _hash(plan.after),
    }
    try:
        safe_file.private_folder(_folder().parent)
        safe_file.private_folder(_folder())
        safe_file.write_private(_record(plan), json.dumps(content, indent=1).encode() + b"\n")
    except OSError as error:
        raise UsageError(f"{plan.original.path} is as it was: {error}") from None
    _apply(plan, now)


def undo(plan: Plan, now: datetime) -> None:
    """Carry the plan out, and forget the note. Raises UsageError."""
    _apply(plan, now)
    with contextlib.suppress(OSError):  # it says no longer what the file is, and is not used again
        _record(plan).unlink()


def _apply(plan: Plan, now: datetime) -> None:
    try:
        planning.apply(plan, now)
    except OSError as error:
        raise UsageError(f"{plan.original.path} is as it was: {error}") from None


def _is(recorded: SettingChange, told: dict[str, Any]) -> bool:
    settings = told["settings"]
    return (recorded.agent, recorded.after.words, recorded.evidence) == (
        told["agent"],
        settings["after"],
        settings["evidence"],
    )


def _folders(agent: str) -> tuple[Path, ...]:
    home = registry.window_settings_of(agent).home(os.environ).resolve()
    found = [folder for folder in scan.default_folders() if home in folder.resolve().parents]
    if not found:
        raise UsageError(f"no transcripts of {agent} below {home}: nothing can be studied")
    return tuple(found)


def _own_file(agent: str) -> Path:
    return registry.window_settings_of(agent).files(None, os.environ)[0]


def _key(agent: str, settings: Path) -> str:
    """Another one than the hooks' in the same file: they are installed independently."""
    return f"{data_home.key_of(agent, settings)}-window"


def _folder() -> Path:
    return data_home.folder() / "restored"


def _record(plan: Plan) -> Path:
    return _folder() / f"{plan.key}.json"


def _hash(content: bytes | None) -> str:
    return hashlib.sha256(content or b"").hexdigest()

"""Our own folder, as the commands see it: private, with this host's id, backups and records."""

import hashlib
import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from compact_guard.hook import paths
from compact_guard.install import safe_file

CONFIG_SCHEMA = "compact-guard.config/1"
BACKUPS_MAX = 5  # per settings file: enough to look back over a few upgrades


def folder() -> Path:
    """The folder of everything we write."""
    return Path(paths.data_home())


def prepare() -> None:
    """Create the folders and, once, config.json with a random host id; raises OSError."""
    for path in (folder(), Path(paths.audit_folder()), Path(paths.checkpoint_folder())):
        safe_file.private_folder(path)
    config = Path(paths.config_file())
    if not config.exists():
        content = {"schema": CONFIG_SCHEMA, "host": os.urandom(8).hex()}
        safe_file.write_private(config, json.dumps(content).encode() + b"\n")


def key_of(agent: str, settings: Path) -> str:
    """Names one settings file of one agent among our backups and records."""
    return f"{agent}-{hashlib.sha256(os.fsencode(settings)).hexdigest()[:16]}"


def backup_path(key: str, settings: Path, now: datetime) -> Path:
    """Where `keep_backup` will put it; `now` is UTC."""
    stamp = now.strftime("%Y%m%dT%H%M%S.%fZ")
    return folder() / "backups" / key / f"{settings.name}.compact-guard-{stamp}.bak"


def keep_backup(path: Path, content: bytes) -> None:
    """Store a backup and drop all but the newest few of its folder; raises OSError."""
    for parent in (path.parent.parent.parent, path.parent.parent, path.parent):
        safe_file.private_folder(parent)
    safe_file.write_private(path, content)
    for outdated in sorted(path.parent.glob("*.bak"))[:-BACKUPS_MAX]:
        outdated.unlink()


def recorded_settings(agent: str) -> Iterator[Path]:
    """The settings files that `install` noted down, whatever became of them since."""
    for record in sorted((folder() / "installed").glob(f"{agent}-*.json")):
        try:
            yield Path(json.loads(record.read_bytes())["path"])
        except (OSError, ValueError, TypeError, KeyError):
            continue


def record_path(key: str) -> Path:
    """What we created in a settings file, so that uninstall leaves nothing and takes nothing."""
    return folder() / "installed" / f"{key}.json"

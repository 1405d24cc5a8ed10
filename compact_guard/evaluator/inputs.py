"""What to judge when nobody names an audit log: the user's own one, else the recorded one."""

from pathlib import Path
from typing import NamedTuple

from compact_guard.hook import paths

RECORDED = Path(__file__).resolve().parents[1] / "recorded"


class AuditLog(NamedTuple):
    """An audit log, whether judging it is only a rehearsal, and the sentence that says so."""

    folder: Path
    is_rehearsal: bool
    sentence: str
    warehouse: Path | None = None  # none: a temporary one


def own_audit_log() -> Path:
    """The audit log of the user's own guard."""
    return Path(paths.audit_folder())


def own_warehouse() -> Path:
    """The warehouse of the user's own audit log."""
    return Path(paths.data_home(), "warehouse.duckdb")


def own_or_recorded() -> AuditLog:
    """The user's own audit log where it holds a file, else the log that ships with the package."""
    own = own_audit_log()
    if any(own.glob("*.jsonl")):
        return AuditLog(own, False, f"Judging your own audit log in {own}.", own_warehouse())
    return AuditLog(
        RECORDED,
        True,
        f"No audit log in {own} yet, so this rehearses on the recorded log of real Claude Code "
        "compactions that ships with compact-guard. A rehearsal is no verdict: install the hooks "
        "with `compact-guard install claude-code`, then work as usual.",
    )

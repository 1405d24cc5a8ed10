"""Whom a policy wants told: a command on this machine, an address, or nobody.

[notify]
command = ["notify-send", "compact-guard", "{text}"]
webhook = "http://127.0.0.1:8080/compact-guard"
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from compact_guard.errors import UsageError


@dataclass(frozen=True)
class Channels:
    """An argument list, run without a shell, and a URL that gets JSON; both may be missing."""

    command: tuple[str, ...] = ()
    webhook: str | None = None


def parse(table: Any, file: str) -> Channels:
    """The `[notify]` table of a policy file; raises UsageError naming the file and the mend."""
    if not isinstance(table, dict) or table.keys() - {"command", "webhook"}:
        raise UsageError(f"{file}: [notify] takes `command` and `webhook`, nothing else")
    command, webhook = table.get("command", []), table.get("webhook")
    is_list = isinstance(command, list) and all(isinstance(word, str) for word in command)
    if not is_list or ("command" in table and not command):
        raise UsageError(
            f"{file}: [notify] command must be a list of words, such as "
            '["notify-send", "compact-guard", "{text}"]'
        )
    if webhook is not None and not _is_address(webhook):
        raise UsageError(f"{file}: [notify] webhook must be an http or https address")
    return Channels(tuple(command), webhook)


def _is_address(webhook: Any) -> bool:
    if not isinstance(webhook, str):
        return False
    try:
        parts = urlsplit(webhook)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)

"""Whom a policy wants told: a command on this machine, an address, or nobody.

[notify]
command = ["notify-send", "compact-guard", "{text}"]
webhook = "http://127.0.0.1:8080/compact-guard"
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from compact_guard.toml_file import TomlFile

TABLE = "notify"


@dataclass(frozen=True)
class Channels:
    """An argument list, run without a shell, and a URL that gets JSON; both may be missing."""

    command: tuple[str, ...] = ()
    webhook: str | None = None


def of(policy: TomlFile) -> Channels:
    """What the `[notify]` table of a policy says, if it has one; raises UsageError."""
    table = policy.content.get(TABLE, {})
    if not isinstance(table, dict) or table.keys() - {"command", "webhook"}:
        raise policy.mistake("[notify] takes `command` and `webhook`, nothing else", TABLE)
    command, webhook = table.get("command", []), table.get("webhook")
    is_list = isinstance(command, list) and all(isinstance(word, str) for word in command)
    if not is_list or ("command" in table and not command):
        raise policy.mistake(
            "[notify] command must be a list of words, such as "
            '["notify-send", "compact-guard", "{text}"]',
            TABLE,
            "command",
        )
    if webhook is not None and not _is_address(webhook):
        raise policy.mistake("[notify] webhook must be an http or https address", TABLE, "webhook")
    return Channels(tuple(command), webhook)


def _is_address(webhook: Any) -> bool:
    if not isinstance(webhook, str):
        return False
    try:
        parts = urlsplit(webhook)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)

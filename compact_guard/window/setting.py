"""What an agent's settings say of its window, in our words: values, dates, places."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple


class Setting(NamedTuple):
    """One configured window.

    `begins_at` is the context, in tokens, at which compaction begins; None where that cannot be
    told: nothing is set, or a share of a size that is not written there. `words` is what is
    written, such as `autoCompactWindow = 200000`; empty: nothing.
    """

    begins_at: int | None = None
    words: str = ""


UNSET = Setting()


class Dated(NamedTuple):
    """A setting at a moment (naive UTC).

    `is_moment_of_change`: it was made then; else it was found in force, and may be older.
    `model` None: every model's. `evidence` says where that is known from, for a person.
    """

    at: datetime
    setting: Setting
    model: str | None
    evidence: str
    is_moment_of_change: bool = False


class Version(NamedTuple):
    """What a settings file held at a moment (naive UTC); None: there was no file."""

    at: datetime
    content: bytes | None
    evidence: str
    is_moment_of_change: bool = False


class Head(NamedTuple):
    """What the first lines of a transcript say: whose it is, and the window if it is recorded."""

    project: Path | None
    started_at: datetime | None
    model: str | None
    recorded: Setting | None


class SettingChange(NamedTuple):
    """A window that was set anew: not before `earliest`, at the latest at `at` (naive UTC).

    `earliest` None: exactly at `at`. `file` None: a command, or what the sessions recorded.
    `project` None: all of them. `then` is the file before, as far as a copy of it is there.
    """

    agent: str
    at: datetime
    earliest: datetime | None
    before: Setting | None
    after: Setting
    model: str | None
    project: Path | None
    file: Path | None
    evidence: str
    then: bytes | None = None


def merged(objects: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Settings files laid one upon the other, key by key; the last one counts most."""
    result: dict[str, Any] = {}
    for told in objects:
        for name, value in told.items():
            beneath = result.get(name)
            if isinstance(beneath, dict) and isinstance(value, dict):
                value = merged([beneath, value])  # noqa: PLW2901 - both together
            result[name] = value
    return result

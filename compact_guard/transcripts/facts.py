"""What a transcript proves, in our words: the facts that the agents' readers yield.

No fact holds text of the conversation: only places, times, ids and hashes.
"""

import hashlib
import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from compact_guard.transcripts.stretches import Stretch

Kind = Literal["boundary", "model_turn", "user_prompt", "injected_text", "unreadable"]
Trigger = Literal["auto", "manual"]

# A text of ours may quote an older one: what its label names is what was injected.
_LABELLED_HASH = re.compile(
    r"\[compact-guard\].{0,2000}?\bcheckpoint ([0-9a-f]{64})\b", re.IGNORECASE | re.DOTALL
)
_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_NAME_CHARS_MAX = 200


class Fact(NamedTuple):
    """One fact and where it stands: the first byte of its JSON object, decompressed.

    `event_at` is naive UTC. `event_key` is equal in every copy of the same fact: a boundary's
    uuid or window id, a response's or prompt's id, an injected text's checkpoint hash.
    `records_hook_text` (boundaries): whether the agent that wrote it records what hooks inject.
    """

    byte_offset: int
    kind: Kind
    event_at: datetime | None = None
    event_key: str | None = None
    trigger: Trigger | None = None
    pre_tokens: int | None = None
    post_tokens: int | None = None
    records_hook_text: bool | None = None


class Identity(NamedTuple):
    """Whose transcript it is, as far as the file says."""

    session_id: str | None
    interface: str | None
    agent_version: str | None
    is_subagent: bool
    is_slice: bool
    records_hook_text: bool


class TranscriptReader(Protocol):
    """One file being read, its objects in order; appends to the `facts` given."""

    AGENT: str

    def take_stretch(self, stretch: "Stretch") -> int:
        """All its lines, if all are plain: how many. Else 0, and nothing changes."""

    def take(self, offset: int, record: dict[str, Any]) -> None:
        """Note what one record proves."""

    def identity(self) -> Identity:
        """What the records so far say of the file."""


def checkpoint_hashes(text: str) -> list[str]:
    """The checkpoint that a compact-guard label names; of other tools' text every hash, once."""
    labelled = _LABELLED_HASH.search(text)
    if labelled:
        return [labelled[1].lower()]
    return list(dict.fromkeys(_HASH.findall(text)))


def content_key(value: object) -> str:
    """A key for a record without an id: equal in copies, whatever the order of its fields."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def utc_time(value: object) -> datetime | None:
    """Naive UTC from ISO 8601; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        if len(value) == 24 and value.endswith("Z"):  # nearly all: nothing is to be converted
            moment = datetime.fromisoformat(value[:-1])
            return moment if moment.tzinfo is None else None
        moment = datetime.fromisoformat(value)
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        return None


def name_or_none(value: object) -> str | None:
    """An id or a version; None for what is none, or so long that it may be somebody's words."""
    if isinstance(value, str) and 0 < len(value) <= _NAME_CHARS_MAX:
        return value.encode(errors="replace").decode()
    return None


def count_or_none(value: object) -> int | None:
    """A whole number that the warehouse can hold, else None."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63:
        return value
    return None


def trigger_or_none(value: object) -> Trigger | None:
    """`auto` or `manual`, else None."""
    return value if value in ("auto", "manual") else None


def dictionary(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def version_numbers(version: object) -> tuple[int, ...]:
    """`2.1.332-beta` as (2, 1, 332); empty where it is no version."""
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", version) if isinstance(version, str) else None
    return tuple(int(number) for number in found.groups()) if found else ()

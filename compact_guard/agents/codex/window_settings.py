"""Which window Codex was told to use, and when. Facts: README.md, "Window"."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from compact_guard.agents.codex import settings
from compact_guard.transcripts import heads
from compact_guard.transcripts.facts import count_or_none, dictionary, utc_time
from compact_guard.window.setting import UNSET, Dated, Head, Setting, merged

AGENT = settings.AGENT
SUFFIX = ".toml"

LIMIT = "model_auto_compact_token_limit"
SIZE = "model_context_window"
SCOPE = "model_auto_compact_token_limit_scope"

_MARKS = (b'"turn_context"', b'"model_context_window"')


class _Info(msgspec.Struct):
    model_context_window: int | None = None


class _Payload(msgspec.Struct):
    cwd: str | None = None
    timestamp: str | None = None
    model: str | None = None
    model_context_window: int | None = None
    info: _Info | None = None


class _Record(msgspec.Struct):
    payload: _Payload | None = None


_record = msgspec.json.Decoder(_Record).decode


def home(environment: Mapping[str, str]) -> Path:
    """Where the user's settings and rollouts lie."""
    return settings.home(environment)


def files(project: Path | None, environment: Mapping[str, str]) -> list[Path]:
    """The settings file of the user, or of a project."""
    return [settings.settings_path(project, environment).with_name("config.toml")]


def settings_in(*contents: bytes) -> dict[str | None, Setting]:
    """Every model's under None; empty where no content is a settings file."""
    readable = [told for content in contents if (told := _object_in(content)) is not None]
    if not readable:
        return {}
    told = merged(readable)
    chosen = dictionary(dictionary(told.get("profiles")).get(str(told.get("profile"))))
    return {None: _setting(told | chosen)}


def commands(environment: Mapping[str, str]) -> Iterator[Dated]:
    """None: no typed command of Codex chooses a window."""
    yield from ()


def beneath(chosen: Setting, above: Sequence[bytes]) -> Setting:
    """As chosen: nothing is."""
    return chosen


def _object_in(content: bytes) -> dict[str, Any] | None:
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def head(beginning: bytes) -> Head | None:
    """Where a session worked, with which model and size of window. None: no rollout."""
    rest = heads.whole_lines(beginning)
    first = next(rest, b"")
    session = _payload(first) if b'"session_meta"' in first else None
    if session is None:
        return None
    model = size = None
    for line in rest:
        if any(mark in line for mark in _MARKS) and (payload := _payload(line)):
            model, size = model or payload.model, size or _size(payload)
            if model and size:
                break
    recorded = Setting(None, f"{SIZE} = {_configured(size)}, as recorded") if size else None
    project = Path(session.cwd) if session.cwd else None
    return Head(project, utc_time(session.timestamp), model, recorded)


def _configured(recorded: int) -> int:
    """0.46 recorded the model's window, 0.144 and later 95 % of it: both are one setting."""
    whole, rest = divmod(recorded * 100, 95)
    return whole if rest == 0 and whole % 1_000 == 0 else recorded


def _size(payload: "_Payload") -> int | None:
    """Where a turn starts, and with each count of tokens: 95 % of what is configured."""
    return payload.model_context_window or (payload.info or _Info()).model_context_window


def _payload(line: bytes) -> "_Payload | None":
    try:
        return _record(line).payload
    except (msgspec.DecodeError, RecursionError):
        return None


def _setting(told: dict[str, Any]) -> Setting:
    """The limit is where compaction begins; without one, Codex has its own for the size."""
    words = [f"{name} = {told[name]}" for name in (SIZE, LIMIT, SCOPE) if name in told]
    if not words:
        return UNSET
    limit = count_or_none(told.get(LIMIT))
    is_of_all = told.get(SCOPE, "total") == "total"
    return Setting(limit if is_of_all else None, ", ".join(words))

"""Which window Claude Code was told to use, and when. Facts: README.md, "Window"."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from compact_guard.agents.claude_code import settings
from compact_guard.transcripts import heads
from compact_guard.transcripts.facts import dictionary
from compact_guard.window.setting import UNSET, Dated, Head, Setting, merged

AGENT = settings.AGENT
SUFFIX = ".json"

WINDOW = "autoCompactWindow"
ENABLED = "autoCompactEnabled"
WINDOW_VARIABLE = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
SHARE_VARIABLE = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
OFF_VARIABLES = ("DISABLE_AUTO_COMPACT", "DISABLE_COMPACT")
MODELS = "modelSettings"
_COMMAND = "/autocompact"
_RESETS = ("auto", "reset", "unset")

HELD_BACK = 33_000  # for the summary, and as a margin
_FOR_SUMMARY = 20_000  # a share is one of what this leaves
_TOKENS_MIN, _TOKENS_MAX = 100_000, 1_000_000
_BARE_THOUSANDS_MAX = 1_000  # `/autocompact 200` means 200k

Json = dict[str, Any]


class _Place(msgspec.Struct):
    cwd: str


_place = msgspec.json.Decoder(_Place).decode


def home(environment: Mapping[str, str]) -> Path:
    """Where the user's settings, typed commands and transcripts lie."""
    return settings.settings_path(None, environment).parent


def files(project: Path | None, environment: Mapping[str, str]) -> list[Path]:
    """The settings files of the user, then what is managed for every user; or of a project."""
    file = settings.settings_path(project, environment)
    if project is None:
        return [file, *settings.managed_files()]
    return [file.with_name("settings.local.json"), file]


def settings_in(*contents: bytes) -> dict[str | None, Setting]:
    """By model, None: every other one's; empty where no content is a settings file."""
    readable = [content for content in contents if _is_settings(content)]
    if not readable:
        return {}
    told = merged(map(object_in, readable))
    off = _switched_off(told)
    if off:
        return {None: off}
    environment = dictionary(told.get("env"))
    share = environment.get(SHARE_VARIABLE)
    size = environment.get(WINDOW_VARIABLE)
    if setting_of("", size) != UNSET:
        return {None: _shared(setting_of(f"env.{WINDOW_VARIABLE}", size), share)}
    found: dict[str | None, Setting] = {None: _shared(setting_of(WINDOW, told.get(WINDOW)), share)}
    for model, own in sorted(dictionary(told.get(MODELS)).items()):
        setting = setting_of(f"{MODELS}.{model}.{WINDOW}", dictionary(own).get(WINDOW))
        if setting != UNSET:
            found[model] = _shared(setting, share)
    return found


def _is_settings(content: bytes) -> bool:
    return bool(object_in(content)) or content.removeprefix(b"\xef\xbb\xbf").split() == [b"{}"]


def beneath(chosen: Setting, above: Sequence[bytes]) -> Setting:
    """A typed window is written for one model into the user's own file; what does not change it
    leaves it as typed."""
    tokens = None if chosen.begins_at is None else chosen.begins_at + HELD_BACK
    written = json.dumps({MODELS: {_COMMAND: {WINDOW: tokens}}}).encode()
    found = settings_in(written, *above)
    counts = found.get(_COMMAND, found.get(None, UNSET))
    return chosen if counts.begins_at == chosen.begins_at else counts


def commands(environment: Mapping[str, str]) -> Iterator[Dated]:
    """Each window that was chosen with a typed command."""
    try:
        with (home(environment) / "history.jsonl").open("rb") as file:
            for line in file:
                if _COMMAND.encode() in line:
                    yield from _command(line)
    except OSError:
        return


def head(beginning: bytes) -> Head | None:
    """Where a session worked; the window itself is in no transcript. None: it is not ours."""
    if b'"sessionId"' not in beginning:
        return None
    for line in heads.whole_lines(beginning):
        if b'"cwd"' in line and b'"sessionId"' in line:
            with suppress(msgspec.DecodeError, RecursionError):
                return Head(Path(_place(line).cwd), None, None, None)
    return None


def _command(line: bytes) -> Iterator[Dated]:
    entry = object_in(line)
    typed, at = entry.get("display"), entry.get("timestamp")
    words = typed.split() if isinstance(typed, str) else []
    if len(words) != 2 or words[0] != _COMMAND or not isinstance(at, int):
        return
    setting = _typed(words[1].lower())
    if setting is not None:
        with suppress(ValueError, OverflowError, OSError):  # a number that is no time
            moment = datetime.fromtimestamp(at / 1_000, UTC).replace(tzinfo=None)
            yield Dated(moment, setting, None, f"typed: {_COMMAND} {words[1]}", True)


def _typed(size: str) -> Setting | None:
    """`200k`, `200000` and `200` are the same; None for what the command refuses."""
    if size in _RESETS:
        return Setting(None, f"{_COMMAND} {size}")
    number = re.fullmatch(r"(\d+(?:\.\d+)?)(k|m)?", size.replace("_", "").replace(",", ""))
    if number is None:
        return None
    tokens = float(number[1]) * {"k": 1_000, "m": 1_000_000, None: 1}[number[2]]
    tokens *= 1_000 if number[2] is None and tokens <= _BARE_THOUSANDS_MAX else 1
    if not _TOKENS_MIN <= tokens <= _TOKENS_MAX:
        return None
    return Setting(int(tokens) - HELD_BACK, f"{_COMMAND} {size}")


def _switched_off(told: Json) -> Setting | None:
    if told.get(ENABLED) is False:
        return Setting(None, f"{ENABLED} = false")
    environment = dictionary(told.get("env"))
    for name in OFF_VARIABLES:
        if str(environment.get(name, "")).lower() in ("1", "true", "yes", "on"):
            return Setting(None, f"env.{name} = {environment[name]}")
    return None


def _shared(setting: Setting, share: object) -> Setting:
    """With a share of the window, which begins compaction earlier; alone it does nothing."""
    if share is None:
        return setting
    words = ", ".join(filter(None, [setting.words, f"env.{SHARE_VARIABLE} = {share}"]))
    percent = _percent(share)
    if setting.begins_at is None or percent is None:
        return Setting(None, words)
    earlier = int((setting.begins_at + HELD_BACK - _FOR_SUMMARY) * percent / 100)
    return Setting(min(setting.begins_at, earlier), words)


def _percent(share: object) -> float | None:
    """None for what is no share: what Claude Code makes of it was not tried."""
    try:
        percent = float(str(share))
    except ValueError:
        return None
    return percent if 0 < percent <= 100 else None


def setting_of(name: str, value: object) -> Setting:
    """A size as the settings write it; below the least one, the least one holds."""
    if value is None or isinstance(value, bool) or not isinstance(value, int | float | str):
        return UNSET
    try:
        tokens = int(float(value))
    except (ValueError, OverflowError):
        return Setting(None, f"{name} = {value}")
    tokens = min(max(tokens, _TOKENS_MIN), _TOKENS_MAX)
    return Setting(tokens - HELD_BACK, f"{name} = {value}")


def object_in(text: bytes) -> Json:
    """The object of a settings file or of a line; empty where there is none."""
    try:
        return dictionary(json.loads(text.decode("utf-8-sig")))
    except (ValueError, RecursionError):
        return {}

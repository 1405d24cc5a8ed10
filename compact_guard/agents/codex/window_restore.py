"""Give Codex's config.toml back the window that it had before a change.

The file is edited as text, so every other byte stays. `tomllib` decides what the text says, before
and after: it may differ by the window alone.
"""

import json
import re
import tomllib
from typing import Any

from compact_guard.agents.codex import window_settings as reading
from compact_guard.errors import UsageError
from compact_guard.window.setting import SettingChange

AGENT = reading.AGENT

_KEYS = (reading.SIZE, reading.LIMIT, reading.SCOPE)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MEND = "Set the window there by hand."


def restored(now: bytes, change: SettingChange) -> bytes:
    """`now` with the window as it was before the change, every other byte kept.

    The same bytes where there is nothing to restore. Raises UsageError.
    """
    if change.then is None:
        raise UsageError(f"no copy of the earlier settings is there. {_MEND}")
    wanted, present = _parsed(change.then), _parsed(now)
    mark = _BYTE_ORDER_MARK if now.startswith(_BYTE_ORDER_MARK) else b""
    text = now.decode("utf-8-sig")
    for key in _KEYS:
        if wanted.get(key) != present.get(key):
            text = _without(text, key) if key not in wanted else _with(text, key, wanted[key])
    _demand_the_window_alone_changed(present, wanted, _parsed(text.encode()))
    return mark + text.encode()


def _demand_the_window_alone_changed(
    before: dict[str, Any], wanted: dict[str, Any], after: dict[str, Any]
) -> None:
    kept = {key: value for key, value in before.items() if key not in _KEYS}
    if after != kept | {key: wanted[key] for key in _KEYS if key in wanted}:
        raise UsageError(f"the window does not stand there as one plain line. {_MEND}")


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not valid TOML: {error}") from None


def _line(key: str) -> re.Pattern[str]:
    return re.compile(rf"^([ \t]*{key}[ \t]*=[ \t]*)([^\s#]+)([^\n]*\n?)", re.MULTILINE)


def _without(text: str, key: str) -> str:
    return _line(key).sub("", text, count=1)


def _with(text: str, key: str, value: object) -> str:
    written = json.dumps(value)
    if _line(key).search(text):
        return _line(key).sub(rf"\g<1>{written}\g<3>", text, count=1)
    # Above the first table: below it, the key would be the table's.
    newline = "\r\n" if "\r\n" in text else "\n"
    return f"{key} = {written}{newline}{text}"

"""The text of config.toml with and without approvals: `[hooks.state."KEY"] trusted_hash = "…"`.

Approvals are appended as text, so every other byte stays. `tomllib` decides what the text says,
before and after: it may differ by the approvals alone.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any


class NotEditable(ValueError):
    """The text cannot be edited safely; the message says why."""


def read(text: str) -> dict[str, dict[str, Any]]:
    """Every record of `[hooks.state]` by its key. Raises NotEditable for what is not TOML."""
    return _state(_parsed(text))


def hash_in(record: object) -> str | None:
    """The hash that a record approves."""
    value = record.get("trusted_hash") if isinstance(record, dict) else None
    return value if isinstance(value, str) else None


def approve(text: str, wanted: Mapping[str, str], earlier: str) -> tuple[str, str]:
    """The text in which exactly these hashes are approved, and what was appended for it.

    `earlier` is what an earlier call appended: it gives way. A record that Codex itself wrote
    for a key is kept, with the new hash. Raises NotEditable.
    """
    after = _without(text, earlier)
    records = read(after)
    for key, value in wanted.items():
        if hash_in(records.get(key)) not in (None, value):
            after = _rehashed(after, key, value)
    appended = _appendix(
        after, {key: wanted[key] for key in wanted if hash_in(records.get(key)) is None}
    )
    _demand_same_but_for(text, after + appended, [*wanted, *read(earlier)])
    return after + appended, appended


def withdraw(text: str, earlier: str) -> str:
    """The text without what `approve` appended; unchanged where that was edited since.

    Raises NotEditable.
    """
    after = _without(text, earlier)
    _demand_same_but_for(text, after, read(earlier))
    return after


def _without(text: str, earlier: str) -> str:
    return text.replace(earlier, "", 1) if earlier and text.count(earlier) == 1 else text


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotEditable(f"not valid TOML: {error}") from None


def _state(content: dict[str, Any]) -> dict[str, dict[str, Any]]:
    hooks = content.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    return state if isinstance(state, dict) else {}


def _appendix(text: str, wanted: Mapping[str, str]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    blocks = [f"{_header(key)}\ntrusted_hash = {json.dumps(wanted[key])}\n" for key in wanted]
    appended = "\n".join(blocks)
    if text and blocks:  # a blank line between, and an end for a last line without one
        appended = ("\n" if text.endswith("\n") else "\n\n") + appended
    return appended.replace("\n", newline)


def _header(key: str) -> str:
    return f"[hooks.state.{json.dumps(key, ensure_ascii=False)}]"


def _rehashed(text: str, key: str, value: str) -> str:
    header = rf"^{re.escape(_header(key))}[ \t]*\r?\n"
    entry = r'(?:(?!\[).*\n)*?trusted_hash[ \t]*=[ \t]*"[^"\n]*"'
    found = re.search(header + entry, text, re.M)
    if found is None:
        raise NotEditable(f"the old approval of {key} is not written as Codex writes it")
    kept = found[0].rstrip('"').rpartition('"')[0]
    return text[: found.start()] + kept + json.dumps(value) + text[found.end() :]


def _demand_same_but_for(before: str, after: str, keys: Iterable[str]) -> None:
    contents = [_parsed(before), _parsed(after)]
    for content in contents:
        for key in keys:
            _state(content).pop(key, None)
        _drop_empty_state(content)
    if contents[0] != contents[1]:
        raise NotEditable("an edit would change more than the approvals")


def _drop_empty_state(content: dict[str, Any]) -> None:
    hooks = content.get("hooks")
    if isinstance(hooks, dict) and hooks.get("state") == {}:
        del hooks["state"]
    if hooks == {}:
        del content["hooks"]

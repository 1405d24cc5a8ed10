"""A TOML file that a person wrote: what it says, and the line of every mistake in it."""

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from compact_guard.errors import UsageError

Key = str | int

# How msgspec says where a value stands: "… - at `$.price[0].input`".
_PLACE = re.compile(r" - at `\$(.*?)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


class TomlFile(NamedTuple):
    """One file, read and parsed; `name` is as the person gave it."""

    name: str
    text: str
    content: dict[str, Any]

    def mistake(self, complaint: str, *keys: Key) -> UsageError:
        """What is wrong with the value at `keys`, with file and line."""
        line = self.line_of(*keys)
        place = self.name if line is None else f"{self.name}, line {line}"
        return UsageError(f"{place}: {complaint}")

    def line_of(self, *keys: Key) -> int | None:
        """The line, from 1, on which the innermost of `keys` that is there begins; else None."""
        while keys and not _holds(self.content, keys):
            keys = keys[:-1]
        return _first_line_with(self.text, keys) if keys else None


def read(path: Path, what: str) -> TomlFile:
    """The file at `path`, which is the user's `what`; raises UsageError, naming file and line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the {what} {path}: {error}") from error
    return parse(text, str(path))


def parse(text: str, name: str) -> TomlFile:
    """What `text` says; raises UsageError, naming the line, where it is no TOML."""
    try:
        return TomlFile(name, text, tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{name} is not TOML: {error}") from error


def keys_of(complaint: str) -> tuple[Key, ...]:
    """The keys of the value that a complaint of msgspec's is about."""
    found = _PLACE.search(complaint)
    steps = _STEP.findall(found[1]) if found else []
    return tuple(name or int(number) for name, number in steps)


def _first_line_with(text: str, keys: tuple[Key, ...]) -> int | None:
    """TOML has no positions to ask for, but what a file says so far is TOML as well: the value
    begins behind the last part that is whole and does not hold it yet."""
    lines = text.split("\n")
    begins = 1
    for count in range(1, len(lines) + 1):
        try:
            so_far = tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue  # in the midst of a value
        if _holds(so_far, keys):
            return begins
        begins = count + 1
    return None


def _holds(content: Any, keys: tuple[Key, ...]) -> bool:
    for key in keys:
        try:
            content = content[key]
        except (KeyError, IndexError, TypeError):
            return False
    return True

"""The user's own prices: a TOML file that replaces what the library says of a model.

[[price]]                    # US dollars per million tokens
model = "claude-opus-5-5"    # as the transcript names it
input = 4.0
output = 20.0
cache_read = 0.2
cache_write_5m = 5.0
cache_write_1h = 8.0
start = 2026-08-01           # optional: before it, the entry with an earlier start, or none
context_above = 200_000      # optional: only prompts with more tokens than that
speed = "fast"               # optional: "standard" unless said
"""

import tomllib
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec

from compact_guard.errors import UsageError

Usd = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]


class Rates(NamedTuple):
    """US dollars per million tokens of each kind."""

    input: float
    output: float
    cache_read: float
    cache_write_5m: float
    cache_write_1h: float


class Entry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One `[[price]]` of the file."""

    model: Annotated[str, msgspec.Meta(min_length=1)]
    input: Usd
    output: Usd
    cache_read: Usd
    cache_write_5m: Usd
    cache_write_1h: Usd
    start: date | None = None
    context_above: Annotated[int, msgspec.Meta(ge=0)] = 0
    speed: Literal["standard", "fast"] = "standard"

    def rates(self) -> Rates:
        """Its five rates."""
        return Rates(
            self.input, self.output, self.cache_read, self.cache_write_5m, self.cache_write_1h
        )


class _File(msgspec.Struct, forbid_unknown_fields=True):
    price: list[Entry]


def read(path: Path) -> list[Entry]:
    """Every entry; raises UsageError, naming the file and what is wrong with it."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        entries = msgspec.convert(told, _File).price
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read ({error})") from error
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise UsageError(f"{path}: {error}; each price is a [[price]] table") from error
    _demand_unambiguous(path, entries)
    return entries


def _demand_unambiguous(path: Path, entries: list[Entry]) -> None:
    seen = set()
    for entry in entries:
        key = (entry.model, entry.speed, entry.start, entry.context_above)
        if key in seen:
            raise UsageError(f"{path}: two prices for {entry.model} with the same start and size")
        seen.add(key)
    for model, speed, start in {key[:3] for key in seen}:
        if (model, speed, start, 0) not in seen:
            raise UsageError(f"{path}: {model} needs a price without context_above too")

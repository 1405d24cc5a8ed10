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

from datetime import date
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec

from compact_guard import toml_file
from compact_guard.toml_file import TomlFile

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
    """Every entry; raises UsageError, naming the file, the line and what is wrong with it."""
    told = toml_file.read(path, "prices")
    try:
        entries = msgspec.convert(told.content, _File).price
    except msgspec.ValidationError as error:
        complaint = f"{error}; each price is a [[price]] table"
        raise told.mistake(complaint, *toml_file.keys_of(str(error))) from error
    _demand_unambiguous(told, entries)
    return entries


def _demand_unambiguous(told: TomlFile, entries: list[Entry]) -> None:
    seen: dict[tuple[object, ...], int] = {}
    for number, entry in enumerate(entries):
        key = (entry.model, entry.speed, entry.start, entry.context_above)
        if key in seen:
            complaint = f"two prices for {entry.model} with the same start and size"
            raise told.mistake(complaint, "price", number)
        seen[key] = number
    for (model, speed, start, _), number in seen.items():
        if (model, speed, start, 0) not in seen:
            complaint = f"{model} needs a price without context_above too"
            raise told.mistake(complaint, "price", number)

"""What a token costs: the genai-prices library, overridable by a file of the user's.

A model without a price stays without one: nothing is guessed, and nothing is priced at zero.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard.window import price_file
from compact_guard.window.price_file import Rates

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice

ALWAYS = datetime(1, 1, 1)
FOREVER = datetime(9999, 12, 31)
_NO_LIMIT = (1 << 63) - 1

# Tried in this order; None lets the library guess by the name. A cloud sells others' models.
_PROVIDERS = ("anthropic", "openai", None, "aws")


class Price(NamedTuple):
    """US dollars per million tokens: a row of raw_window_prices.

    Holds from `valid_from` until `valid_until` (naive UTC), for prompts of more than
    `context_above` and at most `context_up_to` tokens; the whole prompt is priced by its size.
    """

    model: str
    speed: str
    valid_from: datetime
    valid_until: datetime
    context_above: int
    context_up_to: int
    input_usd: float
    output_usd: float
    cache_read_usd: float
    cache_write_5m_usd: float
    cache_write_1h_usd: float
    source: str


def find(wanted: Iterable[tuple[str, str]], own: Path | None = None) -> list[Price]:
    """The prices of each (model, speed); none for one that nobody knows.

    `own` is the user's file; what it says of a model and speed replaces the library's prices.
    Raises UsageError where it cannot be used.
    """
    told = price_file.read(own) if own else []
    prices: list[Price] = []
    for model, speed in sorted(set(wanted)):
        entries = [entry for entry in told if (entry.model, entry.speed) == (model, speed)]
        rates = [(e.start, e.context_above, e.rates()) for e in entries]
        source = "file" if rates else "genai-prices"
        prices += _spread(model, speed, rates or list(_of_library(model, speed)), source)
    return prices


def _spread(
    model: str, speed: str, rates: list[tuple[date | None, int, Rates]], source: str
) -> Iterator[Price]:
    """Each price until the next one begins, each size up to the next larger one."""
    starts = sorted({_moment(start) for start, _, _ in rates})
    for start, end in pairwise([*starts, FOREVER]):
        by_size = {size: rate for begin, size, rate in rates if _moment(begin) == start}
        sizes = sorted(by_size)
        for size, largest in pairwise([*sizes, _NO_LIMIT]):
            # Not even the smallest prompt, an empty one, is without a price.
            above = size if size != sizes[0] else -1
            yield Price(model, speed, start, end, above, largest, *by_size[size], source)


def _moment(day: date | None) -> datetime:
    return datetime.combine(day, time()) if day else ALWAYS


def _of_library(model: str, speed: str) -> Iterator[tuple[date | None, int, Rates]]:
    info = _model_info(model)
    if info is None or not _knows_speed(info, speed):
        return
    for start in _start_dates(info):
        price = info.get_prices(_noon(start), {"speed": speed} if speed != "standard" else None)
        for size in _sizes(price):
            rates = _rates(price, size)
            if rates is not None:
                yield start, size, rates


def _model_info(model: str) -> "ModelInfo | None":
    from genai_prices import data_snapshot

    snapshot = data_snapshot.get_snapshot()
    # `[1m]` chooses a window, not a model; `@default` is Vertex' word for its newest version.
    plain = model.removesuffix("[1m]").removesuffix("@default")
    for name in dict.fromkeys((model, plain, plain.rpartition("/")[2])):
        for provider in _PROVIDERS:
            try:
                return snapshot.find_provider_model(name, None, provider, None)[1]
            except LookupError:
                continue
    return None


def _knows_speed(info: "ModelInfo", speed: str) -> bool:
    variants = info.price_variants or ()
    return speed == "standard" or any(variant.when == {"speed": speed} for variant in variants)


def _start_dates(info: "ModelInfo") -> list[date | None]:
    """When a price begins; prices that change within a day are taken as they are at noon."""
    conditions: list[Any] = info.prices if isinstance(info.prices, list) else []
    dates = {getattr(condition.constraint, "start_date", None) for condition in conditions}
    return [None, *sorted(day for day in dates if day is not None)]


def _noon(day: date | None) -> datetime:
    return datetime.combine(day or date(2000, 1, 1), time(12), UTC)


def _sizes(price: "ModelPrice") -> list[int]:
    """Above how many prompt tokens another rate begins."""
    tiers = [getattr(value, "tiers", ()) for value in vars(price).values()]
    return sorted({0, *(tier.start for found in tiers for tier in found)})


def _rates(price: "ModelPrice", size: int) -> Rates | None:
    """The rates of a prompt above `size` tokens; None unless input and output have one."""

    def rate(*names: str) -> float | None:
        values = (_rate(getattr(price, name, None), size) for name in names)
        return next((value for value in values if value is not None), None)

    read, written = rate("input_mtok"), rate("output_mtok")
    if read is None or written is None:
        return None
    # What has no rate of its own is billed as the kind that it is a part of.
    stored = ("cache_write_mtok", "input_mtok")
    return Rates(
        read,
        written,
        rate("cache_read_mtok", "input_mtok") or 0.0,
        rate("cache_write_5m_mtok", *stored) or 0.0,
        rate("cache_write_1h_mtok", *stored) or 0.0,
    )


def _rate(value: Any, size: int) -> float | None:
    if value is None:
        return None
    tiers = [tier.price for tier in getattr(value, "tiers", ()) if tier.start <= size]
    return float(tiers[-1] if tiers else getattr(value, "base", value))

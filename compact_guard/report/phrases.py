"""Times, counts and shares as a person reads them, and text that is safe in a table's cell."""

import math
from datetime import datetime


def moment(time: datetime | None) -> str:
    """A naive UTC time to the minute; None is "never"."""
    return "never" if time is None else f"{time:%Y-%m-%d %H:%M} UTC"


def second(time: datetime | None) -> str:
    """A naive UTC time to the second, for what follows closely; None is "unknown"."""
    return "unknown" if time is None else f"{time:%Y-%m-%d %H:%M:%S}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """`1 row`, `2 rows`, `1 copy`, `2 copies` (with the plural given)."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def of_hundred(share: float) -> str:
    """A bound as whole cases of a hundred, rounded up: a bound must not promise too much."""
    cases = math.ceil(share * 100 - 1e-9)
    return "all of them" if cases >= 100 else f"{cases} in 100"


def cell(text: object) -> str:
    """Text that stays within its cell of a markdown table."""
    return " ".join(str(text).split()).replace("\\", "\\\\").replace("|", "\\|")

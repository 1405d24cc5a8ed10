"""Stretches of time as people write them: 36h, 90d, 12w."""

from datetime import timedelta

from compact_guard.errors import UsageError

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse(text: str) -> timedelta:
    """A number of hours, days or weeks; raises UsageError for anything else."""
    number, unit = text[:-1], _UNITS.get(text[-1:])
    if unit is None or not (number.isascii() and number.isdigit() and len(number) <= 5):
        raise UsageError(f"{text!r} is no duration; write it like 90d (h, d or w)")
    return int(number) * unit

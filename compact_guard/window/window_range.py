"""Windows as people write them: `50k..1M`, or `100k,200k`."""

import argparse
import math
import re

EVERYTHING = "50k..1M"

_SIZE = re.compile(r"(\d+(?:\.\d+)?)([kKmM]?)")
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}
_STEPS_PER_DOUBLING = 8  # neighbouring windows differ by 9 %


def windows(text: str) -> tuple[int, ...]:
    """`50k..1M` as windows in even steps between, `100k,200k` as these two; for argparse."""
    if ".." in text:
        low, high = (_size(part) for part in text.split("..", 1))
        if low >= high:
            raise argparse.ArgumentTypeError(f"{text!r} goes nowhere: give LOW..HIGH")
        steps = math.ceil(_STEPS_PER_DOUBLING * math.log2(high / low))
        sizes = [low * (high / low) ** (step / steps) for step in range(steps + 1)]
        return tuple(sorted({low, high, *(round(size, -3) for size in map(int, sizes))}))
    return tuple(sorted({_size(part) for part in text.split(",")}))


def _size(text: str) -> int:
    match = _SIZE.fullmatch(text.strip())
    tokens = round(float(match[1]) * _FACTORS[match[2].lower()]) if match else 0
    if not 1_000 <= tokens <= 100_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no window: like 50k..1M or 100k,200k")
    return tokens

"""Text for a terminal: colours where they are wanted, widths as they are seen, nothing harmful."""

import textwrap
import unicodedata

_HELD = "\0"  # a place that the letter before it fills
_CODES = {"name": "1;36", "strong": "1", "faint": "2", "lost": "1;33"}


class Paint:
    """Colours a text, or leaves it as it is."""

    def __init__(self, *, is_wanted: bool) -> None:
        self.is_wanted = is_wanted

    def __call__(self, text: str, style: str) -> str:
        if not self.is_wanted or not style or not text:
            return text
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m"


def harmless(text: str) -> str:
    """In one line, without control characters: file names and quotations may hold any."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def shortened(text: str, cells: int) -> str:
    """At most so many cells wide; a cut is marked."""
    if _cells(text) <= cells:
        return text
    while text and _cells(text) > cells - 1:
        text = text[:-1]
    return f"{text.rstrip()}…"


def wrapped(text: str, columns: int, hanging: str = "  ") -> list[str]:
    """Lines of at most so many columns; `hanging` is before all but the first."""
    # A letter that takes two columns is followed by one that takes none: textwrap counts letters.
    spread = "".join(letter + _HELD * (_cells(letter) - 1) for letter in text)
    lines = textwrap.wrap(spread, columns, subsequent_indent=hanging, break_on_hyphens=False)
    return [line.replace(_HELD, "") for line in lines]


def _cells(text: str) -> int:
    """East Asian letters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )

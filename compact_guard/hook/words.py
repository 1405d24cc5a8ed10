"""Words of a text, whatever its language: stems to compare by, values that a correction changes.

A stem is the beginning of a word, long enough to tell words apart and short enough to join their
inflections. Chinese, Japanese and Korean have no spaces: there a stem is a pair of characters.
"""

import re
from functools import lru_cache  # `re` has imported it anyway

# One pass, no backtracking: a word with joints such as a path's.
_TOKEN = r"[^\W_]+(?:[-_./:@'’]+[^\W_]+)*"
_ASCII_JOINTS = "-_./:@'"
# The same for ASCII, in half the time: blanks in the place of what is in no word.
_ASCII_WORDS = bytes(
    code if chr(code).isalnum() or chr(code) in _ASCII_JOINTS else 32 for code in range(128)
).ljust(256)
_EAST_ASIAN = "\u2e80-\u2fdf\u3040-\u9fff\uac00-\ud7a3"  # without punctuation
_FIRST_EAST_ASIAN = _EAST_ASIAN[0]
# Within a token, a run of East Asian characters is one of its own. Compiled (3 ms) where needed.
_MIXED = rf"[{_EAST_ASIAN}]+|[^\W_{_EAST_ASIAN}]+(?:[-_./:@'’]+[^\W_{_EAST_ASIAN}]+)*"
_VALUE = re.compile(r"[\d_./:@-]")
_ASCII_STEM = 6
_OTHER_STEM = 5
_ENDINGS = "аеёиоуыэюяйь"
_CAPITALS_MIN = 3
_TEXTS_KNOWN_MAX = 4_096  # statements of a conversation
VALUE = "#"  # stands for any value: statements that differ in it alone are of one habit


def tokens(text: str) -> list[str]:
    """Words in their own spelling, runs of East Asian characters whole."""
    if text.isascii():
        runs = text.encode().translate(_ASCII_WORDS).decode().split()
        return [token for run in runs if (token := run.strip(_ASCII_JOINTS))]
    found: list[str] = re.findall(_TOKEN, text)
    if max(text) < _FIRST_EAST_ASIAN:
        return found
    return [part for token in found for part in re.findall(_MIXED, token)]


def is_east_asian(token: str) -> bool:
    """True for a run of characters that need no spaces between words."""
    return "\u2e80" <= token[0] <= "\u9fff" or "\uac00" <= token[0] <= "\ud7a3"


def is_value(token: str) -> bool:
    """True for what names one thing exactly: numbers, paths, identifiers, DEBUG, camelCase."""
    if token.isalpha():
        is_word = len(token) < _CAPITALS_MIN or not token.isascii() or token[1:].islower()
        return not is_word
    return _VALUE.search(token) is not None


def stem(word: str) -> str:
    """The stem of one lower-case word that is no value, without the endings of short words."""
    return word[:_ASCII_STEM].rstrip("s") if word.isascii() else word[:_OTHER_STEM].rstrip(_ENDINGS)


def pairs(run: str) -> list[str]:
    """Overlapping pairs of characters; a single character is its own pair."""
    return [run[index : index + 2] for index in range(max(1, len(run) - 1))]


class Word:
    """What stands for a token: its lower-case spelling, its stems or its value."""

    __slots__ = ("is_name", "is_value", "lower", "shape", "stems")

    def __init__(self, token: str) -> None:
        self.lower = token.lower()
        self.is_name = token.istitle()
        self.is_value = not is_east_asian(token) and is_value(token)
        if is_east_asian(token):
            self.stems = pairs(token)
        else:
            self.stems = [self.lower if self.is_value else stem(self.lower)]
        self.shape = [VALUE] if self.is_value else self.stems


_KNOWN: dict[str, Word] = {}  # a hook's process lives for one conversation


@lru_cache(maxsize=_TEXTS_KNOWN_MAX)  # what is ranked is compared as well
def words_of(text: str) -> list[Word]:
    """Each token of a text, worked out once per process; not to be changed."""
    return [_KNOWN.get(token) or _remembered(token) for token in tokens(text)]


def _remembered(token: str) -> Word:
    word = _KNOWN[token] = Word(token)
    return word

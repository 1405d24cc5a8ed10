"""What is left of secrets: whole, in pieces, wrapped, or URL-encoded."""

import functools
import re
import urllib.parse
from collections.abc import Callable

from tests.redaction.corpus import Record

PIECE_CHARS = 12
_WRAPS = re.compile(r"(?:\\n|\\\n|\n> |[\s\"'`])+")


class Score:
    """Counts of one run, and the texts that went wrong by their ids."""

    def __init__(self, records: list[Record], redact: Callable[[str], str]) -> None:
        self.leaks: list[str] = []
        self.false_alarms: list[str] = []
        self.unstable: list[str] = []
        self.count_secrets = sum(len(record.secrets) for record in records)
        self.count_benign = sum(not record.secrets for record in records)
        for record in records:
            clean = redact(record.text)
            self._judge(record, clean)
            if redact(clean) != clean:
                self.unstable.append(record.id)

    def _judge(self, record: Record, clean: str) -> None:
        self.leaks += [record.id for secret in record.secrets if is_left(secret, clean)]
        if not record.secrets and clean != record.text:
            self.false_alarms.append(record.id)

    @property
    def recall(self) -> float:
        """The share of secrets of which nothing is left."""
        return 1 - len(self.leaks) / self.count_secrets

    @property
    def false_alarm_rate(self) -> float:
        """The share of benign texts that changed by one letter or more."""
        return len(self.false_alarms) / self.count_benign


def is_left(secret: str, clean: str) -> bool:
    """True if the secret, or twelve letters of it in a row, can still be read."""
    length = min(PIECE_CHARS, len(secret))
    pieces = {secret[at : at + length] for at in range(len(secret) - length + 1)}
    return not pieces.isdisjoint(_readable(clean, length))


@functools.lru_cache(maxsize=16)  # one long text is asked for thousands of secrets
def _readable(clean: str, length: int) -> frozenset[str]:
    """Every stretch of some length in the text, in its unwrapped and its URL-decoded form."""
    views = (clean, _WRAPS.sub("", clean), urllib.parse.unquote(clean))
    return frozenset(
        view[at : at + length] for view in views for at in range(len(view) - length + 1)
    )

"""Which expectations held on which values: what held on the same values holds again.

Great Expectations takes some hundredths of a second for each expectation, and night after night
the words of a log are the same few. Only what held is remembered: what does not hold is asked
anew, for its offenders may be others.
"""

import hashlib
import json
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

# These look at each row alone: how often its values occur is nothing to them.
_OF_EACH_ROW = frozenset(
    {
        "expect_column_pair_values_to_be_in_set",
        "expect_column_values_to_be_between",
        "expect_column_values_to_be_in_set",
        "expect_column_values_to_not_be_null",
    }
)


class Memory:
    """What held in the last evaluation, and in this one so far."""

    def __init__(self, connection: "DuckDBPyConnection") -> None:
        self._connection = connection
        known = connection.execute("select held_hash from raw_expectations_held").fetchall()
        self._known = {held_hash for (held_hash,) in known}
        self._held: set[str] = set()

    def holds(self, key: str) -> bool:
        """Whether the expectation of this key is known to hold."""
        if key not in self._known:
            return False
        self._held.add(key)
        return True

    def remember(self, key: str) -> None:
        """It held."""
        self._known.add(key)
        self._held.add(key)

    def write(self) -> None:
        """Keep what held in this evaluation, in place of what held before."""
        self._connection.execute("delete from raw_expectations_held")
        self._connection.execute(
            "insert into raw_expectations_held select unnest(?)", [sorted(self._held)]
        )


def key_of(expectation: dict[str, Any], frame: "pd.DataFrame", columns: list[str]) -> str:
    """Names an expectation together with everything of `frame` that it looks at."""
    rows = map(repr, zip(*(frame[column].tolist() for column in columns), strict=True))
    seen = set(rows) if expectation["type"] in _OF_EACH_ROW else rows
    values = sorted(seen) if columns else [str(len(frame))]
    told = json.dumps([_version(), expectation, values], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


@cache
def _version() -> str:
    return metadata.version("great_expectations")

"""Rows in a guard's own spelling: what DuckDB can cut into its fields, each to the last byte.

Parsing and validating each line takes longer than all the rest of a night. So DuckDB cuts many
lines at once where the spelling of one of them has its commas. Words are compared with those of
rows that were judged, what varies with what the contract allows: then no second reader could have
read the line differently. Whatever else a line is, right or wrong, is for `ingest`.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from compact_guard.evaluator import row_cutting, row_forms, spellings
from compact_guard.evaluator.spellings import Spelling

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

PASSES_MAX = 4  # per portion: a guard needs one, and each costs every line left a look
SAMPLE_LINES = 256  # of a pass: whatever form they do not show, the next one may


class Block(NamedTuple):
    """Lines of one file, the first behind its line `after_line`: their text, the last end left
    out."""

    file: str
    after_line: int
    text: str


def read(
    connection: "DuckDBPyConnection", blocks: Sequence[Block], types: dict[str, str]
) -> tuple[list[str], list[Block]]:
    """Read the plain rows among the lines of `blocks` into temporary tables.

    `types` are the columns of raw_audit_lines; the tables hold them all but line_hash,
    reject_reason and thread. Returns the tables' names, and the lines left, each a block.
    """
    waiting, foreign = _by_alphabet(blocks)
    tables: list[str] = []
    while waiting and len(tables) < PASSES_MAX:
        known = row_forms.learned(_sample(waiting))
        if known is None:
            break
        spelling, forms = known
        row_forms.put_down(connection, spelling, forms, types)
        tables.append(f"plain_lines_{len(tables) + 1}")
        waiting = _read_spelled(connection, waiting, spelling, tables[-1], types)
    return tables, [line for block in (*waiting, *foreign) for line in _lines(block)]


def _by_alphabet(blocks: Sequence[Block]) -> tuple[list[Block], list[Block]]:
    """Blocks of ASCII alone, and the lines of others."""
    plain = [block for block in blocks if block.text.isascii()]
    if len(plain) == len(blocks):
        return plain, []
    mixed = [line for block in blocks if not block.text.isascii() for line in _lines(block)]
    plain += [line for line in mixed if line.text.isascii()]
    return plain, [line for line in mixed if not line.text.isascii()]


def _lines(block: Block) -> Iterator[Block]:
    """Each line by itself; empty ones are none."""
    for place, text in enumerate(block.text.split("\n")):
        if text:
            yield Block(block.file, block.after_line + place, text)


def _sample(blocks: Sequence[Block]) -> Iterator[str]:
    """Lines from all over the blocks."""
    chosen = blocks[:: max(1, len(blocks) // SAMPLE_LINES)]
    share = max(1, SAMPLE_LINES // len(chosen))
    for _, _, text in chosen:
        for place in range(0, len(text), len(text) // share + 1):
            start = text.rfind("\n", 0, place) + 1
            stop = text.find("\n", start)
            yield text[start : stop if stop >= 0 else None]


def _read_spelled(
    connection: "DuckDBPyConnection",
    blocks: list[Block],
    spelling: Spelling,
    table: str,
    types: dict[str, str],
) -> list[Block]:
    """Read the rows in one spelling, of known forms, into a table; returns the lines left."""
    connection.register("waiting_blocks", _frame(blocks))
    number = spellings.number_of(connection, spelling)
    connection.execute(
        f"create or replace temp table {table} as {row_cutting.rows(spelling, number, types)}"
    )
    left = _left_out(connection, table)
    connection.execute("drop table row_forms")
    connection.unregister("waiting_blocks")
    return left


def _left_out(connection: "DuckDBPyConnection", table: str) -> list[Block]:
    """Take what is not plain out of a table; returns those lines."""
    is_misshapen = row_cutting.is_misshapen()
    threads = f"select distinct {', '.join(row_cutting.OF_THREAD)} from {table} where is_plain"
    [(count_misshapen,)] = connection.execute(
        # No `where`: DuckDB would ask it of all rows, before they are made distinct.
        f"select count(*) filter ({is_misshapen}) from ({threads})"
    ).fetchall()
    if count_misshapen:
        connection.execute(f"update {table} set is_plain = false where {is_misshapen}")
    places = connection.execute(
        f"delete from {table} where not is_plain returning file, line_number"
    ).fetchall()
    if not places:
        return []
    left = connection.execute(
        f"with {row_cutting.LINES} select file, line_number - 1, line from lines "
        "where (file, line_number) in (select unnest(?), unnest(?))",
        [list(column) for column in zip(*places, strict=True)],
    )
    return [Block(*line) for line in left.fetchall()]


def _frame(blocks: list[Block]) -> "pd.DataFrame":
    import pandas as pd

    files, numbers, texts = zip(*blocks, strict=True)
    return pd.DataFrame(
        {
            "file": pd.Series(files, dtype=object),
            "after_line": numbers,
            "text": pd.Series(texts, dtype=object),
        }
    )

"""What happened to the warehouse, for the reader of this evaluation's report."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def begin(connection: "DuckDBPyConnection") -> None:
    """A new evaluation: the last one's notes are over, but for a lasting one that nobody read."""
    connection.execute("delete from raw_notes where is_told or not is_lasting")


def add(connection: "DuckDBPyConnection", note: str, *, is_lasting: bool = False) -> None:
    """One sentence, once; a lasting one stays until an evaluation comes to its end."""
    if note not in _all(connection):
        connection.execute(
            "insert into raw_notes "
            "select coalesce(max(note_number), 0) + 1, ?, ?, false from raw_notes",
            [note, is_lasting],
        )


def read(connection: "DuckDBPyConnection") -> tuple[str, ...]:
    """The notes of this evaluation, in order; they are told by that."""
    connection.execute("update raw_notes set is_told = true")
    return _all(connection)


def _all(connection: "DuckDBPyConnection") -> tuple[str, ...]:
    found = connection.execute("select note from raw_notes order by note_number").fetchall()
    return tuple(note for (note,) in found)

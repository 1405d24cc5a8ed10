"""Which threads are to be judged anew: those about which something else is known than before.

A thread is one session with one transcript, named by rows or by a transcript alone. Whoever changes
a stored table touches its threads in the same transaction, so that no kill comes between the two.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def touch_all(connection: "DuckDBPyConnection") -> None:
    """Have every thread judged anew when the models are built next."""
    connection.execute(
        "insert into raw_threads_touched "
        "select thread from raw_threads except select thread from raw_threads_touched"
    )


def touch_transcripts(connection: "DuckDBPyConnection", files: list[str]) -> None:
    """Have the threads judged anew of which one of these transcripts speaks, or spoke till now.

    Called before what is known of a file goes, and after it came.
    """
    if not files:
        return
    connection.execute(
        """
        insert into raw_threads_touched
        select thread from raw_threads
        where transcript_hash in (
            select transcript_hash from raw_transcript_files where list_contains(?, file)
        )
        except
        select thread from raw_threads_touched
        """,
        [files],
    )


def number_transcripts(connection: "DuckDBPyConnection") -> None:
    """A transcript that no row names is a thread too, and one that nobody judged yet."""
    [(known,)] = connection.execute("select coalesce(max(thread), 0) from raw_threads").fetchall()
    connection.execute(
        """
        insert into raw_threads
        with found as (
            select distinct coalesce(session_hash, 'unknown') as session_hash, transcript_hash
            from raw_transcript_files
            where transcript_hash is not null and not is_subagent and not is_slice
        )
        select ? + row_number() over () as thread, session_hash, transcript_hash
        from (
            from found
            except
            select session_hash, transcript_hash from raw_threads
            semi join found using (session_hash, transcript_hash)
        )
        """,
        [known],
    )
    connection.execute(
        "insert into raw_threads_touched select thread from raw_threads where thread > ?", [known]
    )

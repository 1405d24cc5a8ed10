"""Transcripts are read again only where they changed; what agents delete is remembered."""

from pathlib import Path

import pytest

from compact_guard.evaluator import bookmarks, warehouse
from compact_guard.transcripts import witness
from tests.builders import Session, rows_of, write_log
from tests.evaluator.logs import memory
from tests.evaluator.nights import days, night, told
from tests.transcripts.stories import ClaudeStory

FACTS = """
select files.file, events.byte_offset, events.kind, files.complete_bytes
from raw_transcript_files as files
left join raw_transcript_events as events on files.file = events.file
where files.file not in (select file from raw_files_left_out where kind = 'transcript')
order by all
"""


@pytest.fixture
def connection():
    """An empty warehouse in memory."""
    with memory() as opened:
        yield opened


@pytest.fixture
def read(monkeypatch) -> list[str]:
    """The names of the files read since it was cleared."""
    names: list[str] = []
    reading = witness.read

    def noting(path: Path) -> witness.TranscriptFile:
        names.append(path.name)
        return reading(path)

    monkeypatch.setattr(witness, "read", noting)
    return names


@pytest.fixture
def later(monkeypatch) -> None:
    """Transcripts are looked at long after they were written, as by night."""
    now = bookmarks.time.time_ns
    monkeypatch.setattr(bookmarks.time, "time_ns", lambda: now() + 60_000_000_000)


def facts(connection) -> list[tuple]:
    return connection.execute(FACTS).fetchall()


def fresh(*paths: Path) -> list[tuple]:
    with memory() as connection:
        witness.load(connection, list(paths))
        return facts(connection)


def test_a_boundary_whose_summary_comes_with_the_next_reading_is_one(tmp_path, connection):
    story = ClaudeStory(tmp_path / "a.jsonl").typed().boundary()
    witness.load(connection, [tmp_path])
    once = [fact[2] for fact in facts(connection)]

    story.typed("This session is being continued from a previous one", isCompactSummary=True)
    witness.load(connection, [tmp_path])

    assert (once.count("boundary"), facts(connection)) == (1, fresh(tmp_path))
    assert [fact[2] for fact in facts(connection)] == ["user_prompt", "boundary"]


@pytest.mark.usefixtures("later")
def test_only_what_changed_is_read_again(tmp_path, connection, read):
    ClaudeStory(tmp_path / "a.jsonl").typed().boundary()
    grown = ClaudeStory(tmp_path / "b.jsonl").typed()
    witness.load(connection, [tmp_path])
    read.clear()
    grown.boundary()

    assert witness.load(connection, [tmp_path]) == 2
    assert read == ["b.jsonl"]
    assert facts(connection) == fresh(tmp_path)


@pytest.mark.usefixtures("later")
def test_what_an_older_release_read_otherwise_is_read_again(
    tmp_path, connection, read, monkeypatch
):
    ClaudeStory(tmp_path / "a.jsonl").typed().boundary()
    with monkeypatch.context() as older:
        older.setattr(witness, "READING", "1")
        witness.load(connection, [tmp_path])
    connection.execute("delete from raw_transcript_events where kind = 'boundary'")
    read.clear()

    witness.load(connection, [tmp_path])
    witness.load(connection, [tmp_path])

    assert read == ["a.jsonl"]
    assert facts(connection) == fresh(tmp_path)


def test_without_transcripts_none_of_yesterdays_witnesses_anything(tmp_path, connection):
    ClaudeStory(tmp_path / "a.jsonl").typed().boundary()
    witness.load(connection, [tmp_path])

    witness.load(connection, [])

    assert facts(connection) == []


def test_another_folders_transcripts_stay_out(tmp_path, connection):
    for name in ("mine", "theirs"):
        (tmp_path / name).mkdir()
        ClaudeStory(tmp_path / name / "a.jsonl").typed(name).boundary()
        witness.load(connection, [tmp_path / name])

    assert facts(connection) == fresh(tmp_path / "theirs")


def test_what_the_agent_deleted_is_remembered(tmp_path, connection):
    story = ClaudeStory(tmp_path / "a.jsonl").typed().boundary()
    witness.load(connection, [tmp_path])
    before = facts(connection)
    story.path.unlink()

    assert witness.load(connection, [tmp_path]) == 0
    assert facts(connection) == before


def test_a_transcript_that_was_moved_is_one_transcript(tmp_path, connection):
    story = ClaudeStory(tmp_path / "a.jsonl").typed().boundary()
    witness.load(connection, [tmp_path])
    story.path.rename(tmp_path / "b.jsonl")

    witness.load(connection, [tmp_path])

    assert facts(connection) == fresh(tmp_path)


def test_a_transcript_of_an_expired_session_shows_no_compaction_without_rows(tmp_path):
    file, folder = tmp_path / "w.duckdb", tmp_path / "transcripts"
    folder.mkdir()
    story = ClaudeStory(folder / "a.jsonl").typed().boundary()
    with memory() as connection:
        witness.load(connection, [folder])
        [(session, first_line)] = connection.execute(
            "select session_hash, transcript_hash from raw_transcript_files"
        ).fetchall()
    old = Session("old", fingerprint="a" * 12).wait(days=-200).delivered("aa")
    for row in old.rows:
        row |= {"session_hash": session, "transcript_hash": first_line}
    log = write_log(tmp_path / "audit", rows_of([old, Session("new").delivered("bb")]))
    night(file, log, transcripts=(folder,), keep=days(90))
    story.typed("and on")

    again = night(file, log, transcripts=(folder,), keep=days(90))

    assert [period["uncovered"] for period in again.periods] == [0]
    assert told(again)[1]


def test_a_file_that_may_not_be_read_is_tried_again(tmp_path, connection, monkeypatch):
    ClaudeStory(tmp_path / "a.jsonl").typed().boundary()
    ClaudeStory(tmp_path / "b.jsonl").typed().boundary()
    reading = witness.read

    def refusing(path: Path) -> witness.TranscriptFile:
        if path.name == "a.jsonl":
            return witness.TranscriptFile(witness.File(str(path), "no_access"), [])
        return reading(path)

    with monkeypatch.context() as patched:
        patched.setattr(witness, "read", refusing)
        witness.load(connection, [tmp_path])
    witness.load(connection, [tmp_path])

    assert facts(connection) == fresh(tmp_path)
    assert (
        warehouse.rows(
            connection, "select * from raw_transcript_files where reject_reason is not null"
        )
        == []
    )

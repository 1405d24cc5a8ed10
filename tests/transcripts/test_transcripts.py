"""Finding transcripts, and loading what they prove into the warehouse."""

import os
from pathlib import Path

import duckdb
import pytest

from compact_guard.errors import UsageError
from compact_guard.evaluator import warehouse
from compact_guard.transcripts import transcript_file, witness
from tests.transcripts.stories import A, ClaudeStory, CodexStory, label


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        warehouse.create(connection)
        yield connection


def names(files: list[Path]) -> list[str]:
    return [file.name for file in files]


def test_transcripts_are_found_at_any_depth_plain_and_compressed(tmp_path):
    for name in ("a.jsonl", "x/y/b.jsonl.gz", "x/c.jsonl.zst", "x/d.json", "x/e.meta.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    assert names(witness.find([tmp_path])) == ["a.jsonl", "c.jsonl.zst", "b.jsonl.gz"]


def test_a_file_given_twice_or_linked_is_one_file(tmp_path):
    file = tmp_path / "a.jsonl"
    file.touch()
    (tmp_path / "b.jsonl").symlink_to(file)

    assert witness.find([tmp_path, file, tmp_path / "b.jsonl"]) == [file]


def test_a_missing_path_is_named_with_its_mend(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere: mend the path or leave it out"):
        witness.find([tmp_path / "nowhere"])


def test_a_folder_without_transcripts_is_no_error(tmp_path, connection):
    assert witness.load(connection, [tmp_path]) == 0


@pytest.fixture
def one_locked_folder(tmp_path, monkeypatch) -> Path:
    """Permissions do not bind root, who runs the tests in CI: the listing is made to fail."""
    locked = tmp_path / "locked"
    locked.mkdir()
    scandir = os.scandir

    def refuse(path):
        if Path(path) == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    return locked


def test_a_folder_that_may_not_be_listed_is_counted_beside_what_can_be_read(
    tmp_path, one_locked_folder, connection
):
    ClaudeStory(tmp_path / "s.jsonl").typed()

    assert witness.load(connection, [tmp_path]) == 2
    assert connection.execute(
        "select file, reject_reason from raw_transcript_files order by all"
    ).fetchall() == [(str(one_locked_folder), "no_access"), (str(tmp_path / "s.jsonl"), None)]


def test_where_nothing_may_be_read_the_path_is_named_with_its_mend(one_locked_folder, connection):
    with pytest.raises(UsageError, match=r"cannot read .*locked: mend its permissions"):
        witness.load(connection, [one_locked_folder])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no_object"),
        (b"\x8f\x9d\xff\n" * 40, "no_object"),
        (b'{"schema":"compact-guard.audit/1","event":"pre_compact"}\n', "foreign"),
        (b'{"display":"hello","sessionId":"s1","timestamp":1}\n', "foreign"),
        (b'{"type":[],"payload":[]}\n', "foreign"),
    ],
)
def test_what_is_no_agents_transcript_is_listed_with_the_reason(tmp_path, content, reason):
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)

    assert witness.read(file).file.reject_reason == reason


def test_a_large_foreign_file_is_given_up_soon(tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_bytes(b'{"level":"info"}\n' * 5_000)

    assert witness.read(file).file.lines_read == transcript_file._LINES_UNRECOGNISED_MAX


def test_rows_of_two_agents_and_of_copies_are_loaded_with_their_types(tmp_path, connection):
    claude = ClaudeStory(tmp_path / "claude.jsonl").typed().boundary().hook_said(label(A))
    (tmp_path / "copy.jsonl").write_bytes(claude.path.read_bytes())
    CodexStory(tmp_path / "codex.jsonl").typed().boundary(window_id="w1").raw(b"\0\0\n")

    assert witness.load(connection, [tmp_path]) == 3

    rows = warehouse.rows(
        connection,
        "select * from raw_transcript_events where kind in ('boundary', 'unreadable') order by all",
    )
    assert [(Path(row["file"]).name, row["trigger"], row["pre_tokens"]) for row in rows] == [
        ("claude.jsonl", "auto", 190_000),
        ("codex.jsonl", None, None),
        ("codex.jsonl", None, None),
        ("copy.jsonl", "auto", 190_000),
    ]
    assert rows[0]["byte_offset"] == claude.offsets[1]
    assert str(rows[0]["event_at"]) == "2026-11-30 02:00:01"
    assert rows[0]["records_hook_text"] is True
    assert connection.execute(
        "select count(distinct transcript_hash), sum(unreadable_lines) from raw_transcript_files"
    ).fetchone() == (2, 1)


def test_loading_again_replaces_what_was_there(tmp_path, connection):
    ClaudeStory(tmp_path / "s.jsonl").typed().boundary()
    witness.load(connection, [tmp_path])
    witness.load(connection, [tmp_path])

    counts = "select count(*), count(distinct event_number) from raw_transcript_events"
    assert connection.execute(counts).fetchone() == (2, 2)


def test_many_facts_are_handed_on_in_batches(tmp_path, connection, monkeypatch):
    monkeypatch.setattr(witness, "_EVENTS_PER_BATCH", 2)
    for number in range(5):
        ClaudeStory(tmp_path / f"{number}.jsonl").typed().boundary()

    assert witness.load(connection, [tmp_path]) == 5
    assert connection.execute("select count(*) from raw_transcript_events").fetchone() == (10,)


def test_a_file_name_that_is_no_utf8_can_be_loaded(tmp_path, connection):
    story = ClaudeStory(tmp_path / os.fsdecode(b"\xff.jsonl")).typed()

    assert witness.load(connection, [story.path]) == 1


def test_no_text_of_a_conversation_is_loaded(tmp_path, connection):
    secret = "the heron table is wrong"
    story = ClaudeStory(tmp_path / "s.jsonl")
    story.typed(secret).answered("m1").boundary(uuid=secret * 20, version=secret)
    story.hook_said(label(A, quoted=secret)).raw(secret.encode() + b"\n")
    witness.load(connection, [tmp_path])

    for table in ("raw_transcript_files", "raw_transcript_events"):
        rows = connection.execute(f"select * exclude (file) from {table}").fetchall()
        assert secret not in str(rows)

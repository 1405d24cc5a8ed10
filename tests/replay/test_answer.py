"""Many files: copies count once, several processes tell the same, and what was left out is told."""

import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import datetime

import pytest

from compact_guard.errors import UsageError
from compact_guard.progress import silent
from compact_guard.replay import answer, examples, phrases, sharing, totals
from compact_guard.replay.answer import Answer
from tests.replay import heron
from tests.replay.conftest import CONSTRAINT, CORRECTION, Claude


@pytest.fixture
def sessions(tmp_path):
    """Both example sessions, and one that is a copy of the first with more to say."""
    heron.write(tmp_path)
    fork = tmp_path / "fork.jsonl"
    shutil.copy(tmp_path / f"{heron.CLAUDE}.jsonl", fork)
    return sorted(tmp_path.iterdir())


def without_times(found: Answer) -> list:
    return [
        replace(file, boundaries=tuple(replace(b, cpu_ms=0) for b in file.boundaries))
        for file in found.files
    ]


def test_a_boundary_that_stands_in_two_files_counts_once(sessions):
    found = answer.replay(sessions, silent)
    sums = totals.of(found)

    assert [len(file.boundaries) for file in found.files] == [3, 3, 2]
    assert (sums.compactions, sums.copies, sums.sessions) == (5, 3, 2)
    assert sums.held == totals.of(Answer((found.files[0], found.files[2]), 0)).held


def test_several_processes_find_what_one_finds(sessions, monkeypatch):
    alone = answer.replay(sessions, silent)
    monkeypatch.setattr(answer, "_PARALLEL_BYTES_MIN", 0)
    monkeypatch.setattr(answer.os, "cpu_count", lambda: 2)
    told = []

    together = answer.replay(sessions, told.append)

    assert without_times(together) == without_times(alone)
    assert sum(told) == sum(path.stat().st_size for path in sessions)


def test_sums_are_sums(sessions):
    found = answer.replay(sessions, silent)
    sums = totals.of(found)
    boundaries = [b for file in found.files for b in file.boundaries if not b.is_copy]

    assert sums.held["constraints"] == sum(b.held["constraints"] for b in boundaries)
    assert (sums.judged, sums.unjudged) == (4, 1)
    assert sum(sums.rescued.values()) == sum(len(b.lost or ()) for b in boundaries)
    assert all(
        sums.rescued[rank] <= sums.held_judged[rank] <= sums.held[rank] for rank in sums.held
    )
    assert (sums.first_at, sums.last_at) == (
        datetime(2026, 11, 27, 9, 0, 22),
        datetime(2026, 11, 28, 15, 24, 18),
    )


def test_a_statement_that_three_summaries_lost_is_one_statement(claude):
    claude.typed(CORRECTION).compacted().compacted().compacted()

    sums = totals.of(answer.replay([claude.path], silent))

    assert sums.rescued["corrections"] == 3
    assert sums.lost_words["corrections"] == 1


def test_only_words_of_the_user_are_in_the_sentence(claude):
    claude.answered("We decided to drop Redis because it lost writes.").compacted()

    sums = totals.of(answer.replay([claude.path], silent))

    assert sums.rescued["decisions"] == 1
    assert sums.lost_words == {"corrections": 0, "decisions": 0, "constraints": 0}


def test_where_nothing_was_readable_the_reasons_are_told(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"hello": "world"}\n')
    (tmp_path / "b.jsonl").write_text("no json\n")
    (tmp_path / "c.jsonl").write_bytes(b"")

    with pytest.raises(UsageError) as refused:
        answer.replay(sorted(tmp_path.iterdir()), silent)

    assert str(refused.value) == (
        "nothing to replay: 2 files without a single record, 1 file of no agent that is known here"
    )


def test_a_line_that_never_ends_is_a_reason(tmp_path, monkeypatch, claude):
    monkeypatch.setattr("compact_guard.hook.transcript.LAST_LINE_BYTES_MAX", 1_000)
    monkeypatch.setattr("compact_guard.hook.transcript.CHUNK_BYTES", 100)
    endless = tmp_path / "endless.jsonl"
    endless.write_bytes(b"x" * 5_000)
    gone = tmp_path / "gone.jsonl"
    (tmp_path / "folder.jsonl").mkdir()

    found = answer.replay([claude.path, endless, gone, tmp_path / "folder.jsonl"], silent)

    assert phrases.skipped_files(found.files) == (
        "2 files that cannot be opened, 1 file without a line end"
    )


def test_examples_are_the_surest_of_the_newest_each_compaction_first(tmp_path):
    older = Claude(tmp_path / "a.jsonl", "a").typed(CORRECTION).typed(CONSTRAINT).compacted()
    newer = Claude(tmp_path / "b.jsonl", "b").typed("Hello.").typed("Look at the test.")
    newer.typed("Never push to main.").compacted()
    found = answer.replay([older.path, newer.path], silent)

    chosen = examples.choose(found, 3)

    assert [example.statement.text for example in chosen] == [
        "Never push to main.",
        CORRECTION,
        CONSTRAINT,
    ]
    assert examples.choose(found, 0) == []


def test_a_shared_answer_sums_up_to_the_same(sessions):
    found = answer.replay(sessions, silent)
    sums = totals.of(found)

    shared = totals.of(sharing.anonymous(found))

    assert replace(shared, first_at=sums.first_at, last_at=sums.last_at) == sums


def test_a_process_that_is_told_of_ctrl_c_dies_without_a_word():
    program = "import os, signal; from compact_guard.replay import answer; answer._die_silently()"
    program += "; os.kill(os.getpid(), signal.SIGINT)"

    finished = subprocess.run(
        [sys.executable, "-c", program],
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]),
        capture_output=True,
        check=False,
    )

    assert (finished.returncode, finished.stderr) == (-signal.SIGINT, b"")

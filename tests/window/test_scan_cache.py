"""A second study reads only what changed, and a cache in any state changes no answer."""

import os
import sqlite3

import pytest

from compact_guard.window import load, scan_cache, study
from tests.window.stories import ClaudeStory


@pytest.fixture
def story(tmp_path):
    return ClaudeStory(tmp_path / "transcripts" / "a.jsonl").said("m1")


@pytest.fixture
def scanned(monkeypatch):
    """The names of the files that were really read."""
    names = []
    really = load.scan

    def scan(path):
        names.append(path.name)
        return really(path)

    monkeypatch.setattr(load, "scan", scan)
    return names


def request(story, tmp_path, **options):
    return study.Request(
        (story.path.parent,), cache=tmp_path / "home" / "c" / "x.sqlite3", **options
    )


def test_a_second_study_with_nothing_new_reads_no_transcript(story, tmp_path, scanned):
    first = study.answer(request(story, tmp_path))

    assert study.answer(request(story, tmp_path)) == first
    assert scanned == ["a.jsonl"]


def test_a_grown_file_and_a_new_one_are_read_and_the_others_not(story, tmp_path, scanned):
    ClaudeStory(story.path.with_name("b.jsonl"), "s2").said("n1")
    study.answer(request(story, tmp_path))
    story.said("m2")
    ClaudeStory(story.path.with_name("c.jsonl"), "s3").said("o1")

    answer = study.answer(request(story, tmp_path))

    assert sorted(scanned) == ["a.jsonl", "a.jsonl", "b.jsonl", "c.jsonl"]
    assert answer == study.answer(study.Request((story.path.parent,)))


def test_a_file_rewritten_within_the_clock_is_read_again(story, tmp_path):
    before = study.answer(request(story, tmp_path))
    status = story.path.stat()
    story.path.write_bytes(
        story.path.read_bytes().replace(b'"output_tokens": 10', b'"output_tokens": 99')
    )
    os.utime(story.path, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert study.answer(request(story, tmp_path)) != before


def test_what_was_read_from_a_file_that_is_gone_is_forgotten(story, tmp_path):
    other = ClaudeStory(story.path.with_name("b.jsonl"), "s2").said("n1")
    study.answer(request(story, tmp_path))
    other.path.unlink()

    study.answer(request(story, tmp_path))

    with sqlite3.connect(tmp_path / "home" / "c" / "x.sqlite3") as cache:
        names = [row[0] for row in cache.execute("select path from scans")]
    cache.close()
    assert names == [os.fsencode(story.path)]


def test_another_price_gives_another_answer(story, tmp_path):
    own = tmp_path / "prices.toml"
    rates = "output = 2.0\ncache_read = 0.5\ncache_write_5m = 1.0\ncache_write_1h = 2.0\n"
    answers = set()
    for dollars in (1.0, 7.0):
        own.write_text(f'[[price]]\nmodel = "claude-opus-5-5"\ninput = {dollars}\n{rates}')
        answers.add(study.answer(request(story, tmp_path, prices=own)))

    assert len(answers) == 2


def test_the_cache_is_private(story, tmp_path):
    study.answer(request(story, tmp_path))
    file = tmp_path / "home" / "c" / "x.sqlite3"

    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 999])
def test_a_broken_cache_is_made_anew(story, tmp_path, damage, scanned):
    first = study.answer(request(story, tmp_path))
    (tmp_path / "home" / "c" / "x.sqlite3").write_bytes(damage)

    assert study.answer(request(story, tmp_path)) == first
    assert study.answer(request(story, tmp_path)) == first
    assert scanned == ["a.jsonl", "a.jsonl"]


def test_a_cache_that_somebody_keeps_locked_is_done_without(story, tmp_path, monkeypatch):
    monkeypatch.setattr(scan_cache, "_BUSY_SECONDS", 0.01)
    first = study.answer(request(story, tmp_path))
    story.said("m2")
    holder = sqlite3.connect(tmp_path / "home" / "c" / "x.sqlite3")
    holder.execute("begin exclusive")
    try:
        assert study.answer(request(story, tmp_path)) != first
    finally:
        holder.close()


def test_a_cache_that_cannot_be_written_is_done_without(story, tmp_path):
    (tmp_path / "home").write_text("a file where the folder should be")

    assert study.answer(request(story, tmp_path))


def test_without_a_cache_nothing_is_kept(story, tmp_path):
    study.answer(study.Request((story.path.parent,)))

    assert sorted(path.name for path in tmp_path.iterdir()) == ["transcripts"]

"""Reading as of a boundary: compressed files as plain ones, marks wherever they lie, bounds."""

import gzip
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.hook.run import load_adapter
from compact_guard.replay import boundaries, past
from tests.replay.conftest import CORRECTION, replayed
from tests.zstandard import zstd

PACKERS = {".gz": gzip.compress, ".zst": zstd.compress}


def shrink(patch) -> None:
    """Pieces of 100 bytes, of which 400 are held."""
    patch.setattr(past, "_PIECE_BYTES", 100)
    patch.setattr(past, "_HELD_BYTES", 400)


def packed(path, suffix: str):
    """The same file, compressed; the plain one is gone."""
    to = path.with_name(path.name + suffix)
    to.write_bytes(PACKERS[suffix](path.read_bytes()))
    path.unlink()
    return to


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_compressed_transcript_is_replayed_as_a_plain_one(claude, suffix):
    claude.typed(CORRECTION).compacted().typed("Never push.").compacted()
    plain = [(b.key, b.held, b.rescued()) for b in replayed(claude).boundaries]

    found = replayed(packed(claude.path, suffix))

    assert [(b.key, b.held, b.rescued()) for b in found.boundaries] == plain
    assert found.unreadable == {}


@pytest.mark.parametrize("suffix", PACKERS)
def test_what_stands_before_a_break_is_replayed(claude, suffix):
    claude.typed(CORRECTION).compacted()
    for number in range(2_000):
        claude.typed(f"{number} {hash((number, 'x'))}")
    file = packed(claude.path, suffix)
    file.write_bytes(file.read_bytes()[:-20])

    found = replayed(file)

    assert found.unreadable == {"broken_off": 1}
    assert len(found.boundaries) == 1


def test_where_nothing_can_read_zstandard_the_file_is_left_out(claude, monkeypatch):
    file = packed(claude.typed(CORRECTION).compacted().path, ".zst")
    monkeypatch.setitem(sys.modules, zstd.__name__, None)  # importing it fails
    monkeypatch.setitem(sys.modules, zstd.__name__.rpartition(".")[0], None)

    assert replayed(file).skipped == "no_zstandard"


@settings(deadline=None)
@given(st.binary(max_size=900), st.lists(st.tuples(st.integers(0, 999), st.integers(0, 300))))
def test_a_window_over_a_compressed_file_holds_what_it_says(tmp_path_factory, content, reads):
    path = tmp_path_factory.mktemp("packed") / "a.gz"
    path.write_bytes(gzip.compress(content))
    with pytest.MonkeyPatch.context() as patch, past.opened(path) as window:
        shrink(patch)
        furthest = 0
        for start, length in reads:
            furthest = min(max(furthest, start + length), len(content))
            found = window.read(start, start + length)
            assert found in (content[start : start + length], b"")
            if start >= furthest - 400:
                assert found == content[start : start + length]


def test_only_a_stretch_of_a_compressed_file_is_held(tmp_path, monkeypatch):
    shrink(monkeypatch)
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"x" * 5_000))
    with past.opened(path) as window:
        window.read(0, 5_000)

        assert sum(map(len, window._pieces)) <= 500


@pytest.mark.parametrize("chunk_bytes", range(25, 400, 25))
def test_a_mark_is_found_wherever_a_chunk_ends(claude, monkeypatch, chunk_bytes):
    claude.typed(CORRECTION).compacted().typed("So.").compacted()
    monkeypatch.setattr(boundaries, "CHUNK_BYTES", chunk_bytes)

    assert len(replayed(claude).boundaries) == 2


def test_every_byte_that_was_searched_is_told_once(claude):
    claude.typed(CORRECTION).compacted().typed("So.").compacted().typed("x" * 600_000)
    told = []
    with past.opened(claude.path) as transcript:
        found = list(boundaries.find(transcript, load_adapter("claude-code"), told.append))

    assert sum(told) == claude.path.stat().st_size
    assert [each.line_start for each in found] == sorted(each.line_start for each in found)


def test_every_byte_of_a_long_transcript_is_read_about_twice(claude, monkeypatch):
    """Once to look for boundaries, once by the hook's own reading; never all of it at once."""
    claude.grown_to(4 << 20)
    lengths = []
    really = os.pread
    monkeypatch.setattr(
        "compact_guard.hook.transcript.os.pread",
        lambda file, length, offset: lengths.append(length) or really(file, length, offset),
    )

    assert len(replayed(claude).boundaries) > 1

    assert sum(lengths) < 4 * claude.path.stat().st_size
    assert max(lengths) < 1 << 20


def test_files_are_closed(claude):
    claude.typed(CORRECTION).compacted()
    open_before = open_files()

    for _ in range(3):
        replayed(claude)

    assert open_files() == open_before


def open_files() -> int:
    return sum(1 for _ in Path("/dev/fd").iterdir())

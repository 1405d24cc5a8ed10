"""Whatever came when, a night with transcripts tells what one evaluation from nothing tells."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from compact_guard.evaluator import bookmarks, building, warehouse
from tests.builders import Session, digest, rows_of, write_log
from tests.evaluator.nights import night, told
from tests.simulator.arrivals import Arrivals
from tests.simulator.world import NIGHT
from tests.transcripts.stories import ClaudeStory

PASSING = (building.IN_PASSING, building.AS_TEMPORARY)
SESSIONS = 30
# How much is new, how long before the last night it is, and whether transcripts are given.
NIGHTS = (
    (0.5, 300, True), (0.2, 120, True), (0.1, 40, True), (0.1, 30, False), (0.1, 50, True),
    (0.0, 2, True), (0.15, 0, True),
)  # fmt: skip


@pytest.fixture(autouse=True)
def later(monkeypatch) -> None:
    """Files are looked at long after they were written, as by night."""
    now = bookmarks.time.time_ns
    monkeypatch.setattr(bookmarks.time, "time_ns", lambda: now() + 60_000_000_000)


@pytest.fixture
def touched(monkeypatch) -> list[int]:
    """How many threads each building from touched threads alone judged anew."""
    counts: list[int] = []
    replace = building._replace

    def counting(connection, name: str) -> None:
        if name == "int_compactions_announced":
            [(count,)] = connection.execute("select count(*) from int_threads_touched").fetchall()
            counts.append(count)
        replace(connection, name)

    monkeypatch.setattr(building, "_replace", counting)
    return counts


def models(file: Path, folder: Path) -> dict[str, list[Any]]:
    """Every model that outlives the building; threads have numbers of their own, files paths."""
    with warehouse.connect(file) as connection:
        return {
            model.name: sorted(
                repr(row | {"thread": None}).replace(str(folder), "")
                for row in warehouse.rows(connection, f"select * from {model.name}")
            )
            for model in warehouse.models()
            if model.layer not in warehouse.STORED and model.built not in PASSING
        }


@pytest.mark.parametrize("seed", [81, 82])
def test_a_chain_of_nights_tells_what_one_evaluation_from_nothing_tells(
    tmp_path, touched, seed, monkeypatch
):
    monkeypatch.setattr(building, "_TOUCHED_SHARE_MAX", 1.0)
    arrivals, kept = Arrivals(tmp_path, seed, SESSIONS), tmp_path / "kept.duckdb"
    for number, (share, hours_before, has_transcripts) in enumerate(NIGHTS):
        arrivals.go_on(share)
        as_of, fresh = NIGHT - timedelta(hours=hours_before), tmp_path / f"{number}.duckdb"
        given, shown = (arrivals.transcripts,), (arrivals.remembered,)
        if has_transcripts:
            arrivals.see()
        else:
            given = shown = ()

        after_nights = night(kept, arrivals.audit, as_of=as_of, transcripts=given)
        from_nothing = night(fresh, arrivals.audit, as_of=as_of, transcripts=shown)

        assert told(after_nights) == told(from_nothing)
        assert models(kept, given[0] if given else tmp_path) == models(
            fresh, shown[0] if shown else tmp_path
        )
    assert len(touched) == len(NIGHTS) - 1, "some night was not built from touched threads alone"


def test_only_sessions_whose_rows_or_transcripts_changed_are_judged_again(tmp_path, touched):
    arrivals, kept = Arrivals(tmp_path, 83, SESSIONS), tmp_path / "kept.duckdb"
    arrivals.go_on(1.0)
    files = sorted(arrivals.transcripts.rglob("*.jsonl"))
    last_year = NIGHT + timedelta(days=365)
    for path in (None, None, files[0], files[-1]):
        if path is not None:
            path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[-1])
        night(kept, arrivals.audit, as_of=last_year, transcripts=(arrivals.transcripts,))

    assert touched == [1, 1], "the first night is built whole, and the second not at all"


def test_a_transcript_that_spoke_for_itself_falls_silent_where_another_sessions_row_has_read_more(
    tmp_path,
):
    story = ClaudeStory(tmp_path / "transcripts" / "s1.jsonl").typed().boundary().typed()
    first_line = digest(story.path.read_text().splitlines()[0])
    busy = [Session(f"busy {number}").delivered(f"{number}") for number in range(9)]
    write_log(tmp_path / "audit", rows_of(busy))
    files = {"as_of": NIGHT + timedelta(days=365), "transcripts": (story.path.parent,)}
    alone = night(tmp_path / "kept.duckdb", tmp_path / "audit", **files)
    resumed = Session("resumed", at=NIGHT).pre("aa").rows
    write_log(tmp_path / "audit", [row | {"transcript_hash": first_line} for row in resumed])

    named = night(tmp_path / "kept.duckdb", tmp_path / "audit", **files)

    assert [outcome.periods[0]["uncovered"] for outcome in (alone, named)] == [1, 0]
    assert told(named) == told(night(tmp_path / "fresh.duckdb", tmp_path / "audit", **files))
    assert models(tmp_path / "kept.duckdb", tmp_path) == models(tmp_path / "fresh.duckdb", tmp_path)

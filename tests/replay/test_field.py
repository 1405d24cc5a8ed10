"""78 real transcripts (a large set beside the checkout): every boundary of them is replayed."""

import csv
from collections import Counter

import pytest

from compact_guard.progress import silent
from compact_guard.replay import answer
from compact_guard.transcripts import discovery
from tests import shared_sets


@pytest.fixture(scope="module")
def field():
    return shared_sets.folder("field")


@pytest.fixture(scope="module")
def found(field):
    return answer.replay(discovery.find([field]), silent)


def test_each_file_has_as_many_boundaries_as_it_really_has(field, found):
    with (field / "boundaries.csv").open(encoding="utf-8", newline="") as file:
        expected = Counter(row["file"] for row in csv.DictReader(file))

    replayed = {
        file.path.removeprefix(f"{field}/").removesuffix(".gz"): len(file.boundaries)
        for file in found.files
        if file.boundaries
    }
    assert replayed == expected
    assert sum(expected.values()) == 89


def test_none_of_them_is_more_than_the_guard_can_cope_with(found):
    boundaries = [boundary for file in found.files for boundary in file.boundaries]

    assert {file.skipped for file in found.files} == {None}
    assert {boundary.outcome for boundary in boundaries} <= {"saved", "empty"}
    assert max(boundary.units for boundary in boundaries) <= 9_900


def test_real_summaries_can_be_read_and_triggers_are_as_recorded(field, found):
    with (field / "boundaries.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["agent"] == "claude"]
    claude = [
        boundary
        for file in sorted(found.files, key=lambda file: file.path)
        if file.agent == "claude-code"
        for boundary in file.boundaries
    ]

    with_summary = sum(bool(row["summary_chars"]) for row in rows)
    assert sum(boundary.lost is not None for boundary in claude) == with_summary
    known = ("auto", "manual")  # four are filler
    recorded = [row["trigger"] if row["trigger"] in known else None for row in rows]
    assert Counter(recorded) == Counter(boundary.trigger for boundary in claude)

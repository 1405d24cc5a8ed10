"""Sentences about a study: each code has its words, and estimates are called so."""

from typing import get_args

import pytest

from compact_guard.window import study_words
from compact_guard.window.usage import Evidence
from tests.window.stories import ClaudeStory
from tests.window.studies import studied


def wait(evidence, **counts):
    counts = {"boundaries": 0, "estimated": 0, "unknown": 0} | counts
    return {"agent": "codex", "seconds_evidence": evidence} | counts


@pytest.mark.parametrize("evidence", get_args(Evidence))
def test_every_kind_of_evidence_and_every_lack_of_it_has_words(evidence):
    counts = {"boundaries": 3, "estimated": 2, "unknown": 1}

    told = " ".join(study_words.waits([wait(evidence, **counts)]))

    is_known = evidence in ("logged", "records")
    assert ("of 3 the time is known: 3 " in told) is is_known
    assert ("of 2 the wait is estimated" in told) is not is_known
    assert ("of 1 the wait is unknown: 1 " in told) is not is_known


def test_waits_of_two_agents_are_summed_by_reason():
    rows = [wait("no_time", boundaries=2, unknown=2), wait("no_time", boundaries=1, unknown=1)]

    assert study_words.waits(rows) == [
        "of 3 the wait is unknown: 3 without a time that can be read"
    ]


def test_a_claude_code_that_logs_the_time_is_told_apart_from_one_that_does_not(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", read=9)
    story.after(40).boundary(durationMs=8_000).said("m2", read=9)
    story.after(400).boundary().said("m3", read=9)

    study = studied(tmp_path)

    logged, estimated = study["boundaries"]
    assert (logged["seconds"], logged["seconds_waited"], logged["wait_is_estimated"]) == (
        8.0, 8.0, False,
    )  # fmt: skip
    assert (estimated["seconds"], estimated["seconds_waited"]) == (None, 300.0)
    assert estimated["wait_is_estimated"]
    assert [row["waits_estimated"] for row in study["boundary_sizes"]] == [1]
    assert study_words.typical(study["typical_boundary"]).endswith("(2 calls and 1 wait estimated)")


def test_what_nobody_can_tell_is_no_wait_of_five_minutes(tmp_path):
    ClaudeStory(tmp_path / "a.jsonl").boundary().said("m1", read=9)

    (boundary,) = studied(tmp_path)["boundaries"]

    assert (boundary["seconds_waited"], boundary["wait_is_estimated"]) == (None, False)


@pytest.mark.parametrize(
    ("verdict", "at", "headline"),
    [
        ("KEEP", "2026", "a turn costs less"),
        ("REVERT", "2026", "a turn costs more"),
        ("OBSERVE", "2026", "cannot be said yet"),
        ("OBSERVE", None, "no change of the window is known"),
    ],
)
def test_a_headline_says_what_its_verdict_means(verdict, at, headline):
    assert headline in study_words.headline({"verdict": verdict, "change": {"at": at}})


def test_a_log_that_tells_stubs_of_the_output_is_named_where_it_matters():
    assert study_words.stubs({"stub_turns": 25, "turns": 100}) == []
    assert study_words.stubs({"stub_turns": 26, "turns": 100})[0].startswith("26 of these turns")

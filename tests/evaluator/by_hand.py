"""What an evaluation says of a log, to be held against an answer worked out by hand."""

from pathlib import Path
from typing import Any

from compact_guard.evaluator import evaluation, policy, verdict_json
from tests.builders import Session, digest, rows_of, write_log
from tests.evaluator.nights import NIGHT, night

_OUTCOMES = "injected missed duplicated aborted deferred unconfirmed empty uncovered"


def judged(folder: Path, *sessions: Session, **options: Any) -> dict[str, Any]:
    """The answer's JSON on these sessions."""
    write_log(folder / "audit", rows_of(sessions))
    return said(folder, **options)


def said(folder: Path, **options: Any) -> dict[str, Any]:
    """The answer's JSON on what lies in the folder's log; the warehouse is kept there."""
    return verdict_json.as_json(night(folder / "kept.duckdb", folder / "audit", **options))


def gated(folder: Path) -> dict[str, Any]:
    """As `said`, with every expectation asked, which takes a second."""
    request = evaluation.Request(audit=(folder / "audit",), policy=policy.load(), as_of=NIGHT)
    return verdict_json.as_json(evaluation.evaluate(request))


def holds(answer: dict[str, Any], **expected: Any) -> None:
    """Fail unless the only interface has exactly these values; outcomes not named are 0."""
    [interface] = answer["interfaces"]
    if "outcomes" in expected:
        expected["outcomes"] = dict.fromkeys(_OUTCOMES.split(), 0) | expected["outcomes"]
    assert {name: interface[name] for name in expected} == expected


def told(answer: dict[str, Any], *labels: str) -> list[tuple[str, str, str]]:
    """Label ("" without a checkpoint), outcome and evidence of every compaction there is."""
    names = {digest(label): label for label in labels}
    [interface] = answer["interfaces"]
    return sorted(
        (names.get(one["checkpoint_hash"], ""), one["outcome"], one["evidence"])
        for one in interface["compactions"]
    )


def rows(**counts: int) -> dict[str, int]:
    """`rows` of the answer; what is not named is 0."""
    return {"duplicates": 0, "quarantined": 0, "after_as_of": 0} | counts

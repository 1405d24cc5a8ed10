"""What must hold after every session with Codex, whatever happened in it."""

from collections import Counter
from typing import NamedTuple

from tests.agents.claude_code.checks import assert_pairs, assert_private, validate
from tests.agents.codex.evidence import Request, audit_rows, main_rollout, requests
from tests.agents.codex.model_replies import Json
from tests.agents.codex.sandbox import Sandbox


class Span(NamedTuple):
    """One request for a summary and the turns up to the next one."""

    summary: Request
    turns: list[Request]


def spans(sandbox: Sandbox) -> list[Span]:
    """The requests cut at each summary; what came before the first one is left out."""
    found: list[Span] = []
    for request in requests(sandbox):
        if request.is_compaction:
            found.append(Span(request, []))
        elif found:
            found[-1].turns.append(request)
    return found


def saved_hashes(sandbox: Sandbox) -> list[str]:
    """The checkpoint of each compaction of the main session, in order."""
    return [row["checkpoint_hash"] for row in begun(sandbox)]


def begun(sandbox: Sandbox) -> list[Json]:
    """The rows of the main session's compactions."""
    rows = audit_rows(sandbox)
    return [row for row in rows if row["event"] == "pre_compact" and not row["subagent"]]


def hashes_in(request: Request, hashes: list[str]) -> Counter[str]:
    """Which checkpoints a request carries, and how often."""
    return Counter({each: count for each in hashes if (count := request.text.count(each))})


def assert_each_checkpoint_reaches_the_model_at_once(sandbox: Sandbox, *words: str) -> None:
    """Exactly its own checkpoint, once, in every turn of a span; the summary is asked for without.

    The words are given back in its first turn, once in our text and once where Codex keeps them.
    """
    hashes = saved_hashes(sandbox)
    assert hashes
    for own, span in zip(hashes, spans(sandbox), strict=True):
        assert own not in span.summary.text
        assert span.turns
        for turn in span.turns:
            assert hashes_in(turn, hashes) == Counter([own])
        for word in words:
            assert word in span.turns[0].text.partition(own)[2]


def assert_rollout_records(sandbox: Sandbox, *delivered: str) -> None:
    """Codex's own file shows these checkpoints as hook text, whole and in order, and no others."""
    ours = [text for text in main_rollout(sandbox).developer_texts() if "[compact-guard]" in text]
    for own, text in zip(delivered, ours, strict=True):
        assert text.count(own) == 1
        assert "Full hook output saved to" not in text


def assert_audit_log_is_sound(sandbox: Sandbox) -> None:
    """Valid, synthetic rows of the one session, whose hashes and offsets the rollout confirms."""
    rollout = main_rollout(sandbox)
    rows = [row for row in audit_rows(sandbox) if not row["subagent"]]
    for row in rows:
        assert row["transcript_hash"] == rollout.first_line_hash()
        if row["event"] == "pre_compact":
            read = [each for each in rollout.boundaries() if each < row["transcript_bytes"]]
            assert row["last_boundary_bytes"] == (read[-1] if read else None)
    for row in audit_rows(sandbox):
        validate(row)
        assert row["origin"] == "synthetic"
        assert row["session_hash"] == rollout.session_hash()
        assert row["model"] == "canned-model"
    assert_pairs(rows)
    assert_private(sandbox.guard_home)

"""`--notice` tells the person of each compaction, with the receipt, and no model reads it."""

import json

import pytest

from tests.agents.codex.checks import saved_hashes
from tests.agents.codex.conversation import Conversation, conversation
from tests.agents.codex.evidence import audit_rows, outcomes, requests
from tests.agents.codex.stories import asks, works

pytestmark = pytest.mark.agents

LINE_START = "compact-guard: "


def lines_shown(talk: Conversation) -> list[str]:
    """What Codex hands to its clients, its terminal too, of what hooks said to the person."""
    done = [event for event in talk.events if event.get("method") == "hook/completed"]
    entries = [entry for event in done for entry in event["params"]["run"]["entries"]]
    return [entry["text"] for entry in entries if LINE_START in entry["text"]]


@pytest.mark.parametrize("version", ["bare", "bare_older"])
def test_one_line_with_each_receipt_and_in_no_request(version: str, request: pytest.FixtureRequest):
    sandbox = request.getfixturevalue(version)
    sandbox.install_guard("--trust", "--notice")
    with conversation(sandbox) as talk:
        talk.begin()
        talk.say(works("A", 1))
        talk.compact()
        talk.say(asks("B"))

    assert len(saved_hashes(sandbox)) == outcomes(sandbox).count("post_compact recorded") == 2
    saved = [
        row["counts"]["items_kept"] for row in audit_rows(sandbox) if row["outcome"] == "saved"
    ]
    for line, count in zip(lines_shown(talk), saved, strict=True):
        assert line.startswith(f"{LINE_START}{count} item")
        assert "saved, to be given back; the summary has lost" in line
    for asked in requests(sandbox):
        assert LINE_START not in asked.text


def test_codex_is_offered_no_request_to_its_summary(bare):
    refused = bare.compact_guard("install", "codex", "--yes", "--preserve")

    assert refused.returncode == 2
    assert "--preserve: Codex ignores what a PreCompact hook prints" in refused.stderr
    assert not bare.hooks.exists()


def test_hooks_that_print_to_precompact_reach_no_request(bare):
    """Why it is not offered: plain text is ignored, and context makes the hook fail."""
    said = {"hookSpecificOutput": {"hookEventName": "PreCompact", "additionalContext": "ASK-JSON"}}
    commands = ("echo ASK-PLAIN", f"printf '%s' '{json.dumps(said)}'")
    group = {"hooks": [{"type": "command", "command": command} for command in commands]}
    bare.hooks.write_text(json.dumps({"hooks": {"PreCompact": [group]}}))
    done = bare.exec(works("A", 1), "--dangerously-bypass-hook-trust")

    assert done.returncode == 0, done.stderr
    assert any(asked.is_compaction for asked in requests(bare))
    assert not any("ASK-" in asked.text for asked in requests(bare))

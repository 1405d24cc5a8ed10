"""Secrets typed or read in a session are in nothing that we keep and nothing that we give back."""

import random
import string
from pathlib import Path

import pytest

from tests.agents.claude_code.checks import assert_private, kept_by_guard
from tests.agents.claude_code.conversation import conversation
from tests.agents.claude_code.evidence import only_transcript, outcomes, requests
from tests.agents.claude_code.model_replies import FILL, calls, says
from tests.agents.claude_code.sandbox import Sandbox
from tests.redaction import oracle

pytestmark = pytest.mark.agents


def random_token(prefix: str, characters: int) -> str:
    """Shaped like a secret, made anew in each run from a fixed seed: none is in this file."""
    letters = random.Random(prefix).choices(string.ascii_letters + string.digits, k=characters)
    return prefix + "".join(letters)


TYPED = random_token("ghp_", 36)
PASSWORD = random_token("Xk9", 15)
SAID_BY_MODEL = random_token("sk-ant-api03-", 90)
READ_FROM_FILE = random_token("AKIA", 16).upper()
SECRETS = [TYPED, PASSWORD, SAID_BY_MODEL, READ_FROM_FILE]


def test_planted_secrets_are_neither_kept_nor_given_back(guarded: Sandbox, tmp_path: Path):
    notes = guarded.project / "deploy.env"
    notes.write_text(f"AWS_ACCESS_KEY_ID={READ_FROM_FILE}\n")
    guarded.rules(
        {"match": "read it", "once": True, "reply": calls("Read", file_path=str(notes))},
        {"match": "which key", "reply": says(f"I take {SAID_BY_MODEL} for the herons.")},
        FILL,
    )
    with conversation(guarded, "--allowedTools", "Read") as talk:
        talk.say(f"We decided to push with the token {TYPED} because the robot needs it.")
        talk.say(f"The database is postgres://heron:{PASSWORD}@localhost/birds, never drop it.")
        talk.say("Please read it")
        talk.say("And which key do you take?")
        talk.say("/compact")
        talk.say("What now?")

    assert outcomes(guarded)[:2] == ["pre_compact saved", "session_start injected"]
    kept = list(kept_by_guard(guarded.guard_home))
    # Not the whole request: Claude Code itself keeps the last answer and the file it read.
    (given_back,) = only_transcript(guarded).delivered_texts()
    assert given_back in requests(guarded)[-1].text
    for harmless in ("the robot needs it", "never drop it", "for the herons"):
        assert harmless in given_back
    for secret in SECRETS:
        assert secret in only_transcript(guarded).content.decode()
        assert secret not in given_back
        assert [path for path, content in kept if secret in content] == []
    assert oracle.findings(guarded.guard_home, tmp_path) == []
    assert_private(guarded.guard_home)

"""Which client and version a row names when another one began the session."""

from pathlib import Path

import pytest

from tests.agents import needs
from tests.agents.codex.checks import begun
from tests.agents.codex.conversation import conversation
from tests.agents.codex.evidence import audit_rows, main_rollout
from tests.agents.codex.sandbox import Sandbox
from tests.agents.codex.stories import works
from tests.agents.isolation import Isolation

pytestmark = pytest.mark.agents


@pytest.mark.parametrize(
    ("client", "interface"),
    [("Codex Desktop", "codex/desktop"), ("codex-tui", "codex/cli"), ("an editor", "codex/other")],
)
def test_a_client_of_the_app_server_is_known_by_its_name(
    guarded: Sandbox, client: str, interface: str
):
    with conversation(guarded, client) as talk:
        talk.begin()
        talk.say(works("A", 1))

    assert main_rollout(guarded).session["originator"] == client
    assert {row["interface"] for row in audit_rows(guarded)} == {interface}


def test_a_session_of_the_desktop_app_resumed_in_a_terminal_is_the_terminals(guarded: Sandbox):
    with conversation(guarded) as talk:
        talk.begin()
        talk.say("Hello. [[plan id=A]]")
    guarded.resume(works("B", 1))

    assert main_rollout(guarded).session["originator"] == "Codex Desktop"
    assert {row["interface"] for row in audit_rows(guarded)} == {"codex/cli"}


def test_a_session_that_an_older_version_began_names_the_version_that_runs(
    guarded_older: Sandbox, isolation: Isolation, tmp_path: Path
):
    guarded_older.exec("Hello. [[plan id=A]]")
    guarded_older.binary = needs.CODEX.binary
    guarded_older.resume(works("B", 1))

    assert main_rollout(guarded_older).session["cli_version"] == "0.144.6"
    assert {row["agent_version"] for row in audit_rows(guarded_older)} == {"0.171.0"}
    assert [row["delivery"] for row in begun(guarded_older)] == ["immediate"]

"""docs/operate.md, typed as it stands: what its commands print, and what a person then sees.

The machine goes on to the modules named like this one: a server takes ten seconds to start.
"""

import pytest

from tests.consoles import pattern_of

pytestmark = pytest.mark.slow


def test_every_command_of_the_guide_prints_what_is_shown(operated):
    _, commands, answers = operated

    assert len(answers) == len(commands), answers[-1]
    for command, (printed, status) in zip(commands, answers, strict=True):
        assert status == 0, f"$ {command.typed}\n{printed}"
        if command.shown:
            assert pattern_of(command.shown).fullmatch(printed), f"$ {command.typed}\n{printed}"


def test_a_person_sees_what_was_found(operated):
    run, artifacts = operated.machine.completed(" recorded, rehearsal")

    assert run["name"].startswith("KEEP 20")
    assert set(run["tags"]) >= {"compact-guard", "on-demand", "verdict:KEEP"}
    assert set(artifacts) == {"verdict", "outcomes", "expectations", "progress"}
    assert artifacts["verdict"]["data"].startswith("# Rehearsed KEEP")
    assert artifacts["verdict"]["data"].count("](data:image/svg+xml;base64,") == 2
    for table in ("outcomes", "expectations"):
        address = f"[{table}](/artifacts/artifact/{artifacts[table]['id']})"
        assert address in artifacts["verdict"]["description"]
    assert artifacts["progress"]["data"] == 100.0
    tables = [artifacts[key]["task_run_id"] for key in ("verdict", "outcomes", "expectations")]
    assert len({*tables, None}) == 4


def test_a_person_sees_what_was_studied(operated):
    run, artifacts = operated.machine.completed(" window, samples")

    assert run["name"].startswith("OBSERVE 20")
    assert set(run["tags"]) >= {"compact-guard", "weekly", "verdict:OBSERVE"}
    assert set(artifacts) == {"window", "periods", "windows", "window-expectations", "progress"}
    assert artifacts["window"]["data"].startswith("# OBSERVE")
    assert artifacts["progress"]["data"] == 100.0

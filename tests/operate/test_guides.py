"""The guides in docs/: their commands run, their links and paths lead somewhere."""

import re
import tomllib

import pytest

from tests.consoles import blocks_of, commands_of, pattern_of
from tests.operate.machine import Machine
from tests.source_tree import ROOT

pytestmark = pytest.mark.slow

GUIDES = sorted((ROOT / "docs").glob("*.md"))
NEEDS_A_SERVER = "operate.md"  # test_with_a_server.py


@pytest.mark.parametrize(
    "guide",
    [guide for guide in GUIDES if guide.name != NEEDS_A_SERVER],
    ids=lambda guide: guide.stem,
)
def test_every_command_runs_and_prints_what_is_shown(guide, tmp_path):
    commands = commands_of(guide.read_text("utf-8"))
    machine = Machine(tmp_path, port=0)

    answers = machine.type(commands)

    assert len(answers) == len(commands) > 0
    for command, (printed, status) in zip(commands, answers, strict=True):
        expected = {0, 3} if "evaluate" in command.typed else {0}
        assert status in expected, f"$ {command.typed}\n{printed}"
        if command.shown:
            assert pattern_of(command.shown).fullmatch(printed), f"$ {command.typed}\n{printed}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_links_and_paths_lead_somewhere(guide):
    text = guide.read_text("utf-8")
    named = re.findall(r"`((?:compact_guard|docs|sql|flows|tests|expectations)/[\w./-]*)`", text)
    linked = re.findall(r"\]\(([^)#]+)\)", text)

    assert [path for path in named if not (ROOT / path).exists()] == []
    assert [link for link in linked if not (guide.parent / link).exists()] == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_blocks_are_consoles_or_drawings(guide):
    assert {kind for kind, _ in blocks_of(guide.read_text("utf-8"))} <= {"console", ""}


def test_the_tour_leads_to_every_guide():
    tour = (ROOT / "docs" / "tour.md").read_text("utf-8")

    linked = set(re.findall(r"\]\((\S+\.md)\)", tour))
    assert linked == {guide.name for guide in GUIDES} - {"tour.md"}


def test_the_guide_to_policies_names_every_setting():
    guide = (ROOT / "docs" / "policy.md").read_text("utf-8")
    settings = tomllib.loads(
        (ROOT / "compact_guard" / "evaluator" / "policy.toml").read_text("utf-8")
    )

    assert {name for name in settings if f"`{name}`" not in guide} == set()

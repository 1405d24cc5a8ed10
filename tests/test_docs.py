"""The documents name what there is, and nothing that is not."""

import argparse
import re
import tomllib

import pytest

from compact_guard import cli
from compact_guard.agents.claude_code import hook as claude_code
from compact_guard.commands import evaluate
from compact_guard.data_home import BACKUPS_MAX
from compact_guard.evaluator import policy, verdict
from compact_guard.hook import limits
from compact_guard.report import wording
from tests.source_tree import ROOT, names_of, python_files

README = (ROOT / "README.md").read_text("utf-8")
GLOSSARY = (ROOT / "GLOSSARY.md").read_text("utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
DECISIONS = (ROOT / "DECISIONS.md").read_text("utf-8")
DOCUMENTS = sorted(file for file in ROOT.glob("*.md"))
DECISION_WORDS_MAX = 250  # half a page


def subparser(name: str) -> argparse.ArgumentParser:
    [subparsers] = [
        action
        for action in cli.build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    return subparsers.choices[name]


def options_of(name: str) -> list[str]:
    actions = subparser(name)._actions
    return [max(action.option_strings, key=len) for action in actions if action.option_strings]


def section(document: str, heading: str) -> str:
    return document.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def first_column(table: str) -> list[str]:
    return [row.split("|")[1].strip() for row in table.splitlines() if row.startswith("|")][2:]


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_subcommand_is_in_the_readme_and_has_help(command):
    assert f"compact-guard {command}" in README
    assert len(subparser(command).description) > 20


def test_every_option_is_in_the_readme():
    options = {option for command in cli.COMMANDS for option in options_of(command)} - {"--help"}

    assert {option for option in options if option not in README} == set()


def test_the_table_of_options_is_complete_and_holds_nothing_else():
    table = section(README, "Read the verdict").partition("| option of `evaluate`")[2]
    named = re.findall(r"^\| `(--[\w-]+)", table, re.MULTILINE)

    assert set(named) == set(options_of("evaluate")) - {"--help"}


def test_every_verdict_stands_beside_its_exit_status():
    rows = re.findall(r"^\| ([A-Z]+) \|.*\| (\d) \|$", README, re.MULTILINE)

    assert {name: int(status) for name, status in rows} == evaluate.EXIT_CODES


@pytest.mark.parametrize("name", [name for name in vars(cli) if name.startswith("EXIT_")])
def test_every_other_exit_status_has_its_word_in_the_readme(name):
    [sentence] = re.findall(r"Status 2 is bad usage.*?\.\n?", README.replace("\n", " "))

    assert re.search(rf"\b{getattr(cli, name)}\b", sentence)


def test_every_outcome_means_in_the_readme_what_it_means_in_the_report():
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (\w+).*\|$", README, re.MULTILINE)

    assert [(name, meaning) for name, meaning, _ in rows] == list(wording.OUTCOME_MEANINGS.items())
    passed_or_failed = {name for name, _, counts in rows if counts in ("passed", "failed")}
    assert passed_or_failed == {"injected", "missed", "duplicated"}


def test_the_numbers_of_the_readme_are_those_of_the_code():
    shipped = policy.load()
    numbers = [
        f"{shipped.min_natural_events} audit rows",
        f"{shipped.needed} counted compactions and {shipped.min_sessions} sessions",
        f"{shipped.confidence:.0%}".replace("%", " %"),
        f"at most {shipped.max_miss_rate:.0%}".replace("%", " %"),
        f"At most {limits.CHECKPOINTS_PER_SESSION_MAX} per session",
        f"{limits.CHECKPOINT_AGE_SECONDS_MAX // 86_400} days",
        f"{limits.CHECKPOINT_FOLDER_BYTES_MAX >> 20} MB",
        f"last {BACKUPS_MAX} versions",
        f"{claude_code.INJECTION_UNITS_MAX:,} characters",
    ]

    assert [number for number in numbers if number not in README.replace("\n", " ")] == []


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", CHANGELOG, re.MULTILINE)

    assert versions[0][0] == project["version"] == limits.VERSION
    assert versions == sorted(versions, key=lambda version: version[1], reverse=True)


def test_decisions_are_numbered_dated_short_and_complete():
    heads = re.findall(r"^## (\d+)\. .+ \((\d{4}-\d\d-\d\d)\)$", DECISIONS, re.MULTILINE)
    bodies = DECISIONS.split("\n## ")[1:]

    assert [int(number) for number, _ in heads] == list(range(1, len(bodies) + 1))
    assert [date for _, date in heads] == sorted(date for _, date in heads)
    for body in bodies:
        assert len(body.split()) <= DECISION_WORDS_MAX
        for part in ("**Context.**", "**Decision.**", "**Consequences.**", "**Revisit**"):
            assert body.count(part) == 1, body.partition("\n")[0]


def test_every_outcome_and_detail_is_in_the_glossary():
    rows = re.findall(r"^\| (?:`(\w+)`)? ?\| `(\w+)` \|", GLOSSARY, re.MULTILINE)

    assert tuple(outcome for outcome, _ in rows if outcome) == verdict.OUTCOMES
    codes = {"injected", *wording.FAILURES, *wording.EXCLUSIONS}
    assert {detail for _, detail in rows} == codes


def test_no_word_is_explained_twice():
    words = [
        word
        for heading in ("What is observed", "The guard", "The evaluator")
        for word in first_column(section(GLOSSARY, heading))
    ]

    assert len(words) > 30
    assert len(words) == len(set(words))


def test_refused_words_name_nothing_of_ours():
    cells = first_column(section(GLOSSARY, "Words we refuse"))
    refused = {word for cell in cells for word in cell.split(", ") if " " not in word}
    names = {
        part
        for file in python_files("compact_guard", "flows")
        for _, word in [(0, file.stem), *names_of(file)]
        for part in word.lower().split("_")
    }
    names |= {part for file in (ROOT / "sql").rglob("*.sql") for part in file.stem.split("_")}

    assert {"utils", "ckpt"} <= refused
    assert refused & names == set()


def test_links_lead_somewhere():
    dead = [
        f"{file.name}: {target}"
        for file in [*DOCUMENTS, ROOT / "reports" / "README.md"]
        for target in re.findall(r"\]\(([^)#]+)\)", file.read_text("utf-8"))
        if not (file.parent / target).exists()
    ]

    assert dead == []


def test_paths_in_the_documents_are_there():
    named = re.compile(r"`((?:compact_guard|sql|flows|tests|expectations|reports)/[\w./-]*)`")
    dead = [
        f"{file.name}: {path}"
        for file in DOCUMENTS
        for path in named.findall(file.read_text("utf-8"))
        if not (ROOT / path).exists()
    ]

    assert dead == []

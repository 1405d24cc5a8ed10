"""Every kind of bug that others reported has a test of ours, or a reason why it cannot be ours."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest

from tests import shared_sets
from tests.source_tree import ROOT

KINDS = tomllib.loads((ROOT / "tests" / "bug_kinds.toml").read_text(encoding="utf-8"))["kind"]
SHOWN = 70  # characters of a kind: a name, not somebody's report


@cache
def names_in(file: str) -> frozenset[str]:
    """What pytest collects from a test file, without the parameters."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(_collected(tree))


def _collected(tree: ast.Module | ast.ClassDef) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from (f"{node.name}::{name}" for name in _collected(node))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind["number"])
def test_a_kind_has_tests_or_says_why_it_cannot_be_ours(kind):
    assert ("tests" in kind) != ("why_not" in kind)
    assert len(kind["kind"]) <= SHOWN
    for test in kind.get("tests", ()):
        file, _, name = test.partition("::")
        assert name in names_in(file), f"{test} is not there: name what holds the value now"


def test_no_kind_is_listed_twice():
    numbers = [kind["number"] for kind in KINDS]
    assert len(numbers) == len(set(numbers))


def test_no_kind_of_the_list_is_left_out():
    listed = shared_sets.folder("field").parent / "bugs.md"
    rows = re.findall(r"^\| (F?\d+) \|", listed.read_text(encoding="utf-8"), re.MULTILINE)

    assert [kind["number"] for kind in KINDS] == rows

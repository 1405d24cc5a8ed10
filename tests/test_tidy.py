"""The house rules, as far as a machine can check them: sizes, docstrings, nothing left behind."""

import ast
import re
import statistics

import pytest

from tests.source_tree import functions_of, name_of, python_files, text_files, tree_of

SHIPPED = python_files("compact_guard", "flows")
EVERYTHING = python_files("compact_guard", "flows", "tests")

LINES_OF_A_MODULE_MAX = 250
LINES_OF_A_TEST_MODULE_MAX = 400
LINES_OF_A_FUNCTION_MAX = 60
MEDIAN_FUNCTION_BELOW = 10

# Pieces, so that this file does not find itself. In quotes they are words that people write.
LEFTOVERS = re.compile(r"(?:#|--|//|/\*|<!--|\{#)\s*(?:" + "TO" + "DO|FIX" + "ME)")
# `user` is nobody: recorded transcripts and payloads were made anonymous with it.
MACHINE_PATHS = re.compile(
    r"(?<![\w.])/(?:" + r"work|ro" + r"ot|ho" + r"me/(?!user\b)\w+|Us" + r"ers/(?!user\b)\w+)\b"
)
LINK = re.compile(r"https?://(?:[^/\s@\"']*@)?\[?([\w.-]+|\{[^}]*\})")
# Whatever is not on this list is a registry, a mirror or a service that nobody meant to name.
HOSTS = {
    "127.0.0.1",
    "localhost",
    "api.anthropic.com",  # how the interface claude-code/anthropic is told from a gateway
    "json-schema.org",
}
EXAMPLES = ("example.com", "example.org", "example.net", ".example", ".invalid", ".test")


def test_the_walk_finds_the_files_that_it_is_for():
    names = {name_of(file) for file in text_files()}

    assert names >= {"Makefile", "README.md", ".ci/run", "compact_guard/hook/run.py"}
    assert not any(name.startswith((".venv", ".git/")) for name in names)


def test_modules_can_be_read_in_one_go():
    lines = {file: file.read_text(encoding="utf-8").count("\n") for file in EVERYTHING}

    assert [name_of(file) for file in EVERYTHING if lines[file] > lines_max(file)] == []


def lines_max(file):
    return LINES_OF_A_MODULE_MAX if file in SHIPPED else LINES_OF_A_TEST_MODULE_MAX


def test_functions_are_short_and_most_are_very_short():
    lengths = {
        f"{name_of(file)}: {function.name}": function.end_lineno - function.lineno + 1
        for file in SHIPPED
        for function in functions_of(file)
    }

    assert {name for name, lines in lengths.items() if lines > LINES_OF_A_FUNCTION_MAX} == set()
    assert statistics.median(lengths.values()) < MEDIAN_FUNCTION_BELOW


def test_what_others_may_use_says_what_it_promises():
    silent = {
        f"{name_of(file)}: {getattr(node, 'name', 'the module')}"
        for file in SHIPPED
        for node in public_parts(tree_of(file))
        if not ast.get_docstring(node)
    }

    assert silent == set()


def public_parts(node):
    """A module that is not empty, its public functions and classes, and their public methods."""
    if isinstance(node, ast.Module) and node.body:
        yield node
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for part in node.body:
        if isinstance(part, kinds) and not part.name.startswith("_"):
            yield part
            if isinstance(part, ast.ClassDef):
                yield from public_parts(part)


def test_packages_are_empty_doors():
    doors = [file for file in SHIPPED if file.name == "__init__.py"]

    assert [name_of(file) for file in doors if len(tree_of(file).body) > 1] == []


def test_nothing_is_printed():
    """On an agent's SessionStart, whatever is on stdout goes into the model's context."""
    calls = [
        f"{name_of(file)}:{node.lineno}"
        for file in SHIPPED
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("print", "breakpoint")
    ]

    assert calls == []


@pytest.mark.parametrize("pattern", [LEFTOVERS, MACHINE_PATHS], ids=["leftover", "path"])
def test_nothing_of_the_workshop_is_left(pattern):
    found = [
        f"{name_of(file)}:{number}: {match[0]}"
        for file in text_files()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if (match := pattern.search(line))
    ]

    assert found == []


def test_no_text_names_a_host_that_nobody_meant_to_name():
    found = {
        (name_of(file), host)
        for file in text_files()
        for host in LINK.findall(file.read_text(encoding="utf-8"))
        if host not in HOSTS and not host.endswith(EXAMPLES)
    }

    assert found == set()

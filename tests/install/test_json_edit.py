"""Editing JSON text: what is valid, where new children go, and that removal undoes them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.install import json_edit
from compact_guard.install.json_edit import JsonProblem
from tests.install.settings_sources import VALUES, documents, items


def appended(text: str, path: list[str], key: str | None, value: object) -> str:
    container = json_edit.parse(text)
    for step in path:
        container = json_edit.child(text, container, step)
    return json_edit.append(text, container, key, value)[0]


@pytest.mark.parametrize(
    ("text", "line", "column", "complaint"),
    [
        ('{\n  // mine\n  "a": 1}', 2, 3, "comments are not JSON"),
        ('{"a": 1, /* mine */ "b": 2}', 1, 10, "comments are not JSON"),
        ('{"a": 1}\n// mine', 2, 1, "comments are not JSON"),
        ('{\n  "a": 1,\n}', 2, 9, "a trailing comma is not JSON"),
        ('{"a": [1, 2, ]}', 1, 12, "a trailing comma is not JSON"),
        ('{"a": "NaN", "b": NaN}', 1, 19, "NaN is not JSON"),
        ('{"a": -Infinity}', 1, 7, "-Infinity is not JSON"),
        ('{"a" 1}', 1, 6, "not valid JSON: Expecting ':' delimiter"),
        ('{"a": 1} x', 1, 10, "not valid JSON: Extra data"),
        ('{"a": "\x01"}', 1, 8, "not valid JSON: Invalid control character"),
        ("{'a': 1}", 1, 2, "not valid JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, 1, 1, "nested too deeply"),
    ],
)
def test_text_that_is_not_json_is_refused_with_its_place(text, line, column, complaint):
    with pytest.raises(JsonProblem) as caught:
        json_edit.parse(text)

    problem = caught.value
    assert (problem.line, problem.column, problem.complaint) == (line, column, complaint)


@pytest.mark.parametrize(
    ("before", "path", "key", "after"),
    [
        ("{}", [], "k", '{\n  "k": [\n    1\n  ]\n}'),
        ('{"a":1}', [], "k", '{"a":1,"k":[1]}'),
        ('{"a": 1}\n', [], "k", '{"a": 1, "k": [1]}\n'),
        ('{\n\t"a": 1\n}\n', [], "k", '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}\n'),
        (
            '{\r\n    "a": 1\r\n}',
            [],
            "k",
            '{\r\n    "a": 1,\r\n    "k": [\r\n        1\r\n    ]\r\n}',
        ),
        ('{\n  "a": [ "x" ]\n}', ["a"], None, '{\n  "a": [ "x", [1] ]\n}'),
        ('{\n  "a": []\n}', ["a"], None, '{\n  "a": [\n    [\n      1\n    ]\n  ]\n}'),
        (
            '{\n  "a": [\n    0\n  ]\n}',
            ["a"],
            None,
            '{\n  "a": [\n    0,\n    [\n      1\n    ]\n  ]\n}',
        ),
    ],
)
def test_a_new_child_follows_the_style_of_the_text(before, path, key, after):
    assert appended(before, path, key, [1]) == after


def test_of_duplicate_keys_the_last_is_the_one_that_readers_take():
    text = '{"a": [1], "a": [2]}'

    assert appended(text, ["a"], None, 3) == '{"a": [1], "a": [2, 3]}'


@pytest.mark.parametrize(
    ("text", "position", "after"),
    [
        ("[ 1, 2 ,\n3 ]", 0, "[ 2 ,\n3 ]"),
        ("[ 1, 2 ,\n3 ]", 1, "[ 1 ,\n3 ]"),
        ("[ 1, 2 ,\n3 ]", 2, "[ 1, 2 ]"),
        ("[ 1 ]", 0, "[<filling>]"),
    ],
)
def test_a_removed_child_takes_its_comma_along(text, position, after):
    assert json_edit.remove(text, json_edit.parse(text), position, "<filling>") == after


@settings(max_examples=150)
@given(
    text=st.one_of(documents(), st.lists(VALUES, max_size=3).flatmap(items)),
    value=st.sampled_from([1, "ключ", {"a": [{"b": "c"}]}, [], {}]),
)
def test_a_child_is_appended_once_and_its_removal_gives_the_text_back(text, value):
    root = json_edit.parse(text)
    key = "new" if isinstance(root.value, dict) else None

    longer, blanks = json_edit.append(text, root, key, value)

    children = json_edit.children(longer, json_edit.parse(longer))
    assert children[-1].value == json.loads(json.dumps(value))
    assert len(children) == len(json_edit.children(text, root)) + 1
    removed = json_edit.remove(longer, json_edit.parse(longer), len(children) - 1, blanks or "")
    assert removed == text


@settings(max_examples=150)
@given(text=documents())
def test_the_scanner_reads_what_the_json_module_reads(text):
    root = json_edit.parse(text)

    for node in json_edit.children(text, root):
        alone = json_edit.parse(text[node.value_start : node.end])
        assert alone.value == node.value
        assert json.loads(text[node.start : node.value_start].strip().removesuffix(":")) == node.key
    assert {node.key for node in json_edit.children(text, root)} == set(root.value)

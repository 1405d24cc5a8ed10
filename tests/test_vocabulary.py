"""Closed vocabularies: what SQL, ingest and hooks can say, expectations and wording know."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from compact_guard import assets
from compact_guard.evaluator import gate, ingest, policy, verdict, warehouse
from compact_guard.hook import audit
from compact_guard.hook import limits as hook_limits
from compact_guard.install import hook_command
from compact_guard.report import wording
from tests.source_tree import PACKAGE, python_files, tree_of

MODELS = {model.name: model for model in warehouse.models()}
CONTRACT = json.loads((PACKAGE / "contracts" / "audit-event.schema.json").read_text("utf-8"))
# Outcomes that are their own detail need no words of their own beside their meaning.
PASSED = {"injected"}


def values_of(model: str, column: str) -> set[str]:
    """The literals that the SQL of a model can put into a column."""
    sql = re.sub(r"--.*", "", MODELS[model].sql)
    plain = re.findall(rf"'(\w+)'\s+as {column}\b", sql)
    cases = re.findall(rf"\bcase\b((?:(?!\bcase\b).)*?)\bend\s+as {column}\b", sql, re.DOTALL)
    results = [word for case in cases for word in re.findall(r"(?:then|else)\s+'(\w+)'", case)]
    return {*plain, *results}


def details() -> set[str]:
    return values_of("int_compactions_announced", "detail") | values_of(
        "int_compactions_uncovered", "detail"
    )


def expected_values(suite: str, column: str) -> set[str]:
    for expectation in gate.load(suite)["expectations"]:
        if expectation["kwargs"].get("column") == column and "value_set" in expectation["kwargs"]:
            return set(expectation["kwargs"]["value_set"])
    raise LookupError(f"{suite} expects nothing of {column}")


def contract_values(field: str) -> set[str]:
    found = CONTRACT["properties"][field]
    kinds = found.get("anyOf", [found])
    return {value for kind in kinds for value in kind.get("enum", [])}


def test_the_parser_of_these_tests_reads_the_sql():
    assert {"under_way", "save_failed", "undecided", "uncovered"} <= details()


def test_every_detail_has_words_in_exactly_one_place():
    assert details() == PASSED | set(wording.FAILURES) | set(wording.EXCLUSIONS)
    assert set(wording.FAILURES) & set(wording.EXCLUSIONS) == set()


def test_every_outcome_is_known_everywhere():
    mapped = values_of("int_compactions_announced", "outcome")
    its_own = details() - set(details_mapped())
    produced = mapped | its_own | values_of("int_compactions_uncovered", "outcome")

    assert produced == set(verdict.OUTCOMES)
    assert tuple(wording.OUTCOME_MEANINGS) == verdict.OUTCOMES
    assert expected_values("compactions", "outcome") == set(verdict.OUTCOMES)


def details_mapped() -> list[str]:
    return re.findall(r"when '(\w+)' then", MODELS["int_compactions_announced"].sql)


def test_every_witness_has_words():
    produced = values_of("int_compactions_announced", "evidence")
    produced |= values_of("int_compactions_uncovered", "evidence")
    produced |= values_of("int_uncovered_in_rows", "evidence")

    assert produced == set(wording.WITNESSES)
    assert expected_values("compactions", "evidence") == set(wording.WITNESSES)


def test_every_reason_for_quarantine_has_words():
    raised = {word for file in python_files("compact_guard") for word in rejections_in(file)}

    assert raised | values_of("stg_audit_lines", "quarantine_reason") == set(
        wording.QUARANTINE_REASONS
    )


def rejections_in(file: Path) -> Iterator[str]:
    """Reasons raised as Rejected, and those that a Line is made with."""
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            places = {"Rejected": node.args, "Line": node.args[4:5]}.get(name, [])
            yield from (
                value.value
                for place in places
                for value in ast.walk(place)
                if isinstance(value, ast.Constant) and isinstance(value.value, str)
            )


def test_there_is_a_suite_for_each_file_of_expectations_and_a_table_for_each_suite():
    suites = {
        file.stem: json.loads(file.read_text("utf-8"))["name"]
        for file in assets.folder("expectations").glob("*.json")
    }

    assert sorted(gate.SUITES) == sorted(suites)
    assert set(suites) <= set(MODELS)
    assert {file: name for file, name in suites.items() if file != name} == {}


@pytest.mark.parametrize("field", ["event", "outcome", "reason", "trigger", "delivery", "origin"])
def test_expectations_know_the_vocabulary_of_the_contract(field):
    assert expected_values("stg_audit_rows", field) == contract_values(field)


def test_the_contract_that_ships_is_the_one_that_is_read():
    shipped = json.loads(
        (files("compact_guard") / "contracts" / "audit-event.schema.json").read_text("utf-8")
    )

    assert set(ingest.field_names()) == set(shipped["properties"])
    assert shipped["properties"]["schema"]["const"] == ingest.SCHEMA_NAME


def test_hook_and_evaluator_mean_the_same_contract():
    assert audit.SCHEMA == ingest.SCHEMA_NAME == hook_command._SCHEMA
    assert hook_limits.AUDIT_ROW_BYTES_MAX == ingest.LINE_BYTES_MAX


def test_every_reason_that_a_hook_gives_is_in_the_contract():
    calls = {"Refused", "NothingSaved", "NotPrivate"}
    given = {
        argument.value
        for file in python_files("compact_guard/hook")
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        if getattr(node.func, "id", getattr(node.func, "attr", "")) in calls
        for argument in node.args
        if isinstance(argument, ast.Constant)
    }

    assert {"no_transcript", "hash_mismatch", "owner"} <= given
    assert given <= contract_values("reason") | contract_values("outcome")


def test_every_setting_of_the_policy_ships_with_its_reason():
    settings = tomllib.loads((PACKAGE / "evaluator" / "policy.toml").read_text("utf-8"))

    assert {name for name, entry in settings.items() if len(entry["reason"]) < 20} == set()
    assert set(settings) == set(policy.load().reasons)


def test_the_template_asks_for_nothing_by_a_code():
    """Codes are for tables; people read words."""
    template = (assets.folder("reports", "templates") / "verdict.md.j2").read_text("utf-8")
    codes = [*wording.FAILURES, *wording.EXCLUSIONS, *wording.QUARANTINE_REASONS]

    shown = [code for code in codes if re.search(rf"\b{code}\b", template) and "_" in code]
    assert shown == []

"""What the headers of sql/ promise, held against the SQL below them."""

import json
import re

import duckdb
import pytest

from compact_guard import assets
from compact_guard.evaluator import ingest, warehouse
from tests.builders import busy_weeks, rows_of
from tests.models import built

SQL = assets.folder("sql")
LINES_OF_CODE_MAX = 80
PREFIXES = {"raw": "raw_", "staging": "stg_", "intermediate": "int_"}
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

FILES = sorted(file for layer in warehouse.LAYERS for file in SQL.rglob(f"{layer}/*.sql"))
MODELS = {file.stem: warehouse.read_model(file) for file in FILES}
# Tables that are filled from outside, not by a query.
STORED = [model for model in MODELS.values() if "\ncreate table if not exists" in model.sql]
BUILT = [model for model in MODELS.values() if model not in STORED]
IN_THE_WAREHOUSE = warehouse.models()


def name_of(model: warehouse.Model) -> str:
    return model.name


def code_of(model: warehouse.Model) -> list[str]:
    lines = (line.strip() for line in model.sql.splitlines())
    return [line for line in lines if line and not line.startswith("--")]


@pytest.fixture(scope="module")
def columns() -> dict[str, list[str]]:
    """The columns of every table of a warehouse, by table."""
    with built(rows_of(busy_weeks(1, 2))) as connection:
        return {
            model.name: [row[0] for row in connection.execute(f"describe {model.name}").fetchall()]
            for model in IN_THE_WAREHOUSE
        }


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_a_model_asks_one_question_and_names_its_grain(model):
    assert model.question.endswith("?")
    assert model.question.count("?") == 1
    assert model.grain.startswith("one row per ")


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_a_name_tells_the_layer(model):
    others = tuple(prefix for layer, prefix in PREFIXES.items() if layer != model.layer)

    assert SNAKE_CASE.fullmatch(model.name)
    assert model.name.startswith(PREFIXES.get(model.layer, ""))
    assert not model.name.startswith(others)


def test_no_two_models_have_one_name():
    assert len(FILES) == len(MODELS) > 30


@pytest.mark.parametrize("model", IN_THE_WAREHOUSE, ids=name_of)
def test_columns_are_snake_case_and_the_key_is_made_of_them(model, columns):
    assert [name for name in columns[model.name] if not SNAKE_CASE.fullmatch(name)] == []
    assert set(model.key) <= set(columns[model.name])


def tables_read(sql: str) -> set[str]:
    """The tables that a query names, by DuckDB's own parser; the steps of a `with` are none."""
    [tree] = duckdb.execute("select json_serialize_sql(?)", [sql]).fetchone()
    nodes = list(nodes_in(json.loads(tree)))
    steps = {step["key"] for node in nodes for step in node.get("cte_map", {}).get("map", [])}
    return {node["table_name"] for node in nodes if node.get("type") == "BASE_TABLE"} - steps


def nodes_in(tree):
    if isinstance(tree, dict):
        yield tree
    for part in tree.values() if isinstance(tree, dict) else tree:
        if isinstance(part, dict | list):
            yield from nodes_in(part)


@pytest.mark.parametrize("model", BUILT, ids=name_of)
def test_a_model_reads_exactly_what_its_header_says(model):
    assert set(model.reads) == tables_read(model.sql)


def test_stored_tables_read_nothing_and_say_so():
    assert {model.name for model in STORED} >= {"raw_audit_lines", "raw_run_parameters"}
    assert {model.reads for model in STORED} == {()}


@pytest.mark.parametrize("model", BUILT, ids=name_of)
def test_a_model_reads_its_own_layer_or_lower_ones(model):
    height = warehouse.LAYERS.index

    above = [name for name in model.reads if height(MODELS[name].layer) > height(model.layer)]
    assert above == []


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_a_long_model_says_why_it_is_one(model):
    is_long = len(code_of(model)) > LINES_OF_CODE_MAX

    assert is_long == bool(re.search(r"^-- long: +\S.{20,}$", model.sql, re.MULTILINE))


@pytest.mark.parametrize("model", BUILT, ids=name_of)
def test_the_last_line_selects_the_last_step(model):
    steps = re.findall(r"^(\w+) as \($", model.sql, re.MULTILINE)
    end = model.sql.rpartition("\nselect")[2]

    assert f"from {steps[-1]}" in end


def test_raw_audit_lines_hold_the_fields_of_the_contract(columns):
    about_the_line = {"file", "line_number", "line_bytes", "line_hash"}
    about_the_line |= {"reject_reason", "spelling", "thread"}

    assert set(columns["raw_audit_lines"]) - about_the_line == {*ingest.field_names()} - {"schema"}

"""What the gate may take for known: the same expectation on values that mean the same to it."""

import duckdb
import pandas as pd
import pytest

from compact_guard.evaluator import gate_memory, warehouse

IN_SET = {"type": "expect_column_values_to_be_in_set", "kwargs": {"column": "event"}}
UNIQUE = {"type": "expect_column_values_to_be_unique", "kwargs": {"column": "event"}}
COUNTED = {"type": "expect_table_row_count_to_equal", "kwargs": {"value": 2}}


def key(expectation, *events):
    columns = ["event"] if "column" in expectation["kwargs"] else []
    return gate_memory.key_of(expectation, pd.DataFrame({"event": events}), columns)


def test_values_in_another_order_are_known():
    assert key(IN_SET, "a", "b") == key(IN_SET, "b", "a")


def test_a_row_more_of_a_known_value_is_known_where_each_row_is_judged_alone():
    assert key(IN_SET, "a", "b") == key(IN_SET, "a", "b", "b")


@pytest.mark.parametrize("expectation", [UNIQUE, COUNTED], ids=["unique", "counted"])
def test_it_is_asked_anew_where_the_number_of_rows_matters(expectation):
    assert key(expectation, "a", "b") != key(expectation, "a", "b", "b")


@pytest.mark.parametrize("expectation", [IN_SET, UNIQUE], ids=["in set", "unique"])
def test_a_new_value_is_asked_for(expectation):
    assert key(expectation, "a", "b") != key(expectation, "a", "c")


def test_another_expectation_on_the_same_values_is_asked():
    assert key(IN_SET, "a") != key(UNIQUE, "a")


def test_what_held_is_remembered_until_an_evaluation_in_which_it_was_not_asked():
    connection = duckdb.connect()
    warehouse.create(connection)
    one = gate_memory.Memory(connection)
    one.remember("held")
    one.write()

    another = gate_memory.Memory(connection)
    assert another.holds("held")
    assert not another.holds("new")
    gate_memory.Memory(connection).write()

    assert not gate_memory.Memory(connection).holds("held")

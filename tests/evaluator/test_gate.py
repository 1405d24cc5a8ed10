"""The gate: suites are data, and none of Great Expectations' silent passes gets through."""

import json

import pytest

from compact_guard import assets, gate
from tests.builders import Session, busy_weeks, rows_of
from tests.models import built

pytestmark = pytest.mark.slow


def broken(rows, damage: str = "select 1") -> dict[str, int]:
    """The expectations that fail after `damage` was done to the built tables."""
    with built(rows) as connection:
        connection.execute(damage)
        results = gate.run(connection)
    return {
        f"{result.suite}: {result.expectation}": result.observed
        for found in results.values()
        for result in found
        if not result.success
    }


WORK = rows_of(busy_weeks(sessions=2, compactions=4))


def test_every_expectation_holds_on_real_work():
    assert broken(WORK) == {}


def test_an_orphan_injection_breaks_its_expectation():
    story = Session("s1").delivered("aa").start("zz")

    assert broken(story.rows) == {
        "evidence_identities: expect_column_values_to_be_in_set(orphan_injections)": 1
    }


EXPECTATIONS = {
    "unique": "expect_column_values_to_be_unique",
    "in_set": "expect_column_values_to_be_in_set",
    "not_null": "expect_column_values_to_not_be_null",
    "regex": "expect_column_values_to_match_regex",
    "row_count": "expect_table_row_count_to_be_between",
    "one_row": "expect_table_row_count_to_equal",
}

DAMAGES = [
    ("update compactions set compaction_id = 'x'", "compactions", "unique", "compaction_id"),
    ("update compactions set outcome = 'lost'", "compactions", "in_set", "outcome"),
    ("update compactions set outcome = null", "compactions", "not_null", "outcome"),
    ("update compactions set evidence = 'hearsay'", "compactions", "in_set", "evidence"),
    ("update compactions set evidence = null", "compactions", "not_null", "evidence"),
    ("delete from compactions", "compactions", "row_count", None),
    ("update stg_audit_rows set event_id = 'x'", "stg_audit_rows", "unique", "event_id"),
    ("update stg_audit_rows set event = 'stop'", "stg_audit_rows", "in_set", "event"),
    ("update stg_audit_rows set outcome = 'splendid'", "stg_audit_rows", "in_set", "outcome"),
    ("update stg_audit_rows set origin = 'staged'", "stg_audit_rows", "in_set", "origin"),
    ("update stg_audit_rows set trigger = 'idle'", "stg_audit_rows", "in_set", "trigger"),
    ("update stg_audit_rows set delivery = 'post'", "stg_audit_rows", "in_set", "delivery"),
    ("update stg_audit_rows set reason = 'my dog'", "stg_audit_rows", "in_set", "reason"),
    ("update stg_audit_rows set session_hash = 's1'", "stg_audit_rows", "regex", "session_hash"),
    (
        "update stg_audit_rows set checkpoint_hash = 'aa'",
        "stg_audit_rows",
        "regex",
        "checkpoint_hash",
    ),
    ("delete from stg_audit_rows", "stg_audit_rows", "row_count", None),
    (
        "update evidence_identities set compactions_without_outcome = 1",
        "evidence_identities",
        "in_set",
        "compactions_without_outcome",
    ),
    (
        "update evidence_identities set compactions_twice = 1",
        "evidence_identities",
        "in_set",
        "compactions_twice",
    ),
    (
        "update evidence_identities set pre_compacts_lost = -1",
        "evidence_identities",
        "in_set",
        "pre_compacts_lost",
    ),
    (
        "update evidence_identities set injections_unplaced = 1",
        "evidence_identities",
        "in_set",
        "injections_unplaced",
    ),
    (
        "update evidence_identities set counted_not_eligible = 1",
        "evidence_identities",
        "in_set",
        "counted_not_eligible",
    ),
    (
        "update evidence_identities set orphan_injections = 1",
        "evidence_identities",
        "in_set",
        "orphan_injections",
    ),
    ("delete from evidence_identities", "evidence_identities", "one_row", None),
]


def named(suite: str, kind: str, column: str | None) -> str:
    expectation = EXPECTATIONS[kind]
    return f"{suite}: {expectation}" + (f"({column})" if column else "")


@pytest.mark.parametrize(("damage", "suite", "kind", "column"), DAMAGES)
def test_every_expectation_breaks_on_the_damage_it_is_there_for(damage, suite, kind, column):
    assert named(suite, kind, column) in broken(WORK, damage)


def test_no_expectation_is_without_a_damage_that_breaks_it():
    stated = {
        f"{name}: {expectation['type']}" + (f"({column})" if column else "")
        for name in gate.SUITES
        for expectation in gate.load(name)["expectations"]
        for column in [expectation["kwargs"].get("column")]
    }

    assert stated == {named(*expectation) for _, *expectation in DAMAGES}


def test_every_file_of_expectations_is_run():
    files = sorted(path.stem for path in assets.folder("expectations").glob("*.json"))

    assert files == sorted(gate.SUITES)


@pytest.mark.parametrize(
    ("suite", "complaint"),
    [
        ({"expectations": []}, "is empty"),
        (
            {"expectations": [{"type": "expect_table_row_count_to_equal", "kwargs": {"value": 1}}]},
            "needs `severity` and `meta.why`",
        ),
    ],
)
def test_a_suite_that_could_not_fail_is_refused(tmp_path, monkeypatch, suite, complaint):
    (tmp_path / "mine.json").write_text(json.dumps({"name": "mine"} | suite), encoding="utf-8")
    monkeypatch.setattr(gate.assets, "folder", lambda *parts: tmp_path)

    with pytest.raises(gate.BrokenSuite, match=complaint):
        gate.load("mine")


def test_an_expectation_type_that_does_not_exist_is_refused(monkeypatch):
    suite = gate.load("compactions")
    suite["expectations"][0]["type"] = "expect_column_values_to_be_splendid"
    monkeypatch.setattr(gate, "load", lambda name: suite)
    monkeypatch.setattr(gate, "SUITES", ("compactions",))

    with built(WORK) as connection, pytest.raises(gate.BrokenSuite, match="does not exist"):
        gate.run(connection)

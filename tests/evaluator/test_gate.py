"""The gate: suites are data, and none of Great Expectations' silent passes gets through."""

import json
from datetime import timedelta

import pytest

from compact_guard import assets
from compact_guard.errors import UsageError
from compact_guard.evaluator import building, gate, gate_offenders, gate_validator, warehouse
from compact_guard.evaluator.history import Occasion
from tests.builders import Session, busy_weeks, digest, rows_of
from tests.models import NIGHT, built

pytestmark = pytest.mark.slow

OCCASION = Occasion("one log", NIGHT, is_rehearsal=False)

# What the findings are counted in, in the order they are built.
COUNTED = (
    "audit_row_findings",
    "audit_row_identities",
    "compactions_flagged",
    "compaction_findings",
    "evidence_identities",
)


def run_after(
    connection, damage: str, *rebuilt: str, suites: tuple[str, ...] = gate.SUITES
) -> list[gate.ExpectationResult]:
    """The results after `damage` was done, and some models were built again; then undone."""
    connection.begin()
    for model in warehouse.models():
        if model.built == building.AS_VIEW:
            connection.execute(f"create temp table {model.name} as from {model.name}")
    connection.execute(damage)
    for model in warehouse.models():
        if model.name in rebuilt:
            connection.execute(f"create or replace table {model.name} as\n{model.sql}")
    results = [result for found in gate.run(connection, suites=suites).values() for result in found]
    connection.rollback()
    return results


def results_of(rows) -> list[gate.ExpectationResult]:
    with built(rows) as connection:
        return run_after(connection, "select 1")


def broken(results: list[gate.ExpectationResult]) -> dict[str, int]:
    """The expectations that fail, and by how many rows."""
    return {
        f"{result.suite}: {result.expectation}": result.observed
        for result in results
        if not result.success
    }


WORK = rows_of(busy_weeks(sessions=2, compactions=4))


@pytest.fixture(scope="module")
def work():
    """A warehouse with four compactions of real work; each test undoes what it breaks."""
    with built(WORK) as connection:
        yield connection


def test_every_expectation_holds_on_real_work(work):
    assert broken(run_after(work, "select 1")) == {}


def test_an_orphan_injection_breaks_its_expectation():
    story = Session("s1").delivered("aa").start("zz")

    assert broken(results_of(story.rows)) == {
        "evidence_identities: expect_column_values_to_be_in_set(orphan_injections)": 1
    }


EXPECTATIONS = {
    "in_set": "expect_column_values_to_be_in_set",
    "pair": "expect_column_pair_values_to_be_in_set",
    "between": "expect_column_values_to_be_between",
    "not_null": "expect_column_values_to_not_be_null",
    "row_count": "expect_table_row_count_to_be_between",
    "one_row": "expect_table_row_count_to_equal",
}

# Table, column, what is written into it, the expectation that breaks.
SPOILT = [
    ("stg_audit_rows", "event", "'stop'", "in_set"),
    ("stg_audit_rows", "outcome", "'splendid'", "in_set"),
    ("stg_audit_rows", "outcome", "'recorded'", "pair"),
    ("stg_audit_rows", "source", "'elsewhere'", "in_set"),
    ("stg_audit_rows", "origin", "'staged'", "in_set"),
    ("stg_audit_rows", "origin", "null", "not_null"),
    ("stg_audit_rows", "trigger", "'idle'", "in_set"),
    ("stg_audit_rows", "delivery", "'post'", "in_set"),
    ("stg_audit_rows", "reason", "'my dog'", "in_set"),
    ("compactions", "outcome", "'lost'", "in_set"),
    ("compactions", "outcome", "null", "not_null"),
    ("compactions", "detail", "'passed_by'", "pair"),
    ("compactions", "evidence", "'hearsay'", "in_set"),
    ("compactions", "evidence", "null", "not_null"),
    ("audit_row_identities", "rows_accepted", "0", "between"),
    *(
        ("audit_row_identities", column, "1", "in_set")
        for column in (
            "rows_repeated", "rows_lost", "rows_misshapen", "rows_with_free_text",
            "boundaries_ahead_of_reading", "clocks_stepped_back", "rows_before_any_guard",
            "rows_after_as_of",
        )
    ),
    *(
        ("evidence_identities", column, "1", "in_set")
        for column in (
            "compactions_without_outcome", "eligible_without_outcome",
            "counted_beyond_eligible", "counted_not_eligible", "compactions_twice",
            "compactions_invented", "pre_compacts_lost", "injections_unplaced",
            "injections_not_arrived", "orphan_injections", "checkpoints_shared",
        )
    ),
]  # fmt: skip

EMPTIED = [
    ("stg_audit_rows", "row_count"),
    ("audit_row_identities", "one_row"),
    ("compactions", "row_count"),
    ("evidence_identities", "one_row"),
]

PAIRS = {"stg_audit_rows": "event, outcome", "compactions": "outcome, detail"}


def named(suite: str, kind: str, column: str = "") -> str:
    columns = PAIRS[suite] if kind == "pair" else column
    return f"{suite}: {EXPECTATIONS[kind]}" + (f"({columns})" if columns else "")


@pytest.mark.parametrize(("table", "column", "value", "kind"), SPOILT)
def test_every_expectation_breaks_on_the_damage_it_is_there_for(work, table, column, value, kind):
    found = broken(run_after(work, f"update {table} set {column} = {value}", suites=(table,)))

    assert named(table, kind, column) in found


@pytest.mark.parametrize(("table", "kind"), EMPTIED)
def test_an_empty_table_is_no_success(work, table, kind):
    assert broken(run_after(work, f"delete from {table}", suites=(table,))) == {
        named(table, kind): 0
    }


def test_no_expectation_is_without_a_damage_that_breaks_it():
    stated = [
        f"{name}: {expectation['type']}" + (f"({columns})" if columns else "")
        for name in gate.SUITES
        for expectation in gate.load(name)["expectations"]
        for columns in [", ".join(gate.columns_of({"expectations": [expectation]}))]
    ]

    damaged = {named(table, kind, column) for table, column, _, kind in SPOILT}
    damaged |= {named(table, kind) for table, kind in EMPTIED}
    assert set(stated) == damaged
    assert len(stated) == len(damaged), "results are kept by suite and expectation"


def test_expectations_are_counts_of_what_sql_finds():
    """Every finding has its expectation, and every expectation of a count has a finding."""
    differences = {"eligible_without_outcome", "counted_beyond_eligible"}
    differences |= {"compactions_without_outcome", "rows_accepted"}
    for suite, findings in gate_offenders.FINDINGS.items():
        mart = warehouse.read_model(assets.folder("sql", "marts") / f"{findings}.sql")
        read = [model.sql for model in warehouse.models() if model.name in mart.reads]
        sql = "".join([mart.sql, *read])
        columns = set(gate.columns_of(gate.load(suite))) - differences

        assert {
            column
            for column in columns
            if f" as {column}" not in sql and f"'{column}' as finding" not in sql
        } == set()


# Damage to the rows themselves -> what is found, and how many rows it names.
FOUND = [
    ("insert into int_rows_at_hand from int_rows_at_hand limit 1", "rows_repeated", 1),
    ("delete from int_rows_at_hand where event = 'post_compact'", "rows_lost", 4),
    ("update raw_threads set session_hash = 'mine' where thread = 1", "rows_misshapen", 6),
    (
        """update stg_audit_lines set counts = '{"note": "my dog"}' where line_number = 1""",
        "rows_with_free_text",
        1,
    ),
    (
        "update stg_audit_lines set agent_version = 'I said so' where line_number < 5",
        "rows_with_free_text",
        4,
    ),
    (
        "update stg_audit_lines set recorded_at = '2001-01-01' where event = 'pre_compact'",
        "rows_before_any_guard",
        4,
    ),
    (
        "update stg_audit_lines set last_boundary_bytes = transcript_bytes + 1 "
        "where event = 'pre_compact'",
        "boundaries_ahead_of_reading",
        4,
    ),
    ("delete from int_compactions_announced where outcome = 'injected'", "pre_compacts_lost", 4),
    (
        "update int_compactions_announced set compaction_id = 'x' || compaction_id",
        "compactions_invented",
        4,
    ),
    (
        "insert into int_compactions_announced from int_compactions_announced limit 1",
        "compactions_twice",
        1,
    ),
    ("update present_compactions set outcome = 'aborted'", "counted_not_eligible", 4),
    (
        "update int_session_starts_assigned set pre_row_id = null",
        "injections_unplaced",
        4,
    ),
]


@pytest.mark.parametrize(("damage", "finding", "count"), FOUND)
def test_what_breaks_is_counted_from_the_rows_and_named(work, damage, finding, count):
    found = {
        result.expectation: result
        for result in run_after(work, damage, *COUNTED, suites=tuple(gate_offenders.FINDINGS))
        if not result.success
    }

    result = found[f"expect_column_values_to_be_in_set({finding})"]
    assert (result.observed, len(result.offending)) == (count, count)
    assert all(offender.offending_key for offender in result.offending)


def test_rows_after_the_evaluation_and_clocks_that_step_back_are_warnings():
    clocks = Session("s1").delivered("aa").wait(hours=-3).delivered("bb")
    late = Session("s2", at=NIGHT + timedelta(hours=1)).pre("cc")

    warned = {
        result.expectation: (result.severity, result.observed)
        for result in results_of(rows_of([clocks, late]))
        if not result.success
    }

    assert warned == {
        "expect_column_values_to_be_in_set(clocks_stepped_back)": ("warning", 1),
        "expect_column_values_to_be_in_set(rows_after_as_of)": ("warning", 1),
    }


def test_two_compactions_under_one_checkpoint_are_named_by_it():
    rows = rows_of([Session("s1").delivered("aa"), Session("s2").delivered("aa")])

    [result] = [result for result in results_of(rows) if not result.success]

    assert result.expectation == "expect_column_values_to_be_in_set(checkpoints_shared)"
    assert [offender.offending_key for offender in result.offending] == [digest("aa")]


def test_the_first_twenty_offenders_are_named_in_order_and_the_rest_counted():
    with built(rows_of(busy_weeks(sessions=3, compactions=30))) as connection:
        results = run_after(
            connection,
            "update stg_audit_rows set origin = 'staged'",
            suites=("stg_audit_rows",),
        )

    [result] = [one for one in results if one.expectation.endswith("in_set(origin)")]
    times = [offender.recorded_at for offender in result.offending]
    assert (result.observed, len(times)) == (90, 20)
    assert times == sorted(times)


def test_results_are_kept_and_an_equal_evaluation_replaces_them():
    story = Session("s1").delivered("aa").start("zz")
    with built(story.rows) as connection:
        for _ in range(2):
            gate.store(connection, OCCASION, gate.run(connection))
        kept = warehouse.rows(connection, "select * from gate_results")

    assert len(kept) == sum(len(gate.load(name)["expectations"]) for name in gate.SUITES)
    [orphan] = [row for row in kept if not row["success"]]
    assert (orphan["severity"], orphan["observed"]) == ("critical", 1)
    [offender] = orphan["offending"]
    assert offender["offending_key"] == story.rows[-1]["event_id"]


def test_results_are_plain_values_and_not_those_of_a_frame():
    rows = [*Session("s1").delivered("aa").start("zz").rows, *Session("s2").aborted("bb").rows]
    rows[0]["agent_version"] = None

    with built(rows) as connection:
        results = [result._asdict() for found in gate.run(connection).values() for result in found]

    kinds = {name: {type(result[name]) for result in results} for name in results[0]}
    assert (kinds["success"], kinds["observed"]) == ({bool}, {int})
    told = [{name: result[name] for name in result if name != "offending"} for result in results]
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_two_logs_judged_as_of_one_time_each_keep_their_own_results():
    orphaned = Session("s1").delivered("aa").start("zz")
    with built(orphaned.rows) as connection:
        found = gate.run(connection, suites=("evidence_identities",))
        gate.store(connection, OCCASION, found)
        gate.store(connection, OCCASION._replace(audit="another"), {})

        kept = connection.execute("select distinct audit from gate_results where not success")
        assert kept.fetchall() == [(OCCASION.audit,)]


def test_data_docs_have_a_page_for_every_suite_of_every_interface(tmp_path):
    with built([*WORK, *Session("s1", "codex/cli").delivered("aa").rows]) as connection:
        gate.run(connection, tmp_path / "docs")

    pages = [path.parts[-4] for path in (tmp_path / "docs").glob("validations/*/*/*/*.html")]
    assert sorted(pages) == sorted(
        f"{suite} of {interface}"
        for suite in gate.SUITES
        for interface in ("claude-code anthropic", "codex cli")
    )
    assert (tmp_path / "docs" / "index.html").is_file()


def test_a_folder_for_data_docs_that_cannot_be_made_is_refused(work, tmp_path):
    (tmp_path / "docs").write_text("a file, no folder")

    with pytest.raises(UsageError, match="--data-docs"):
        gate.run(work, tmp_path / "docs")


def test_data_docs_that_were_not_written_are_missed(tmp_path):
    with pytest.raises(UsageError, match="nothing was written"):
        gate_validator.Validator(tmp_path / "docs").build_data_docs()


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

    with built(WORK) as connection, pytest.raises(gate.BrokenSuite, match="does not exist"):
        gate.run(connection, suites=("compactions",))

"""A warehouse of every earlier layout is brought up to the present one, its history kept."""

from pathlib import Path

import duckdb
import pytest

from compact_guard.errors import UsageError
from compact_guard.evaluator import history, layout, warehouse
from tests import snapshots
from tests.builders import Session, rows_of, write_log
from tests.evaluator.damage import garble_middle, leave_a_log
from tests.evaluator.nights import night, told

LAYOUTS = Path(__file__).parent / "layouts"

# Layout version -> the release that made it first, and so the file of its tables here.
RELEASES = {0: "unversioned", 1: "0.1.0", 2: "0.2.0"}


@pytest.fixture
def log(tmp_path) -> Path:
    """A small audit log."""
    return write_log(tmp_path / "audit", rows_of([Session("s1").delivered("aa").aborted("bb")]))


def tables(connection: duckdb.DuckDBPyConnection) -> str:
    """The stored tables as the SQL that makes them."""
    found = []
    for model in sorted(warehouse.models(), key=lambda model: model.name):
        if model.layer in warehouse.STORED:
            columns = ",\n".join(
                f"    {name} {kind}{' not null' if null == 'NO' else ''}"
                for name, kind, null, *_ in connection.execute(f"describe {model.name}").fetchall()
            )
            found.append(f"create table {model.name} (\n{columns}\n);\n")
    return "".join(found)


def made_by(release: str, file: Path, version: int) -> None:
    """A warehouse as that release left it, with a verdict where it kept them."""
    with duckdb.connect(str(file)) as connection:
        connection.execute((LAYOUTS / f"{release}.sql").read_text(encoding="utf-8"))
        # Something to lose, and something that must not be taken for rows of today.
        connection.execute("insert into raw_audit_lines (file, line_number, line_bytes, line_hash) "
                           "values ('/old/log.jsonl', 1, 10, 'cafe')")  # fmt: skip
        if version:
            connection.execute(
                "insert into raw_files values "
                "('audit', '/old/log.jsonl', '1:1', 10, 1, 1, 1, 10, 1, '', '', false)"
            )
            connection.execute("insert into layout_version values (?)", [version])
            connection.execute(
                "insert into verdicts (audit, as_of, evaluated_at, interface, verdict, "
                "is_rehearsal, natural_events, sessions, eligible_counted, counted_failures, "
                "unresolved, orphan_injections, witnessed_compactions, outcomes, confidence, "
                "reasons, evidence_hash) values ('/old', '2026-01-01', '2026-01-01', 'codex/cli', "
                "'KEEP', false, 171, 20, 59, 0, 0, 0, 0, '{}', 0.95, [], 'beef')"
            )
        if version == 1:
            connection.execute(
                "insert into gate_results select as_of, is_rehearsal, interface, 'compactions', "
                "'expect_something', 'critical', true, 0, [] from verdicts"
            )


def test_every_layout_has_its_release_and_the_present_one_is_the_last():
    assert list(RELEASES) == list(range(layout.VERSION + 1))
    assert {path.stem for path in LAYOUTS.glob("*.sql")} == set(RELEASES.values())


def test_a_changed_table_needs_a_new_layout_version():
    """Fails where sql/raw or sql/kept changed: evaluator/layout.py says what to do."""
    with duckdb.connect() as connection:
        warehouse.create(connection)
        snapshots.check(tables(connection), LAYOUTS / f"{RELEASES[layout.VERSION]}.sql")


@pytest.mark.parametrize("version", RELEASES)
def test_a_warehouse_of_every_release_is_brought_up_to_date(tmp_path, log, version):
    file, fresh = tmp_path / "old.duckdb", tmp_path / "fresh.duckdb"
    made_by(RELEASES[version], file, version)

    found = night(file, log)

    assert told(found) == told(night(fresh, log))
    with warehouse.connect(file) as old, warehouse.connect(fresh) as new:
        assert tables(old) == tables(new)
        assert layout.found(old) == layout.VERSION
        assert [row["verdict"] for row in history.read(old, "/old")] == ["KEEP"][: bool(version)]


def test_results_of_the_gate_that_named_no_log_get_the_one_of_their_verdict(tmp_path, log):
    file = tmp_path / "old.duckdb"
    made_by("0.1.0", file, 1)

    night(file, log)

    with warehouse.connect(file) as connection:
        found = connection.execute("select audit, expectation from gate_results").fetchall()
    assert found == [("/old", "expect_something")]


def test_what_a_damaged_warehouse_of_an_older_layout_remembers_is_rescued(tmp_path, log):
    file = tmp_path / "old.duckdb"
    made_by("0.1.0", file, 1)
    garble_middle(leave_a_log(file))

    outcome = night(file, log)

    assert "1 verdicts of its history were rescued" in outcome.notes[0]
    with warehouse.connect(file) as connection:
        assert [row["verdict"] for row in history.read(connection, "/old")] == ["KEEP"]
        assert connection.execute("select audit from gate_results").fetchall() == [("/old",)]


def test_a_newer_layout_is_left_alone_and_says_what_to_do(tmp_path, log):
    file = tmp_path / "newer.duckdb"
    made_by("0.1.0", file, 99)
    content = file.read_bytes()

    with pytest.raises(UsageError, match=r"newer\.duckdb: a newer compact-guard .*upgrade"):
        night(file, log)
    assert file.read_bytes() == content


def test_a_migration_that_is_cut_short_begins_again(tmp_path, log, monkeypatch):
    file = tmp_path / "old.duckdb"
    made_by("unversioned", file, 0)

    def fail(_connection):
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(warehouse, "create", fail)
        with pytest.raises(RuntimeError, match="killed"):
            night(file, log)

    with duckdb.connect(str(file)) as connection:
        assert connection.execute("select file from raw_audit_lines").fetchall() == [
            ("/old/log.jsonl",)
        ]
    assert night(file, log).rows.read > 0

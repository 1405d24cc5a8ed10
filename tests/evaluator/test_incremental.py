"""Only what is new is read, and the warehouse never knows anything else than a fresh one would."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.errors import UsageError
from compact_guard.evaluator import audit_lines, audit_log, log_files, notes
from tests.evaluator.logs import Log, fresh, lines, memory, row, zstandard


@pytest.fixture
def connection():
    """An empty warehouse in memory."""
    with memory() as opened:
        yield opened


@pytest.fixture
def parsed(monkeypatch) -> list[int]:
    """The numbers of the lines parsed since it was cleared."""
    numbers: list[int] = []
    insert = audit_lines.insert

    def counting(connection, judged, stretches) -> int:
        for stretch in stretches:
            first = stretch.after_line + 1
            numbers.extend(range(first, first + len(stretch.texts)))
        return insert(connection, judged, stretches)

    monkeypatch.setattr(audit_lines, "insert", counting)
    return numbers


def same_as_fresh(connection, *paths: Path) -> None:
    audit_log.load(connection, list(paths))
    assert lines(connection) == fresh(*paths)


@pytest.mark.usefixtures("later")
def test_a_file_that_did_not_change_is_not_even_opened(tmp_path, connection, monkeypatch):
    Log(tmp_path / "a.jsonl").append(row(), row())
    audit_log.load(connection, [tmp_path])
    monkeypatch.setattr(log_files, "open_decompressed", None)

    assert audit_log.load(connection, [tmp_path]) == 0


def test_of_a_file_that_grew_only_the_new_lines_are_read(tmp_path, connection, parsed):
    log = Log(tmp_path / "a.jsonl").append(row(), row(), "", row())
    audit_log.load(connection, [tmp_path])
    log.append(row(), row())
    parsed.clear()

    assert audit_log.load(connection, [tmp_path]) == 2
    assert parsed == [5, 6]
    assert lines(connection) == fresh(tmp_path)


def test_a_line_without_its_end_counts_until_the_rest_of_it_comes(tmp_path, connection):
    whole = row()
    log = Log(tmp_path / "a.jsonl").append(row(), whole[:100], end="")
    same_as_fresh(connection, tmp_path)
    assert lines(connection)[1][3] == "not_json"

    log.append(whole[100:], row())

    same_as_fresh(connection, tmp_path)
    assert [line[3] for line in lines(connection)] == [None, None, None]


@pytest.mark.parametrize("name", ["b.jsonl", "a.jsonl.1", "a.jsonl-20261106", "a.jsonl.2.gz"])
def test_a_rotated_log_counts_once_under_its_new_name(tmp_path, connection, name):
    log = Log(tmp_path / "a.jsonl").append(row(), "torn {", row())
    audit_log.load(connection, [tmp_path])
    log.rotate(name).append(row())

    same_as_fresh(connection, tmp_path)
    assert notes.read(connection) == ()


def test_a_field_that_was_null_for_long_may_hold_text_in_the_end(tmp_path, connection):
    """DuckDB looks at the first 20,480 rows when it guesses types."""
    known = json.loads(row()) | {"event_id": "e" * 24}
    silent = json.dumps(known | {"model": None})
    told = json.dumps(known | {"event_id": "f" * 24, "model": "claude-opus-5-5"})
    rows = (silent.replace("e" * 24, f"{number:024x}") for number in range(20_480))
    Log(tmp_path / "a.jsonl").append(*rows, told)

    audit_log.load(connection, [tmp_path])

    found = connection.execute("select reject_reason, model, count(*) from raw_audit_lines "
                               "group by all order by all").fetchall()  # fmt: skip
    assert found == [(None, "claude-opus-5-5", 1), (None, None, 20_480)]


def test_a_zstandard_log_is_read(tmp_path, connection):
    log = Log(tmp_path / "a.jsonl").append(row(), row())
    (tmp_path / "b.jsonl.zst").write_bytes(zstandard(log.path.read_bytes()))
    log.path.unlink()

    assert audit_log.load(connection, [tmp_path]) == 2


def test_a_compressed_log_that_breaks_off_keeps_what_stands_before_the_break(tmp_path, connection):
    log = Log(tmp_path / "a.jsonl").append(*(row() for _ in range(50)))
    log.rotate("a.jsonl.gz")
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(packed.read_bytes()[:-2_000])

    audit_log.load(connection, [tmp_path])

    reasons = [line[3] for line in lines(connection)]
    assert reasons[0] is None
    assert reasons[-1] == "damaged"


def test_a_copy_beside_the_original_is_read_too(tmp_path, connection):
    log = Log(tmp_path / "a.jsonl").append(row())
    audit_log.load(connection, [tmp_path])
    (tmp_path / "copy.jsonl").write_bytes(log.path.read_bytes())

    same_as_fresh(connection, tmp_path)
    assert len(lines(connection)) == 2


@pytest.mark.parametrize("size", [0, 1, 700, 1_400])
def test_a_truncated_log_holds_what_it_still_holds(tmp_path, connection, size):
    log = Log(tmp_path / "a.jsonl").append(row(), row(), row())
    audit_log.load(connection, [tmp_path])
    log.truncate(size)

    same_as_fresh(connection, tmp_path)


@pytest.mark.parametrize("how", ["overwrite", "replace"])
@pytest.mark.parametrize("count", [1, 3, 9])
def test_other_content_in_its_place_is_read_instead(tmp_path, connection, how, count):
    log = Log(tmp_path / "a.jsonl").append(row(), row(), row())
    audit_log.load(connection, [tmp_path])
    getattr(log, how)(*(row() for _ in range(count)))

    same_as_fresh(connection, tmp_path)
    assert len(lines(connection)) == count


def test_content_of_equal_length_within_one_tick_of_the_clock_is_noticed(tmp_path, connection):
    first = row()
    log = Log(tmp_path / "a.jsonl").append(first)
    audit_log.load(connection, [tmp_path])
    log.overwrite(first.replace("0.1.0", "0.1.1"))

    same_as_fresh(connection, tmp_path)


def test_a_log_that_is_gone_still_counts_and_that_is_said(tmp_path, connection):
    Log(tmp_path / "a.jsonl").append(row(), row())
    Log(tmp_path / "b.jsonl").append(row())
    audit_log.load(connection, [tmp_path])
    (tmp_path / "a.jsonl").unlink()

    audit_log.load(connection, [tmp_path])

    assert len(lines(connection)) == 3
    assert "2 lines of audit logs that are gone still count" in notes.read(connection)[0]


def test_a_log_that_comes_back_counts_as_it_is(tmp_path, connection):
    log = Log(tmp_path / "a.jsonl").append(row(), row())
    Log(tmp_path / "b.jsonl").append(row())
    audit_log.load(connection, [tmp_path])
    log.path.unlink()
    audit_log.load(connection, [tmp_path])
    log.append(row())

    same_as_fresh(connection, tmp_path)


def test_where_all_logs_are_gone_the_warehouse_still_remembers(tmp_path, connection):
    log = Log(tmp_path / "a.jsonl").append(row())
    audit_log.load(connection, [tmp_path])
    log.path.unlink()

    audit_log.load(connection, [tmp_path])

    assert len(lines(connection)) == 1


def test_an_empty_folder_says_how_to_install_the_hooks(tmp_path, connection):
    with pytest.raises(UsageError, match="compact-guard install claude-code"):
        audit_log.load(connection, [tmp_path])


def test_a_folder_with_a_logs_name_is_walked_into_and_no_log(tmp_path, connection):
    (tmp_path / "old.jsonl").mkdir()
    Log(tmp_path / "old.jsonl" / "a.jsonl").append(row())

    assert audit_log.load(connection, [tmp_path]) == 1


def test_another_folders_rows_stay_out_and_come_back_unread(tmp_path, connection, parsed):
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    Log(mine / "a.jsonl").append(row(), row())
    Log(theirs / "a.jsonl").append(row())

    same_as_fresh(connection, mine)
    same_as_fresh(connection, theirs)
    same_as_fresh(connection, mine, theirs)
    same_as_fresh(connection, mine / "a.jsonl")
    assert len(lines(connection)) == 2


def test_a_folder_whose_name_only_begins_alike_is_another(tmp_path, connection):
    Log(tmp_path / "log" / "a.jsonl").append(row())
    Log(tmp_path / "log2" / "a.jsonl").append(row())
    audit_log.load(connection, [tmp_path / "log2"])

    same_as_fresh(connection, tmp_path / "log")


def test_a_line_of_many_megabytes_is_rejected_and_never_held(tmp_path, connection):
    monster = "x" * (3 << 20)
    Log(tmp_path / "a.jsonl").append(row(), monster, row())

    same_as_fresh(connection, tmp_path)
    assert [line[3] for line in lines(connection)] == [None, "too_long", None]
    assert connection.execute("select max(line_bytes) from raw_audit_lines").fetchone() == (
        3 << 20,
    )


def test_a_long_log_is_handed_on_in_portions(tmp_path, connection, monkeypatch):
    monkeypatch.setattr(log_files, "PORTION_LINES", 3)
    monkeypatch.setattr(log_files, "CHUNK_BYTES", 4_500)
    log = Log(tmp_path / "a.jsonl").append(*(row() for _ in range(10)))
    Log(tmp_path / "b.jsonl").append(row())

    same_as_fresh(connection, tmp_path)
    log.append(*(row() for _ in range(7)))
    same_as_fresh(connection, tmp_path)


NAMES = st.sampled_from(["a.jsonl", "b.jsonl"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), NAMES, st.integers(1, 8)),
        st.tuples(st.just("tear"), NAMES, st.integers(1, 600)),
        st.tuples(st.just("truncate"), NAMES, st.integers(0, 9_000)),
        st.tuples(st.just("overwrite"), NAMES, st.integers(0, 8)),
        st.tuples(st.just("replace"), NAMES, st.integers(0, 8)),
        st.tuples(st.just("rotate"), NAMES, st.integers(1, 3)),
        st.tuples(st.just("pack"), NAMES, st.integers(1, 3)),
        st.tuples(st.just("copy"), NAMES, st.integers(1, 3)),
        st.tuples(st.just("evaluate"), NAMES, st.just(0)),
    ),
    max_size=14,
)


def take(step: tuple[str, str, int], folder: Path, connection) -> None:
    """One step of the story of a folder of logs."""
    what, name, number = step
    log = Log(folder / name)
    log.path.touch()
    steps = {
        "append": lambda: log.append(*(row() for _ in range(number))),
        "tear": lambda: log.append(row()[:number], end=""),
        "truncate": lambda: log.truncate(number),
        "overwrite": lambda: log.overwrite(*(row() for _ in range(number))),
        "replace": lambda: log.replace(*(row() for _ in range(number))),
        "rotate": lambda: log.rotate(f"{name}.{number}"),
        "pack": lambda: log.rotate(f"{name}.{number}.gz"),
        "copy": lambda: (folder / f"copy{number}.jsonl").write_bytes(log.path.read_bytes()),
        "evaluate": lambda: audit_log.load(connection, [folder]),
    }
    steps[what]()


@settings(max_examples=60)
@given(STEPS)
def test_whatever_happened_to_the_files_the_lines_are_those_of_a_fresh_reading(steps):
    # What rotation overwrites is gone, and what is gone still counts: not so in a fresh reading.
    numbered = [
        (what, name, 10 + place if what in ("rotate", "pack", "copy") else number)
        for place, (what, name, number) in enumerate(steps)
    ]
    with tempfile.TemporaryDirectory() as folder, memory() as connection:
        for step in numbered:
            take(step, Path(folder), connection)
        Log(Path(folder) / "last.jsonl").append(row())

        audit_log.load(connection, [Path(folder)])

        assert lines(connection) == fresh(Path(folder))

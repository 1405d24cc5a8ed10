"""Lines that come many in a text are cut, told apart and numbered as if each came by itself."""

import json
from typing import Any

import duckdb
import pytest

from compact_guard.evaluator import audit_lines, ingest, plain_rows, row_forms, spellings, warehouse
from tests.builders import Session, rows_of

ROWS = rows_of([Session("s1").delivered("aa").aborted("bb"), Session("s2").delivered("cc")])


def spelled(row: dict[str, Any], *, blank: str = "") -> str:
    return json.dumps(row, separators=(f",{blank}", f":{blank}"))


def inserted(*stretches: audit_lines.Stretch) -> list[tuple[Any, ...]]:
    """File, number, event, reason and whether it is plain, of every line."""
    with duckdb.connect() as connection:
        warehouse.create(connection)
        audit_lines.insert(connection, (), stretches)
        return connection.execute(
            "select file, line_number, event_id, reject_reason, spelling is not null "
            "from raw_audit_lines order by all"
        ).fetchall()


def as_one_text(file: str, after_line: int, lines: list[str]) -> audit_lines.Stretch:
    return audit_lines.Stretch(file, after_line, ["\n".join(lines)], [len(lines)])


def test_lines_that_came_as_one_text_are_the_lines_that_came_alone():
    lines = [spelled(row) for row in ROWS]
    lines[2:2] = ["", "no row", '{"schema": "é"}', " ", ""]

    together = inserted(as_one_text("a", 4, lines), as_one_text("b", 0, lines[:3]))

    alone = inserted(
        audit_lines.Stretch("a", 4, lines), audit_lines.Stretch("b", 0, lines[:3], [1] * 3)
    )
    assert together == alone
    assert [(number, reason) for file, number, _, reason, _ in together if file == "a"] == [
        *((number, None) for number in (5, 6)),
        (8, "not_json"),
        (9, "foreign_schema"),
        *((number, None) for number in range(12, 12 + len(ROWS) - 2)),
    ]


def test_a_text_that_holds_other_letters_has_its_plain_lines_read_as_plain():
    lines = [spelled(row) for row in ROWS] + ["é"]

    assert [plain for *_, plain in inserted(as_one_text("a", 0, lines))] == [
        *[True] * len(ROWS),
        False,
    ]


def test_two_guards_that_write_into_one_file_are_both_plain():
    lines = [spelled(row, blank=" " * (number % 2)) for number, row in enumerate(ROWS)]

    assert all(plain for *_, plain in inserted(as_one_text("a", 0, lines)))


def test_a_form_that_the_sample_missed_is_learned_in_the_next_pass(monkeypatch):
    monkeypatch.setattr(plain_rows, "SAMPLE_LINES", 1)
    lines = [spelled(ROWS[0])] * 20 + [spelled(ROWS[1])] * 2

    found = inserted(as_one_text("a", 0, lines))

    assert [plain for *_, plain in found] == [True] * 22


@pytest.mark.parametrize("name", ["session_hash", "transcript_hash", "turn_hash", "event_id"])
@pytest.mark.parametrize("value", ["G" * 64, "A" * 64, "a" * 63 + "\\", "a" * 63 + " "])
def test_a_hash_that_is_none_is_left_to_the_contract(name, value):
    lines = [spelled(row) for row in ROWS]
    lines.append(spelled(ROWS[0]).replace(ROWS[0][name] or "null", value))
    lines.append(spelled(ROWS[0] | {name: value}))

    reasons = [reason for _, _, _, reason, _ in inserted(as_one_text("a", 0, lines))]

    assert reasons[:-2] == [None] * len(ROWS)
    assert reasons[-1] == "breaks_schema"
    assert reasons[-2] == _reason(lines[-2])


def _reason(text: str) -> str | None:
    return ingest.parse_line(text.encode(), "a", 1).reject_reason


@pytest.mark.parametrize(
    "counts",
    ['{"bytes":1,"bytes":1}', '{"bytes":1,}', '{"bytes":NaN}', '{"bytes":01}', '{"bytes":-1}',
     '{"bytes":"1"}', '{"bytes":true}', '{"bytes":{}}', '{"bytes": 1}', '{"words":1}', "{}}", "[]"],
)  # fmt: skip
def test_counts_that_two_readers_could_take_differently_are_left_to_the_contract(counts):
    lines = [spelled(ROWS[0] | {"counts": {"bytes": 1}})] * 3
    odd = lines[0].replace('{"bytes":1}', counts)

    *plain, last = inserted(as_one_text("a", 0, [*lines, odd]))

    assert all(is_plain for *_, is_plain in plain)
    assert not last[-1]
    assert last[-2] == _reason(odd)


def test_a_line_is_cut_into_pieces_that_give_it_back():
    line = spelled(ROWS[0], blank=" ")
    spelling = spellings.spelling_of(line)

    pieces = spelling.cut(line)

    assert [*pieces] == [name for name in spelling.field_names if name != "counts"]
    assert all(line.count(piece) == 1 for piece in pieces.values())


def test_the_contract_asks_the_same_of_every_count():
    """Else a form would have to hold which of them are null."""
    counts = ingest.schema()["properties"]["counts"]

    [asked] = {json.dumps(one) for one in counts["properties"].values()}
    assert json.loads(asked) == {"anyOf": [{"type": "number", "minimum": 0}, {"type": "null"}]}
    assert counts["additionalProperties"] is False


def test_rows_that_differ_in_hashes_times_and_numbers_have_one_form():
    texts = [spelled(row) for row in ROWS if row["event"] == "session_start"]

    assert len(texts) > 1
    [form] = row_forms.learned(texts)[1]
    assert form.count_names == ()

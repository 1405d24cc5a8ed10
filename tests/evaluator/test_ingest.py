"""Every line of a log is a row or a rejection with its reason: none vanishes, no text is kept."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.errors import UsageError
from compact_guard.evaluator import ingest, log_files
from tests.builders import Session, write_log

ROW = Session("s1").pre("aa").rows[0]


def judged(line: str | bytes) -> str | None:
    raw = line.encode() if isinstance(line, str) else line
    return ingest.parse_line(raw, "log.jsonl", 1).reject_reason


def changed(**fields) -> str:
    return json.dumps(ROW | fields)


def lines_of(log) -> list[ingest.Line]:
    """Every non-blank line of a log, read for the first time."""
    stretches = [part.stretch for part in log_files.portions(str(log), log, None)]
    return [
        ingest.parse_line(content, one.file, number)
        for one in stretches
        for number, text in enumerate(one.texts, start=one.after_line + 1)
        if (content := text.encode().strip(b"\r\n "))
    ]


def test_a_row_of_the_contract_is_accepted():
    assert judged(json.dumps(ROW)) is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("not json at all", "not_json"),
        (json.dumps(ROW)[:100], "not_json"),
        (json.dumps(ROW) + "TRAILER", "not_json"),
        (json.dumps(ROW) * 2, "not_json"),
        (b"\0" * 200, "not_json"),
        (b'{"a": "\xff"}', "not_json"),
        ("[" * 3_000, "not_json"),
        (changed(duration_ms=float("nan")), "not_json"),
        ("[1, 2, 3]", "not_an_object"),
        ('{"a": 1}', "foreign_schema"),
        (changed(schema=7), "foreign_schema"),
        (changed(schema="compact-guard.audit/2"), "newer_schema"),
        (changed(outcome="splendid"), "breaks_schema"),
        (changed(reason="the password is hunter22"), "breaks_schema"),
        (changed(checkpoint_hash=None), "breaks_schema"),
        (changed(session_hash="\ud83d" + "a" * 63), "breaks_schema"),
        (changed(event_id="a" * 24 + "\n"), "breaks_schema"),
        (changed(recorded_at="2026-02-31T03:00:00Z"), "no_such_time"),
        (changed(recorded_at="2026-02-01T25:00:00Z"), "no_such_time"),
        (changed(transcript_bytes=2**63), "number_too_large"),
        (changed(note="x" * 4_000), "too_long"),
    ],
)
def test_a_line_that_is_no_row_says_why(line, reason):
    assert judged(line) == reason


def test_a_rejection_keeps_nothing_of_the_line_but_its_hash_and_length():
    line = ingest.parse_line(b'{"prompt": "the password is hunter22"}', "log.jsonl", 7)

    assert "hunter22" not in repr(line)
    assert (line.line_number, line.line_bytes, line.row) == (7, 38, None)


def test_fields_that_the_contract_does_not_know_are_not_kept():
    line = ingest.parse_line(changed(prompt="secret").encode(), "log.jsonl", 1)

    assert line.row is not None
    assert "secret" not in repr(line)


def test_a_stranger_with_half_a_surrogate_pair_spoils_no_row():
    assert judged(changed(note="\ud83d")) is None


def test_byte_order_mark_line_ends_and_blank_lines_are_no_fault(tmp_path):
    log = tmp_path / "log.jsonl"
    row = json.dumps(ROW)
    log.write_bytes(f"\ufeff{row}\r\n\n  \r\n{row}\n{row}".encode())

    lines = lines_of(log)

    assert [(line.line_number, line.reject_reason) for line in lines] == [
        (1, None),
        (4, None),
        (5, None),
    ]


def test_nine_digits_of_a_second_are_cut_to_six():
    line = ingest.parse_line(changed(recorded_at="2026-11-05T03:00:00.123456789Z").encode(), "f", 1)

    assert line.row is not None
    assert line.row["recorded_at"].microsecond == 123456


def test_equal_content_is_spelled_alike_whatever_the_order_and_the_strangers_beside_it():
    turned = dict(reversed(ROW.items())) | {"stranger": 1}
    first, second = (
        ingest.parse_line(json.dumps(row).encode(), "f", 1).row for row in (ROW, turned)
    )

    assert first is not None
    assert second is not None
    assert ingest.canonical(first) == ingest.canonical(second)


@settings(max_examples=300)
@given(st.binary(max_size=300))
def test_no_bytes_whatever_break_the_reader(raw):
    reason = judged(raw)

    assert reason is not None


@settings(max_examples=200)
@given(st.sampled_from(sorted(ROW)), st.one_of(st.none(), st.integers(), st.text(max_size=20)))
def test_any_value_in_any_field_is_judged(field, value):
    assert judged(changed(**{field: value})) in (
        None, "foreign_schema", "newer_schema", "breaks_schema", "no_such_time", "number_too_large"
    )  # fmt: skip


def test_a_missing_log_says_how_to_install_the_hooks(tmp_path):
    with pytest.raises(UsageError, match="compact-guard install claude-code"):
        log_files.find([tmp_path / "nowhere"])


def test_a_file_named_twice_is_read_once(tmp_path):
    log = write_log(tmp_path, [ROW])

    assert len(log_files.find([log, log / "2026-11-05.jsonl"])) == 1


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path):
    (tmp_path / "2026-11-05.jsonl").mkdir()

    with pytest.raises(UsageError, match="cannot read"):
        lines_of(tmp_path / "2026-11-05.jsonl")

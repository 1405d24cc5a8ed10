"""What is told by its form alone is told as the contract's schema would have told it."""

import json
import random
from collections.abc import Callable, Iterable
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.evaluator import audit_lines, ingest, warehouse
from tests.builders import Session, rows_of

STORY = rows_of(
    [
        Session("s1").delivered("aa").aborted("bb"),
        Session("s2", "codex/cli").pre("cc", turn="t1").finish().start("cc").receipt(),
    ]
)

# Written like a guard's values, but for what lies at the bounds of what two readers agree about.
VALUES = (
    None, True, False, 0, 1, -1, 1.0, 0.5, -0.0, 1e300, 12345.678901, 10**14, 10**15, 2**63 - 1,
    2**63, 10**25, "", "null", "a" * 64, "A" * 64, "a" * 65, "0" * 16, "é", "\u0661" * 16, "a\n",
    'a"b', "a\\b", "auto", "manual", "immediate", "next_turn", "compact", "startup", "saved",
    "injected", "failed", "recorded", "skipped", "refused", "none", "empty", "pre_compact",
    "session_start", "post_compact", "natural", "synthetic", "internal_error", "claude-code",
    "codex/cli", "a/b/c", "2.1.332", "gpt-5[1m]", "2026-02-28T23:59:59Z", "2026-02-29T00:00:00Z",
    "2024-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-11-05T24:00:00Z", "2026-11-05T23:59:60Z",
    "2026-11-05T03:00:00.1Z", "0001-01-01T00:00:00Z", "2026-11-05T03:00:00.123456Z",
    "2026-11-05T03:00:00.1234567Z", "2026-11-05T03:00:00", "9999-12-31T23:59:59Z",
    "compact-guard.audit/1", "compact-guard.audit/2", {}, {"bytes": 1},
    {"tasks": 3, "bytes": None}, {"tasks": 2.5}, {"bytes": -1}, {"words": 1}, {"bytes": "1"}, [],
)  # fmt: skip

SPELLINGS: tuple[Callable[[Any], str], ...] = (
    json.dumps,
    lambda row: json.dumps(row, separators=(",", ":")),
    lambda row: json.dumps(row, ensure_ascii=False),
    lambda row: json.dumps(row, indent=1).replace("\n", " "),
    lambda row: json.dumps(dict(reversed(row.items()))),
    lambda row: f" {json.dumps(row)}",
    lambda row: json.dumps(row) + "\r",
    lambda row: json.dumps(row)[:-1] + ', "event": "post_compact"}',
    lambda row: json.dumps(row).replace('{"bytes": 1}', '{"bytes": 1, "bytes": 2}'),
    lambda row: json.dumps(row).replace("1.0", "1.00").replace(": 1,", ": 01,"),
)  # fmt: skip


def table(judged: Iterable[ingest.Line], texts: Iterable[bytes] = ()) -> list[tuple[Any, ...]]:
    """What the warehouse holds of these lines; hashes of lines that it can write again by that."""
    with duckdb.connect() as connection:
        warehouse.create(connection)
        decoded = [text.decode("utf-8", "surrogateescape") for text in texts]
        audit_lines.insert(connection, judged, [audit_lines.Stretch("log.jsonl", -1, decoded)])
        connection.execute(
            "insert into raw_events_repeated "
            "select distinct event_id from raw_audit_lines where event_id is not null"
        )
        audit_lines.fill_hashes(connection)
        return connection.execute(
            "select * exclude (counts, spelling, thread), spelling is null, "
            "list_sort(json_keys(counts)), list_transform(list_sort(json_keys(counts)), "
            "lambda name: json_extract(counts, '$.\"' || name || '\"')::double) "
            "from raw_audit_lines order by line_number"
        ).fetchall()


def agree(texts: list[bytes]) -> int:
    """Both readings of these lines are one; returns how many of them were plain."""
    read = table((), texts)
    judged = table(
        ingest.parse_line(text.rstrip(b"\r\n"), "log.jsonl", number)
        for number, text in enumerate(texts)
        if text.strip()
    )
    assert [row[:-3] + row[-2:] for row in read] == [row[:-3] + row[-2:] for row in judged]
    return sum(not row[-3] for row in read)


def changed(rng: random.Random) -> bytes:
    """A row, most often with other values in some of its fields, spelled somehow."""
    row = dict(rng.choice(STORY))
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        row[rng.choice(list(row))] = rng.choice(VALUES)
    if rng.random() < 0.1:
        del row[rng.choice(list(row))]
    if rng.random() < 0.05:
        row["stranger"] = rng.choice(VALUES)
    spell = SPELLINGS[0] if rng.random() < 0.6 else rng.choice(SPELLINGS)
    return spell(row).encode()


def test_a_guards_own_rows_are_plain_once_their_like_was_seen():
    texts = [json.dumps(row, separators=(",", ":")).encode() for row in STORY * 20]

    assert agree(texts) > 0.8 * len(texts)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_a_row_holds_both_readers_see_the_same(seed):
    rng = random.Random(seed)
    plain = [json.dumps(row).encode() for row in STORY * 2]

    assert agree(plain + [changed(rng) for _ in range(2_500)]) > 300


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(STORY), st.integers(0, 1_200), st.integers(0, 3), st.binary(max_size=2)
        ),
        min_size=20,
        max_size=60,
    )
)
def test_any_bytes_anywhere_in_a_row_are_seen_alike(edits):
    texts = [json.dumps(row).encode() for row in STORY * 2]
    for row, place, cut, put in edits:
        text = json.dumps(row).encode()
        texts.append(text[:place] + put.replace(b"\n", b"") + text[place + cut :])

    agree([text for text in texts if text.strip()])


@pytest.mark.parametrize("size", [ingest.LINE_BYTES_MAX, ingest.LINE_BYTES_MAX + 1])
def test_a_line_too_long_is_not_plain_however_well_formed(size):
    texts = [json.dumps(row).encode() for row in STORY * 2]
    members = b'"bytes": 1, ' * 400
    text = next(text for text in texts if b'"counts": {}' in text)
    text = text.replace(b'"counts": {}', b'"counts": {%b"bytes": 1}' % members)
    while len(text) > size:
        text = text.replace(b'"bytes": 1, ', b"", 1)
    text = text.replace(b'"bytes": 1}', b'"bytes": 1%b}' % (b"0" * (size - len(text))))
    assert len(text) == size

    agree([*texts, text])

"""A checkpoint is a fixed point of the redactor: what a further pass finds in it is left out."""

import json

import pytest

from compact_guard.hook import composing, redaction

HEAD, KEY_LINE, FOOT = (
    "-----BEGIN RSA PRIVATE KEY-----",
    "MIIEa7b9C3d1E5f2Gh",
    "-----END RSA PRIVATE KEY-----",
)


def checkpoint_of(items: list[str], reserve: list[str] = ()) -> dict:
    as_items = ([{"rank": "recent", "offset": 1, "text": text} for text in texts]
                for texts in (items, reserve))  # fmt: skip
    return dict(zip(("items", "reserve"), as_items, strict=True))


def stable(content: dict) -> tuple[list[str], list[str], int]:
    counts = {"items_dropped": 0}
    saved = json.loads(composing._stable(content, counts))
    texts = [[item["text"] for item in saved[name]] for name in ("items", "reserve")]
    return *texts, counts["items_dropped"]


@pytest.mark.parametrize("text", [HEAD, KEY_LINE, FOOT])
def test_each_piece_of_the_key_tells_nothing_alone(text):
    assert redaction.redact(text) == text


def test_a_finding_across_items_costs_those_items_and_no_others():
    content = checkpoint_of(["Use DuckDB.", HEAD, KEY_LINE, FOOT, "Never SQLite."], ["Later."])

    assert stable(content) == (["Use DuckDB.", "Never SQLite."], ["Later."], 3)


def test_a_finding_across_items_and_reserve_costs_both_sides_of_it():
    content = checkpoint_of(["Use DuckDB.", HEAD], [KEY_LINE, FOOT, "Later."])

    assert stable(content) == (["Use DuckDB."], ["Later."], 3)


def test_a_finding_in_one_item_costs_that_item():
    content = checkpoint_of(["Use DuckDB.", "TOKEN=A7b9C3d1E5f2G8h4"])

    assert stable(content) == (["Use DuckDB."], [], 1)


def test_an_item_that_another_one_repeats_is_found_in_its_own_place():
    content = checkpoint_of(["no", "no", HEAD, KEY_LINE, FOOT, "no"], ["no"])

    assert stable(content) == (["no", "no", "no"], ["no"], 3)


def test_what_is_stable_stays_as_it_is():
    content = checkpoint_of(["Use DuckDB."], ["Later."])

    assert stable(content) == (["Use DuckDB."], ["Later."], 0)


def test_nothing_is_saved_if_nothing_would_be_left():
    with pytest.raises(composing.NothingSaved, match="redaction_failed"):
        stable(checkpoint_of([HEAD, KEY_LINE, FOOT]))


def test_nothing_is_saved_if_the_finding_is_in_no_item():
    content = checkpoint_of(["Use DuckDB."])
    content["agent"] = "TOKEN=A7b9C3d1E5f2G8h4"

    with pytest.raises(composing.NothingSaved, match="redaction_failed"):
        stable(content)


def test_nothing_is_saved_if_every_pass_finds_something_new(monkeypatch):
    monkeypatch.setattr(redaction, "redact", lambda text, _: text + "!")
    monkeypatch.setattr(redaction, "find_spans", lambda text: [(text.index("a"), len(text), "x")])

    with pytest.raises(composing.NothingSaved, match="redaction_failed"):
        stable(checkpoint_of([f"a{number}" for number in range(9)]))

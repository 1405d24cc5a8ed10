"""What holds for any text: fixed points, whole placeholders, offsets, one failure one text."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact_guard.hook import redaction, redaction_rules, redaction_views, text

# Pieces that rules care about, so that random texts are near to secrets.
PIECES = st.sampled_from((
    "password", "token: ", "key=", "ghp_", "sk-", "Violet7609mango", "A7b9C3d1E5f2G8h4", "eyJ",
    "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "[redacted:key]",
    "[redacted:", "]", "\n", " ", '"', "\\n", "\\", "%41%37", "\x1b[1m", "\u200b", "密码", "é",
    "\ud83d",
    "://u:", "@", "is ", "bearer ", "4f982ef4-d394-d9c8-1c06-b44aa7dbcd9c", "0123456789abcdef" * 2,
))  # fmt: skip
TEXTS = st.one_of(
    st.text(alphabet=st.characters(), max_size=200),
    st.lists(PIECES, max_size=24).map("".join),
)
PLACEHOLDER = re.compile(r"\[redacted:[a-z0-9-]{1,28}\]")


@given(TEXTS)
def test_a_redacted_text_is_a_fixed_point(content):
    clean = redaction.redact(content)
    assert redaction.redact(clean) == clean


@given(TEXTS, TEXTS)
def test_placeholders_survive_being_joined_and_redacted_again(first, second):
    joined = f"{redaction.redact(first)}\n{redaction.redact(second)}"
    clean = redaction.redact(joined)

    before, after = PLACEHOLDER.findall(joined), PLACEHOLDER.findall(clean)
    left = iter(after)
    assert all(mark in left for mark in before)


@given(TEXTS)
def test_spans_are_ordered_apart_and_outside_of_placeholders(content):
    spans = redaction.find_spans(content)
    marks = redaction.placeholder_spans(content)

    ends = [0, *(end for _, end, _ in spans)]
    assert all(start >= end for (start, _, _), end in zip(spans, ends, strict=False))
    assert all(start < end <= len(content) for start, end, _ in spans)
    for start, end, _ in spans:
        assert not any(start < mark_end and mark_start < end for mark_start, mark_end in marks)


@given(TEXTS)
def test_what_is_no_secret_stays_letter_by_letter(content):
    clean = redaction.redact(content)
    pieces = PLACEHOLDER.split(clean)

    position = 0
    for piece in pieces:
        position = content.find(piece, position)
        assert position >= 0
        position += len(piece)


@given(st.lists(st.sampled_from(("a", "é", "密", "😀", "\ud83d", "\udc80")), max_size=12))
def test_offsets_hold_behind_letters_of_any_width(letters):
    before = "".join(letters)
    clean = redaction.redact(f"{before} token=A7b9C3d1E5f2G8h4J6k0 {before}")

    assert clean == f"{before} token=[redacted:token] {before}"


@given(TEXTS)
def test_offsets_of_a_view_lead_back_to_its_source(content):
    view = redaction_views.plain_view(content)
    if view is None:
        return
    for offset, letter in enumerate(view.text):
        start, end = view.source_start(offset), view.source_end(offset + 1)
        assert 0 <= start <= end <= len(content)
        assert letter == content[start] or end - start > 0 or letter in redaction_views.GAP


@settings(max_examples=60)
@given(st.lists(st.sampled_from(("word ", "😀", "TOKEN=A7b9C3d1E5f2G8h4 ")), max_size=20),
       st.integers(1, 120))  # fmt: skip
def test_no_cut_goes_through_a_placeholder(pieces, units_max):
    clean = redaction.redact("".join(pieces))
    kept, _ = text.cut(clean, units_max)

    assert "[redacted:" not in PLACEHOLDER.sub("", kept)


def test_a_secret_named_once_goes_in_every_spelling():
    value = "Kx7/pQ9+mZ2~vR4w"
    others = ["bare Kx7/pQ9+mZ2~vR4w", "u=Kx7%2FpQ9%2BmZ2~vR4w", json.dumps({"a": value}),
              "b64 S3g3L3BROSttWjJ+dlI0dw"]  # fmt: skip
    clean = redaction.redact_all([*others, f"DB_PASSWORD={value}"])

    assert clean.count_failures == 0
    assert all("[redacted:password]" in found for found in clean.texts)


def test_a_text_that_never_settles_is_dropped(monkeypatch):
    def one_more_each_time(readable, _present=None):
        at = readable.find("?")
        return [(at, at + 1, "key")] if at >= 0 else []

    monkeypatch.setattr(redaction_rules, "spans_in", one_more_each_time)

    clean = redaction.redact_all(["?" * 50, "calm"])
    assert (clean.texts, clean.count_failures) == ([None, "calm"], 1)
    with pytest.raises(redaction.Unstable):
        redaction.redact("?" * 50)


@pytest.mark.parametrize("comment", ["gitleaks:allow", "pragma: allowlist secret", "nosec"])
def test_comments_for_scanners_switch_nothing_off(comment):
    assert "A7b9C3d1E5f2G8h4" not in redaction.redact(f"TOKEN=A7b9C3d1E5f2G8h4  # {comment}")


@pytest.mark.parametrize(
    "content",
    [
        "grep -r -e '-----BEGIN RSA PRIVATE KEY-----' .",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    ],
)
def test_a_mention_of_a_private_key_is_none(content):
    assert redaction.redact(content) == content

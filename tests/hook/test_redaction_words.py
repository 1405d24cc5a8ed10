"""Rules are spared a text whose words hold no anchor of theirs; that may hide nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compact_guard.hook import (
    redaction,
    redaction_anchors,
    redaction_commands,
    redaction_phrases,
    redaction_rules,
    redaction_structures,
)
from tests.hook.test_redaction_mechanisms import PAIRS

FAMILIES = (redaction_commands, redaction_phrases, redaction_structures)
TABLE = ((("op read", "pwgen"), "first"), (("AKIA",), "second"), ((" -p", "://"), "third"))
ANCHORS = [anchor for anchors, _ in TABLE for anchor in anchors]
SECRETS = [pair.translate(str.maketrans("", "", "⟦⟧")) for pair, _ in PAIRS.values()]
TALK = [
    "now run the tests again",
    "the handler reads a column, then ok",
    *(twin for _, twin in PAIRS.values()),
]
PIECES = st.sampled_from([*ANCHORS, "op", "read", "a", "İ", "Σ", " ", "\t", "\u2003", "\n", "x-"])
TEXTS = st.lists(PIECES, max_size=12).map("".join)


class Asked(redaction_anchors.Anchors):
    """All anchors, and which of them somebody asked for."""

    def __init__(self):
        super().__init__()
        self.anchors = set()

    def rules(self, table):
        self.anchors.update(anchor for anchors, *_ in table for anchor in anchors)
        return super().rules(table)

    def words(self, constant):
        self.anchors.update(constant)
        return super().words(constant)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_a_table_is_only_spared_a_text_without_its_anchors(text, others):
    present = redaction_anchors.Anchors([text, *others])
    held = [anchor for anchor in ANCHORS if anchor in text.lower() or anchor in text]

    assert present.may_be_in(text.lower().split(), TABLE) or held == []


def test_words_that_were_in_no_text_may_hold_any_anchor():
    present = redaction_anchors.Anchors(["read it", "run it"])

    assert not present.may_be_in(["run", "it"], TABLE)
    assert present.may_be_in(["run", "pwgen"], TABLE)
    assert redaction_rules.EVERY.may_be_in(["run", "it"], TABLE)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_a_family_asks_for_no_anchor_that_its_table_lacks(family):
    asked = Asked()

    list(family.spans_in("a -b <<< c", "a -b <<< c", asked))

    assert asked.anchors <= {anchor for anchors, *_ in family.TABLE for anchor in anchors}


def test_secrets_of_every_kind_are_found_amid_plain_talk():
    present = redaction_anchors.Anchors([*SECRETS, *TALK])

    for text in (*SECRETS, *TALK):
        assert redaction.find_spans(text, present) == redaction.find_spans(text)


def test_plain_talk_is_told_by_its_words():
    present = redaction_anchors.Anchors([*SECRETS, *TALK])

    assert redaction_rules.is_plain(TALK[0], present)
    assert not any(redaction_rules.is_plain(text, present) for text in SECRETS)


def test_a_token_that_a_shell_line_goes_on_with_costs_nobody_the_text():
    token = "ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zA7bC"

    clean = redaction.redact(f"export TOKEN={token[:20]}\\\n    {token[20:]}\nand stops")

    assert "and stops" in clean
    assert token[20:] not in clean
